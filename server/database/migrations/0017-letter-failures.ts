import type { Migration } from "../migration.ts";

/** Whether a mail server refused a letter for good, and when an operator acknowledged a failure. */
export const letterFailures: Migration = {
  name: "0017-letter-failures",
  async up(db) {
    await db.schema
      .alterTable("letters")
      .addColumn("is_refused", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("letters").addColumn("acknowledged_at", "text").execute();
  },
};
