import { sql } from "kysely";

import type { Migration } from "../migration.ts";

export const positions: Migration = {
  name: "0018-positions",
  async up(db) {
    await db.schema
      .createTable("positions")
      .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
      .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('watch', 'read', 'learn')`))
      .addColumn("item_id", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('opened', 'started', 'finished')`))
      .addColumn("seconds", "integer", (column) => column.notNull())
      .addColumn("duration", "integer", (column) => column.notNull())
      .addColumn("observed_at", "text", (column) => column.notNull())
      .addColumn("finished_at", "text")
      .addPrimaryKeyConstraint("positions_key", ["member_id", "kind", "item_id"])
      .execute();
    await db.schema
      .createIndex("positions_by_state")
      .on("positions")
      .columns(["member_id", "state", "observed_at"])
      .execute();
    await db.schema
      .createTable("position_settings")
      .addColumn("member_id", "integer", (column) => column.primaryKey().references("members.id").onDelete("cascade"))
      .addColumn("is_on", "integer", (column) => column.notNull())
      .execute();
  },
};
