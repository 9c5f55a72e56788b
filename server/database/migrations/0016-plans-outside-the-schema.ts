import { sql } from "kysely";

import type { Queries } from "../database.ts";
import { type Migration, tableWithId } from "../migration.ts";

/** Lets a subscription be of any plan: the list of plans is `server/membership/plans.ts` alone. */
export const plansOutsideTheSchema: Migration = {
  name: "0016-plans-outside-the-schema",
  async up(db, engine) {
    if (engine === "postgres") {
      await db.schema.alterTable("subscriptions").dropConstraint("subscriptions_plan_type_check").execute();
    } else {
      await copySubscriptions(db);
    }
  },
};

/** SQLite cannot drop a CHECK, so the table is made anew (sqlite.org/lang_altertable.html, section 7). No other table refers to it. */
async function copySubscriptions(db: Queries): Promise<void> {
  await tableWithId(db, "sqlite", "new_subscriptions")
    .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
    .addColumn("plan_type", "integer", (column) => column.notNull())
    .addColumn("starts_at", "text", (column) => column.notNull())
    .addColumn("ends_at", "text", (column) => column.notNull())
    .addColumn("revoked_at", "text")
    .addColumn("order_id", "integer", (column) => column.references("orders.id").onDelete("set null"))
    .addColumn("reminded_at", "text")
    .addColumn("end_told_at", "text")
    .execute();
  const columns = sql`id, member_id, plan_type, starts_at, ends_at, revoked_at, order_id, reminded_at, end_told_at`;
  await sql`insert into new_subscriptions (${columns}) select ${columns} from subscriptions`.execute(db);
  // The numbers of deleted rows are not given again.
  await sql`delete from sqlite_sequence where name = 'new_subscriptions'`.execute(db);
  await sql`insert into sqlite_sequence (name, seq)
      select 'new_subscriptions', seq from sqlite_sequence where name = 'subscriptions'`.execute(db);
  await db.schema.dropTable("subscriptions").execute();
  await db.schema.alterTable("new_subscriptions").renameTo("subscriptions").execute();
  await db.schema
    .createIndex("subscriptions_by_member")
    .on("subscriptions")
    .columns(["member_id", "ends_at"])
    .execute();
  await db.schema.createIndex("subscriptions_by_order").on("subscriptions").column("order_id").unique().execute();
  await db.schema.createIndex("subscriptions_by_end").on("subscriptions").column("ends_at").execute();
}
