import type { Migration } from "../migration.ts";

export const seatEnds: Migration = {
  name: "0012-seat-ends",
  async up(db) {
    await db.schema.alterTable("seats").addColumn("ends_at", "text").execute();
    await db.schema.createIndex("seats_by_end").on("seats").column("ends_at").execute();
  },
};
