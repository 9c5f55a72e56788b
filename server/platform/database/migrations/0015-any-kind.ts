import { sql } from "kysely";

import type { Queries } from "../database.ts";
import type { Migration } from "../migration.ts";

const CHECK = " check (kind in ('watch', 'read', 'learn'))";

/** The kinds of items are listed in `content/items/kinds.ts` alone: a new kind needs no migration from now on. */
export const anyKind: Migration = {
  name: "0015-any-kind",
  async up(db, engine) {
    for (const table of ["favourites", "positions", "nights"]) {
      if (engine === "sqlite") await rebuildWithoutCheck(db, table);
      else await sql.raw(`alter table ${table} drop constraint ${table}_kind_check`).execute(db);
    }
  },
};

/** SQLite drops no check: the table and its indexes are made again from their own statements. */
async function rebuildWithoutCheck(db: Queries, table: string): Promise<void> {
  const { rows } = await sql<{ type: string; statement: string }>`
    select type, sql as statement from sqlite_master where tbl_name = ${table} and sql is not null`.execute(db);
  const statements = (type: string) => rows.filter((row) => row.type === type).map(({ statement }) => statement);
  await sql.raw(`alter table ${table} rename to ${table}_checked`).execute(db);
  for (const statement of statements("table")) await sql.raw(statement.replace(CHECK, "")).execute(db);
  await sql.raw(`insert into ${table} select * from ${table}_checked`).execute(db);
  await sql.raw(`drop table ${table}_checked`).execute(db);
  for (const statement of statements("index")) await sql.raw(statement).execute(db);
}
