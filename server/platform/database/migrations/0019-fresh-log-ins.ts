import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/**
 * Sessions know the passkey that they began with, and when their member last proved who they are; members, when they
 * declined a passkey.
 */
export const freshLogIns: Migration = {
  name: "0019-fresh-log-ins",
  async up(db) {
    await sql`alter table sessions add column passkey_id text`.execute(db);
    await sql`alter table sessions add column proved_at text`.execute(db);
    await sql`alter table members add column passkey_offer_over_at text`.execute(db);
  },
};
