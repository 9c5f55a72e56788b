import { type Migration, tableWithId } from "../migration.ts";

export const mail: Migration = {
  name: "0003-mail",
  async up(db, engine) {
    await tableWithId(db, engine, "letters")
      .addColumn("key", "text", (column) => column.notNull().unique())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("recipient", "text", (column) => column.notNull())
      .addColumn("member_id", "integer", (column) => column.references("members.id").onDelete("cascade"))
      .addColumn("body", "text")
      .addColumn("is_secret", "integer", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("due_at", "text")
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("sent_at", "text")
      .addColumn("failed_at", "text")
      .addColumn("last_error", "text")
      .execute();
    await db.schema.createIndex("letters_by_due").on("letters").column("due_at").execute();
    await db.schema.createIndex("letters_by_member").on("letters").column("member_id").execute();
    await db.schema.createIndex("letters_by_creation").on("letters").column("created_at").execute();
  },
};
