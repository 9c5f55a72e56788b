import type { Migration } from "../migration.ts";

export const myAccount: Migration = {
  name: "0009-my-account",
  async up(db, engine) {
    const bytes = engine === "sqlite" ? "blob" : "bytea";
    await db.schema
      .createTable("avatars")
      .addColumn("member_id", "integer", (column) => column.primaryKey().references("members.id").onDelete("cascade"))
      .addColumn("hash", "text", (column) => column.notNull())
      .addColumn("bytes", bytes, (column) => column.notNull())
      .addColumn("saved_at", "text", (column) => column.notNull())
      .execute();

    await db.schema.alterTable("members").addColumn("pending_email", "text").execute();
    await db.schema.alterTable("members").addColumn("closed_email", "text").execute();
    await db.schema.alterTable("members").addColumn("erase_at", "text").execute();
    await db.schema.createIndex("members_by_erasure").on("members").column("erase_at").execute();

    await db.schema.alterTable("sessions").addColumn("device", "text").execute();
  },
};
