import type { Migration } from "../migration.ts";

export const disputes: Migration = {
  name: "0010-disputes",
  async up(db) {
    await db.schema
      .createTable("disputes")
      .addColumn("gateway_id", "text", (column) => column.primaryKey())
      .addColumn("order_id", "integer", (column) => column.notNull().references("orders.id"))
      .addColumn("payment_id", "integer", (column) => column.notNull().references("payments.id"))
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("disputes_by_order").on("disputes").column("order_id").execute();
  },
};
