import { sql } from "kysely";

import { type Migration, tableWithId } from "../migration.ts";

export const membersAndSessions: Migration = {
  name: "0001-members-and-sessions",
  async up(db, engine) {
    await tableWithId(db, engine, "members")
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("email_key", "text", (column) => column.notNull().unique())
      .addColumn("password_hash", "text", (column) => column.notNull())
      .addColumn("first_name", "text", (column) => column.notNull())
      .addColumn("last_name", "text", (column) => column.notNull())
      .addColumn("account_type", "text", (column) =>
        column.notNull().check(sql`account_type in ('individual', 'corporate')`),
      )
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();

    await tableWithId(db, engine, "subscriptions")
      .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
      .addColumn("plan_type", "integer", (column) => column.notNull().check(sql`plan_type in (1, 2, 3)`))
      .addColumn("starts_at", "text", (column) => column.notNull())
      .addColumn("ends_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("subscriptions_by_member")
      .on("subscriptions")
      .columns(["member_id", "ends_at"])
      .execute();

    await db.schema
      .createTable("sessions")
      .addColumn("token_hash", "text", (column) => column.primaryKey())
      .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("seen_at", "text", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("sessions_by_member").on("sessions").column("member_id").execute();
    await db.schema.createIndex("sessions_by_expiry").on("sessions").column("expires_at").execute();

    await db.schema
      .createTable("throttles")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("expires_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("throttles_by_expiry").on("throttles").column("expires_at").execute();
  },
};
