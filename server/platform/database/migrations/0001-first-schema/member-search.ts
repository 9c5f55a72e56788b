import { sql } from "kysely";

import type { Engine, Queries } from "../../database.ts";

/** The texts by which operators find a member: the address, the name in small letters and as it was typed, and the address of a closed account. */
const searchWords = (row: string) =>
  `${row}email_key || ' ' || lower(${row}first_name || ' ' || ${row}last_name) || ' ' || ${row}first_name || ' ' || ${row}last_name || ' ' || lower(coalesce(${row}closed_email, ''))`;

/**
 * Adds `member_search`, which has the number and the words of each member. An index finds any three letters in them: of trigrams on
 * SQLite (FTS5), of `pg_trgm` on PostgreSQL. Only the index is stored, and no query writes to it.
 */
export async function addMemberSearch(db: Queries, engine: Engine): Promise<void> {
  await (engine === "sqlite" ? addIndexOnSqlite(db) : addIndexOnPostgres(db));
}

/** Triggers update the index; `detail=none` leaves out the places of letters in a text, which saves four fifths of the space. */
async function addIndexOnSqlite(db: Queries): Promise<void> {
  const insert = `insert into member_search (rowid, words) values (new.id, ${searchWords("new.")});`;
  const remove = `insert into member_search (member_search, rowid, words) values ('delete', old.id, ${searchWords("old.")});`;
  for (const statement of [
    `create view member_words as select id, ${searchWords("")} as words from members`,
    `create virtual table member_search using fts5 (words, content='member_words', content_rowid='id', tokenize='trigram', detail=none)`,
    // Deleted words leave the index at once: no letters lead to an erased member.
    `insert into member_search (member_search, rank) values ('secure-delete', 1)`,
    `create trigger member_search_insert after insert on members begin ${insert} end`,
    `create trigger member_search_delete after delete on members begin ${remove} end`,
    `create trigger member_search_update after update of email_key, first_name, last_name, closed_email on members begin ${remove} ${insert} end`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** Where the extension cannot be made, search finds the same and reads all members. */
async function addIndexOnPostgres(db: Queries): Promise<void> {
  await sql
    .raw(`create view member_search as select id as rowid, ${searchWords("")} as words from members`)
    .execute(db);
  await sql`savepoint member_search`.execute(db);
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
    await sql.raw(`create index members_by_words on members using gin ((${searchWords("")}) gin_trgm_ops)`).execute(db);
  } catch {
    await sql`rollback to savepoint member_search`.execute(db);
  }
  await sql`release savepoint member_search`.execute(db);
}
