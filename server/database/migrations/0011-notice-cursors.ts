import type { Migration } from "../migration.ts";

/** Until when each provider's own list of events was walked, for notices that never came. */
export const noticeCursors: Migration = {
  name: "0011-notice-cursors",
  async up(db) {
    await db.schema
      .createTable("notice_cursors")
      .addColumn("gateway", "text", (column) => column.primaryKey())
      .addColumn("walked_until", "text", (column) => column.notNull())
      .execute();
  },
};
