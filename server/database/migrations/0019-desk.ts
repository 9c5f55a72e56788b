import { sql } from "kysely";

import { type Migration, tableWithId } from "../migration.ts";

/** The operators who log in at the desk, and the reasons of what they do there. */
export const desk: Migration = {
  name: "0019-desk",
  async up(db, engine) {
    await db.schema.alterTable("audit").addColumn("reason", "text").execute();
    await tableWithId(db, engine, "operators")
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("email_key", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull().check(sql`role in ('support', 'owner')`))
      .addColumn("password_hash", "text")
      .addColumn("totp_secret", "text", (column) => column.notNull())
      .addColumn("totp_step", "integer")
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("operator_sessions")
      .addColumn("token_hash", "text", (column) => column.primaryKey())
      .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id").onDelete("cascade"))
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("seen_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .addColumn("device", "text")
      .execute();
    await db.schema
      .createTable("operator_recovery_codes")
      .addColumn("code_hash", "text", (column) => column.primaryKey())
      .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id").onDelete("cascade"))
      .execute();
    await db.schema
      .createTable("operator_passkeys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id").onDelete("cascade"))
      .addColumn("public_key", "text", (column) => column.notNull())
      .addColumn("counter", "integer", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("used_at", "text")
      .execute();
    for (const table of ["operator_sessions", "operator_recovery_codes", "operator_passkeys"]) {
      await db.schema.createIndex(`${table}_by_operator`).on(table).column("operator_id").execute();
    }
    await db.schema.createIndex("operator_sessions_by_expiry").on("operator_sessions").column("expires_at").execute();
  },
};
