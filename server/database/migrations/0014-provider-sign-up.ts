import type { Migration } from "../migration.ts";

export const providerSignUp: Migration = {
  name: "0014-provider-sign-up",
  async up(db) {
    await db.schema
      .createTable("admissions")
      .addColumn("draft_id", "integer", (column) => column.primaryKey().references("drafts.id").onDelete("cascade"))
      .addColumn("email_hash", "text", (column) => column.notNull())
      .addColumn("member_id", "integer")
      .addColumn("token", "text")
      .addColumn("asked_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("admissions_by_email").on("admissions").column("email_hash").execute();
    await db.schema
      .createTable("provider_payments")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("order_id", "integer", (column) => column.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("member_id", "integer", (column) => column.notNull())
      .addColumn("payment_id", "text", (column) => column.notNull())
      .addColumn("amount_in_pence", "integer", (column) => column.notNull())
      .addColumn("provider_order_id", "integer")
      .addColumn("prepared_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("provider_payments_by_order").on("provider_payments").column("order_id").execute();
  },
};
