import { type Migration, tableWithId } from "../migration.ts";

export const operators: Migration = {
  name: "0007-operators",
  async up(db, engine) {
    await tableWithId(db, engine, "audit")
      .addColumn("at", "text", (column) => column.notNull())
      .addColumn("operator", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("member_id", "integer")
      .addColumn("facts", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("audit_by_member").on("audit").column("member_id").execute();
    await db.schema
      .createTable("task_leases")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("holder", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .execute();
  },
};
