import type { Migration } from "../migration.ts";

export const providerTokens: Migration = {
  name: "0013-provider-tokens",
  async up(db) {
    await db.schema
      .createTable("provider_tokens")
      .addColumn("session_hash", "text", (column) =>
        column.primaryKey().references("sessions.token_hash").onDelete("cascade"),
      )
      .addColumn("member_id", "integer", (column) => column.notNull().references("members.id").onDelete("cascade"))
      .addColumn("sealed_token", "text", (column) => column.notNull())
      .addColumn("kept_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("provider_tokens_by_member")
      .on("provider_tokens")
      .columns(["member_id", "kept_at"])
      .execute();
    await db.schema.createIndex("provider_tokens_by_time").on("provider_tokens").column("kept_at").execute();
  },
};
