import type { Migration } from "../migration.ts";

/** What the demo's card and Direct Debit gateways remember, as a vendor's own database would. */
export const demoGateways: Migration = {
  name: "0008-demo-gateways",
  async up(db) {
    await db.schema
      .createTable("demo_objects")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("idempotency_key", "text", (column) => column.unique())
      .addColumn("parent", "text")
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("demo_objects_by_parent").on("demo_objects").columns(["kind", "parent"]).execute();
    await db.schema
      .createTable("demo_notices")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("gateway", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("delivered_at", "text")
      .execute();
    await db.schema
      .createIndex("demo_notices_by_delivery")
      .on("demo_notices")
      .columns(["delivered_at", "created_at"])
      .execute();
  },
};
