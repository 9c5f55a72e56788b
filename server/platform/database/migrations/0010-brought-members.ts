import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** The members who were brought from elsewhere, and when they were told. */
export const broughtMembers: Migration = {
  name: "0010-brought-members",
  async up(db) {
    await sql`create table brought_members (
      member_id integer primary key references members (id) on delete cascade,
      brought_at text not null,
      mailed_at text
    )`.execute(db);
  },
};
