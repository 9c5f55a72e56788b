import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/** Which nights of a topic's guide a member has opened or skipped. */
export const nights: Migration = {
  name: "0002-nights",
  async up(db) {
    await sql`create table nights (
      member_id integer not null references members (id) on delete cascade,
      topic text not null,
      kind text not null check (kind in ('watch', 'read', 'learn')),
      item_id integer not null,
      state text not null check (state in ('opened', 'skipped')),
      constraint nights_key primary key (member_id, topic, kind, item_id)
    )`.execute(db);
  },
};
