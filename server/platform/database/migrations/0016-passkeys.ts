import { sql } from "kysely";

import type { Migration } from "../migration.ts";

/**
 * One table for the passkeys of operators and members. Those of operators are copied: a server of the version before
 * still reads `operator_passkeys` while it is replaced.
 */
export const passkeys: Migration = {
  name: "0016-passkeys",
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table passkeys (
    id text primary key,
    operator_id integer references operators (id) on delete cascade,
    member_id integer references members (id) on delete cascade,
    public_key text not null,
    counter bigint not null,
    is_synced integer,
    is_backed_up integer,
    name text not null,
    created_at text not null,
    used_at text,
    constraint passkeys_have_one_owner check ((operator_id is null) <> (member_id is null))
  )`,
  "create index passkeys_by_operator on passkeys (operator_id)",
  "create index passkeys_by_member on passkeys (member_id)",
  `insert into passkeys (id, operator_id, public_key, counter, name, created_at, used_at)
    select id, operator_id, public_key, counter, name, created_at, used_at from operator_passkeys`,
];
