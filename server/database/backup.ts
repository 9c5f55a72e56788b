import { CompiledQuery, sql } from "kysely";

import {
  createTally,
  findLastNumber,
  readRows,
  setLastNumber,
  tallyRows,
  writeRows,
  type Row,
  type Tally,
} from "./backup-rows.ts";
import { describeOwnTables, type Table } from "./backup-tables.ts";
import type { Database, Engine, Queries } from "./database.ts";
import { readApplied, runMigrations } from "./migrate.ts";

/** A database as a stream: what it is, each table followed by its rows, and at last what there was of each. */
export type BackupPart =
  | { kind: "begin"; migrations: string[] }
  | { kind: "table"; name: string; columns: string[]; last: number }
  | { kind: "rows"; rows: Row[] }
  | { kind: "end"; tallies: Record<string, Tally> };

/** Why nothing was put in: a sentence for operators. */
export class BackupError extends Error {}

/**
 * All that a database holds at one moment, whatever is written meanwhile; writers do not wait for it. The same parts come of both
 * engines.
 */
export async function* readDatabase({ db, engine }: Database): AsyncGenerator<BackupPart> {
  const connection = Promise.withResolvers<Queries>();
  const done = Promise.withResolvers<void>();
  const held = db.connection().execute((own) => {
    connection.resolve(own);
    return done.promise;
  });
  held.catch(connection.reject);
  const own = await connection.promise;
  const say = (words: string) => own.executeQuery(CompiledQuery.raw(words));
  try {
    // Not by `transaction()`: on SQLite that would take the write lock.
    await say(engine === "sqlite" ? "begin" : "begin isolation level repeatable read read only");
    try {
      yield* readParts(own, engine);
    } finally {
      // Nothing was written; and whoever reads may stop half-way.
      await say("rollback");
    }
  } finally {
    done.resolve();
    await held;
  }
}

async function* readParts(db: Queries, engine: Engine): AsyncGenerator<BackupPart> {
  const { rows: migrations } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  yield { kind: "begin", migrations: migrations.map(({ name }) => name) };
  const tallies: Record<string, Tally> = {};
  for (const table of await describeOwnTables({ db, engine })) {
    const { name, columns } = table;
    yield { kind: "table", name, columns, last: await findLastNumber(db, engine, table) };
    const tally = createTally();
    for await (const rows of readRows(db, table)) {
      tally.add(rows);
      yield { kind: "rows", rows };
    }
    tallies[name] = tally.read();
  }
  yield { kind: "end", tallies };
}

/** The tables of a database that hold anything. */
async function listFilled({ db, engine }: Pick<Database, "db" | "engine">): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await describeOwnTables({ db, engine })) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

/**
 * Puts a database's parts in the place of everything in this one, in one transaction: all of it or nothing. The schema becomes
 * what it was then, takes the rows, and is brought up to date. What was put in is read back and compared.
 * @throws {BackupError} when the parts are not whole or of a newer version, when this database is of one (its newer tables would stay
 * and be in the way of the next upgrade), or when there is anything here and not `isReplacing`.
 */
export async function writeDatabase(
  { db, engine }: Database,
  parts: AsyncIterable<BackupPart>,
  { isReplacing = false } = {},
): Promise<Record<string, Tally>> {
  return db.transaction().execute(async (trx) => {
    await orBackupError(() => readApplied(trx));
    const filled = isReplacing ? [] : await listFilled({ db: trx, engine });
    if (filled.length > 0) {
      const names = filled.join(", ");
      throw new BackupError(`The database is not empty (${names}), and nobody said that it is to be replaced`);
    }
    return refill(parts, { engine, trx });
  });
}

async function refill(parts: AsyncIterable<BackupPart>, { engine, trx }: { engine: Engine; trx: Queries }) {
  let tables = new Map<string, Table>();
  let current: Table | undefined;
  let tallies: Record<string, Tally> | undefined;
  const lasts = new Map<string, number>();
  for await (const part of parts) {
    if (tallies) throw new BackupError("The backup goes on after its end");
    if (part.kind === "begin") {
      tables = await rebuild(part.migrations, { engine, trx });
    } else if (part.kind === "table") {
      current = matchTable(tables, part);
      lasts.set(part.name, part.last);
    } else if (part.kind === "rows") {
      if (!current) throw new BackupError("The backup has rows that belong to no table");
      await writeRows(current, part.rows, trx);
    } else {
      tallies = part.tallies;
    }
  }
  if (!tallies) throw new BackupError("The backup is cut off: its end is missing");
  for (const table of tables.values()) {
    if (!tallies[table.name] || !lasts.has(table.name)) throw new BackupError(`The backup has no table ${table.name}`);
    await setLastNumber({ engine, table, last: lasts.get(table.name) ?? 0 }, trx);
    const there = await tallyRows(trx, table);
    const { rows, sum } = tallies[table.name] ?? there;
    if (there.rows !== rows || there.sum !== sum) {
      throw new BackupError(`${table.name} did not come through as it was: ${there.rows} of ${rows} rows are there`);
    }
  }
  await runMigrations({ engine }, trx);
  return tallies;
}

/** An empty schema as it was when the backup was made. */
async function rebuild(migrations: string[], { engine, trx }: { engine: Engine; trx: Queries }) {
  for (const { name } of (await describeOwnTables({ db: trx, engine })).toReversed()) {
    await sql`drop table ${sql.table(name)}`.execute(trx);
  }
  await sql`drop table if exists migrations`.execute(trx);
  await orBackupError(() => runMigrations({ engine, only: migrations }, trx));
  return new Map((await describeOwnTables({ db: trx, engine, only: migrations })).map((table) => [table.name, table]));
}

function matchTable(tables: Map<string, Table>, part: Extract<BackupPart, { kind: "table" }>): Table {
  const table = tables.get(part.name);
  if (!table) throw new BackupError(`The backup has a table that its version has not: ${part.name}`);
  if (table.columns.join() !== part.columns.join()) throw new BackupError(`The columns of ${part.name} are others`);
  return table;
}

async function orBackupError(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new BackupError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
