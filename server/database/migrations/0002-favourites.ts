import { sql } from "kysely";

import type { Migration } from "../migration.ts";

export const favourites: Migration = {
  name: "0002-favourites",
  async up(db) {
    await db.schema
      .createTable("favourites")
      .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
      .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('watch', 'read', 'learn')`))
      .addColumn("item_id", "integer", (column) => column.notNull())
      .addColumn("saved_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("favourites_key", ["member_id", "kind", "item_id"])
      .execute();
    await db.schema
      .createIndex("favourites_by_member")
      .on("favourites")
      .columns(["member_id", "kind", "saved_at", "item_id"])
      .execute();
  },
};
