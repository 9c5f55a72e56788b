import { sql } from "kysely";

import { type Migration, tableWithId } from "../migration.ts";

export const codes: Migration = {
  name: "0005-codes",
  async up(db, engine) {
    await tableWithId(db, engine, "companies")
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("name_key", "text", (column) => column.notNull().unique())
      .addColumn("contact_email", "text", (column) => column.notNull())
      .addColumn("accounts", "integer", (column) => column.notNull())
      .addColumn("price_in_pence", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) =>
        column.notNull().check(sql`state in ('setting-up', 'live', 'grace', 'stopped')`),
      )
      .addColumn("grace_ends_at", "text")
      .addColumn("billing_request_id", "text", (column) => column.unique())
      .addColumn("mandate_id", "text", (column) => column.unique())
      .addColumn("live_since", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();

    await tableWithId(db, engine, "codes")
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("code_key", "text", (column) => column.notNull().unique())
      .addColumn("company_id", "integer", (column) => column.references("companies.id"))
      .addColumn("products", "text", (column) => column.notNull())
      .addColumn("seats", "integer", (column) => column.notNull().check(sql`seats >= 0`))
      .addColumn("seats_taken", "integer", (column) =>
        column.notNull().check(sql`seats_taken >= 0 and seats_taken <= seats`),
      )
      .addColumn("starts_at", "text", (column) => column.notNull())
      .addColumn("ends_at", "text")
      .addColumn("revoked_at", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("codes_by_company").on("codes").column("company_id").execute();

    await db.schema
      .createTable("seats")
      .addColumn("member_id", "integer", (column) => column.primaryKey().references("members.id").onDelete("cascade"))
      .addColumn("code_id", "integer", (column) => column.notNull().references("codes.id"))
      .addColumn("taken_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("seats_by_code").on("seats").column("code_id").execute();

    await db.schema
      .createTable("collections")
      .addColumn("company_id", "integer", (column) => column.notNull().references("companies.id"))
      .addColumn("period", "integer", (column) => column.notNull())
      .addColumn("amount_in_pence", "integer", (column) => column.notNull())
      .addColumn("gateway_id", "text", (column) => column.unique())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("due_at", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("collections_key", ["company_id", "period"])
      .execute();
  },
};
