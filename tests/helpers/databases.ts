import { sql } from "kysely";
import { inject } from "vitest";

import type { Database, Engine, Queries } from "../../server/platform/database/database.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { openSqlite } from "../../server/platform/database/sqlite.ts";
import { giveBack, takeDatabase } from "./recycled-databases.ts";

/**
 * Tests of modules run on SQLite, and from `tests/postgres` on PostgreSQL: `describe.each(engines)`. Tests of the site
 * run on both.
 */
// The journeys open databases without Vitest.
export const engines: Engine[] = process.env.VITEST ? inject("engines") : [];

/** For what only PostgreSQL has: `test.each(onPostgres)`. A skipped test would count as failed. */
export const onPostgres = engines.filter((engine) => engine === "postgres");

/** Migrated and empty, closed at the end of its `await using` block. */
export async function openTestDatabase(engine: Engine): Promise<Database & AsyncDisposable> {
  const url = engine === "postgres" ? await takeDatabase() : "";
  const database = url ? await openDatabase({ kind: "postgres", url, poolSize: 10 }) : await openInMemory();
  async function close(): Promise<void> {
    await database.close();
    if (url) giveBack(url);
  }
  return { ...database, close, [Symbol.asyncDispose]: close };
}

/** A process makes the migrated template once: migrations take ten times as long as a copy. */
let statements: string[] | undefined;

async function openInMemory(): Promise<Database> {
  const database = await openSqlite(":memory:");
  const { db } = database;
  for (const statement of statements ?? []) await sql.raw(statement).execute(db);
  await migrate(database);
  statements ??= await listStatements(db);
  return database;
}

async function listStatements(db: Queries): Promise<string[]> {
  const made = sql<{
    sql: string;
  }>`select sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'
    and name not in (select name from pragma_table_list where type = 'shadow') order by rowid`;
  const migrations = await sql<{ name: string }>`select name from migrations order by rowid`.execute(db);
  const names = migrations.rows.map(({ name }) => `('${name}', '2026-11-20T03:00:00.000Z')`);
  return [
    ...(await made.execute(db)).rows.map((each) => each.sql),
    `insert into migrations values ${names.join(", ")}`,
  ];
}

/** Rolls the transaction back at its end. */
export async function rollBack(db: Queries, work: (trx: Queries) => Promise<unknown>): Promise<void> {
  const end = new Error("rolled back");
  const undone = db.transaction().execute(async (trx) => {
    await work(trx);
    throw end;
  });
  await undone.catch((error: unknown) => {
    if (error !== end) throw error;
  });
}
