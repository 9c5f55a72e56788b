import { sql } from "kysely";

import type { Queries } from "../database.ts";
import type { Migration } from "../migration.ts";

/** What operators find a member by: the address, the name in small letters and as it was typed, and the address of a closed account. */
const words = (row: string) =>
  `${row}email_key || ' ' || lower(${row}first_name || ' ' || ${row}last_name) || ' ' || ${row}first_name || ' ' || ${row}last_name || ' ' || lower(coalesce(${row}closed_email, ''))`;

/**
 * `member_search` has the number and the words of each member, and finds any three letters in them by an index: of trigrams on SQLite
 * (FTS5), of `pg_trgm` on PostgreSQL. Nothing but the index is stored, and no query writes to it.
 */
export const memberSearch: Migration = {
  name: "0020-member-search",
  async up(db, engine) {
    await (engine === "sqlite" ? indexOnSqlite(db) : indexOnPostgres(db));
    // The members of a company, the newest first.
    await db.schema.createIndex("seats_by_code_and_member").on("seats").columns(["code_id", "member_id"]).execute();
    await sql`create index drafts_by_address on drafts (lower(email))`.execute(db);
    // What was written to an address, before it was a member's too.
    await sql`create index letters_by_recipient on letters (lower(recipient), created_at)`.execute(db);
  },
};

/** Triggers keep it in step; `detail=none` leaves out where in a text letters stand, which takes a fifth of the room. */
async function indexOnSqlite(db: Queries): Promise<void> {
  const insert = `insert into member_search (rowid, words) values (new.id, ${words("new.")});`;
  const remove = `insert into member_search (member_search, rowid, words) values ('delete', old.id, ${words("old.")});`;
  for (const statement of [
    `create view member_words as select id, ${words("")} as words from members`,
    `create virtual table member_search using fts5 (words, content='member_words', content_rowid='id', tokenize='trigram', detail=none)`,
    // What is deleted is taken out at once: no letters lead to an erased member.
    `insert into member_search (member_search, rank) values ('secure-delete', 1)`,
    `insert into member_search (rowid, words) select id, words from member_words`,
    `create trigger member_search_insert after insert on members begin ${insert} end`,
    `create trigger member_search_delete after delete on members begin ${remove} end`,
    `create trigger member_search_update after update of email_key, first_name, last_name, closed_email on members begin ${remove} ${insert} end`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** Where the extension may not be made, or the index not in time, the search is the same and reads all members. */
async function indexOnPostgres(db: Queries): Promise<void> {
  await sql.raw(`create view member_search as select id as rowid, ${words("")} as words from members`).execute(db);
  await sql`savepoint member_search`.execute(db);
  try {
    await sql`create extension if not exists pg_trgm`.execute(db);
    // A statement may take ten seconds (`postgres.ts`), and with little memory a million members take most of them.
    await sql`set local maintenance_work_mem = '256MB'`.execute(db);
    await sql.raw(`create index members_by_words on members using gin ((${words("")}) gin_trgm_ops)`).execute(db);
    // Without figures about the words a search for what everybody has reads the whole index: two seconds for a million.
    await sql`analyze members`.execute(db);
  } catch {
    await sql`rollback to savepoint member_search`.execute(db);
  }
  await sql`release savepoint member_search`.execute(db);
}
