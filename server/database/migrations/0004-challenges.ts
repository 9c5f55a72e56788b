import type { Migration } from "../migration.ts";

export const challenges: Migration = {
  name: "0004-challenges",
  async up(db) {
    await db.schema
      .createTable("challenges")
      .addColumn("purpose", "text", (column) => column.notNull())
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("code_hash", "text", (column) => column.notNull())
      .addColumn("token_hash", "text", (column) => column.notNull().unique())
      .addColumn("tries", "integer", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("code_expires_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("challenges_key", ["purpose", "subject"])
      .execute();
    await db.schema.createIndex("challenges_by_expiry").on("challenges").column("expires_at").execute();
  },
};
