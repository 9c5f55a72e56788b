import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** When a member switched the password off, and its hash meanwhile. */
export const passwordSwitch: Migration = {
  name: "0020-password-switch",
  async up(db) {
    await sql`alter table members add column password_off_at text`.execute(db);
    await sql`alter table members add column off_password_hash text`.execute(db);
  },
};
