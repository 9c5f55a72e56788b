import { sql } from "kysely";

import type { Engine, Queries } from "../database.ts";
import { type Migration, tableWithId } from "../migration.ts";

export const signUpAndPayments: Migration = {
  name: "0006-sign-up-and-payments",
  async up(db, engine) {
    await addDrafts(db, engine);
    await addOrders(db, engine);
    await addPayments(db, engine);
    await addNotices(db);
    await extendSubscriptions(db);
  },
};

async function addDrafts(db: Queries, engine: Engine): Promise<void> {
  await tableWithId(db, engine, "drafts")
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("purpose", "text", (column) => column.notNull().check(sql`purpose in ('join', 'renew')`))
    .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('open', 'completed', 'refunded')`))
    .addColumn("member_id", "integer", (column) => column.references("members.id").onDelete("cascade"))
    .addColumn("account_type", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("first_name", "text", (column) => column.notNull())
    .addColumn("last_name", "text", (column) => column.notNull())
    .addColumn("password_hash", "text")
    .addColumn("code", "text")
    .addColumn("plan_type", "integer")
    .addColumn("verified_at", "text")
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("session_claimed_at", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("drafts_by_expiry").on("drafts").column("expires_at").execute();
  await db.schema.createIndex("drafts_by_member").on("drafts").column("member_id").execute();
}

async function addOrders(db: Queries, engine: Engine): Promise<void> {
  await tableWithId(db, engine, "orders")
    .addColumn("draft_id", "integer", (column) => column.references("drafts.id").onDelete("set null"))
    .addColumn("member_id", "integer", (column) => column.references("members.id").onDelete("set null"))
    .addColumn("account_type", "text", (column) => column.notNull())
    .addColumn("plan_type", "integer", (column) => column.notNull())
    .addColumn("amount_in_pence", "integer", (column) => column.notNull())
    .addColumn("currency", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("first_name", "text", (column) => column.notNull())
    .addColumn("last_name", "text", (column) => column.notNull())
    .addColumn("postcode", "text", (column) => column.notNull())
    .addColumn("country", "text", (column) => column.notNull())
    .addColumn("code", "text")
    .addColumn("site", "text", (column) => column.notNull())
    .addColumn("customer_id", "text")
    .addColumn("receipt_number", "text", (column) => column.unique())
    .addColumn("starts_at", "text")
    .addColumn("ends_at", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .addColumn("paid_at", "text")
    .addColumn("completed_at", "text")
    .execute();
  // One open order a draft: two tabs that pay at once pay for the same one.
  await sql`create unique index orders_one_open on orders (draft_id) where state = 'awaiting-payment'`.execute(db);
  await db.schema.createIndex("orders_by_draft").on("orders").column("draft_id").execute();
  await db.schema.createIndex("orders_by_member").on("orders").column("member_id").execute();
  await sql`create index orders_unsettled on orders (updated_at)
      where state in ('awaiting-payment', 'paid', 'refund-pending')`.execute(db);
}

async function addPayments(db: Queries, engine: Engine): Promise<void> {
  await tableWithId(db, engine, "payments")
    .addColumn("order_id", "integer", (column) => column.notNull().references("orders.id"))
    .addColumn("attempt", "integer", (column) => column.notNull())
    .addColumn("page", "text", (column) => column.notNull().check(sql`page in ('fields', 'hosted')`))
    .addColumn("method_id", "text")
    .addColumn("gateway_id", "text", (column) => column.unique())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("amount_in_pence", "integer", (column) => column.notNull())
    .addColumn("action_url", "text")
    .addColumn("decline", "text")
    .addColumn("refund_id", "text", (column) => column.unique())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .addUniqueConstraint("payments_attempt", ["order_id", "attempt"])
    .execute();
  // One live attempt an order, whatever clicks at once.
  await sql`create unique index payments_one_live on payments (order_id)
      where state in ('started', 'authenticating', 'processing')`.execute(db);
  await sql`create index payments_unsettled on payments (updated_at)
      where state in ('started', 'authenticating', 'processing', 'succeeded', 'refunding')`.execute(db);
}

async function addNotices(db: Queries): Promise<void> {
  await db.schema
    .createTable("notices")
    .addColumn("gateway", "text", (column) => column.notNull())
    .addColumn("notice_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("received_at", "text", (column) => column.notNull())
    .addColumn("handled_at", "text")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("notices_key", ["gateway", "notice_id"])
    .execute();
  await sql`create index notices_waiting on notices (received_at) where handled_at is null`.execute(db);
}

async function extendSubscriptions(db: Queries): Promise<void> {
  await db.schema.alterTable("subscriptions").addColumn("revoked_at", "text").execute();
  await db.schema
    .alterTable("subscriptions")
    .addColumn("order_id", "integer", (column) => column.references("orders.id").onDelete("set null"))
    .execute();
  await db.schema.alterTable("subscriptions").addColumn("reminded_at", "text").execute();
  await db.schema.alterTable("subscriptions").addColumn("end_told_at", "text").execute();
  // One payment activates once.
  await db.schema.createIndex("subscriptions_by_order").on("subscriptions").column("order_id").unique().execute();
  await db.schema.createIndex("subscriptions_by_end").on("subscriptions").column("ends_at").execute();
}
