import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Which members have asked for the email "New this month". */
export const newsletters: Migration = {
  name: "0003-newsletters",
  async up(db) {
    await sql`create table newsletters (
      member_id integer primary key references members (id) on delete cascade,
      started_at text not null,
      last_month text not null,
      returned_at text
    )`.execute(db);
  },
};
