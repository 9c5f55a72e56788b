import { createHash } from "node:crypto";
import { CompiledQuery, sql } from "kysely";

import { describeOwnTables, type Table } from "./backup-tables.ts";
import type { Database, Engine, Queries } from "./database.ts";
import { listFilled } from "./demo-mark.ts";
import { prepareApplied, readApplied, runMigrations } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

/** A database as a stream: its migrations, each table followed by its rows, and finally the checksums. */
export type BackupRecord =
  | { kind: "begin"; migrations: string[] }
  | { kind: "table"; name: string; columns: string[]; last: number }
  | { kind: "rows"; rows: Row[] }
  | { kind: "end"; tallies: Record<string, Checksum> };

/** Why nothing was restored: a sentence for operators. */
export class BackupError extends Error {}

/** Reads everything that a database holds at one moment; writers do not wait. Both engines give the same parts. */
export async function* readDatabase({ db, engine }: Database): AsyncGenerator<BackupRecord> {
  const connection = Promise.withResolvers<Queries>();
  const done = Promise.withResolvers<void>();
  const held = db.connection().execute((own) => {
    connection.resolve(own);
    return done.promise;
  });
  held.catch(connection.reject);
  const own = await connection.promise;
  const run = (words: string) => own.executeQuery(CompiledQuery.raw(words));
  try {
    // Not by `transaction()`: on SQLite that would take the write lock.
    await run(engine === "sqlite" ? "begin" : "begin isolation level repeatable read read only");
    try {
      yield* readRecords(own, engine);
    } finally {
      // Nothing was written, and a reader may stop half-way.
      await run("rollback");
    }
  } finally {
    done.resolve();
    await held;
  }
}

async function* readRecords(db: Queries, engine: Engine): AsyncGenerator<BackupRecord> {
  yield { kind: "begin", migrations: await readApplied(db) };
  const checksums: Record<string, Checksum> = {};
  for (const table of await describeOwnTables({ db, engine })) {
    const { name, columns } = table;
    yield { kind: "table", name, columns, last: await findLastNumber(db, engine, table) };
    let checksum = EMPTY;
    for await (const rows of readRows(db, table)) {
      checksum = addRows(checksum, rows);
      yield { kind: "rows", rows };
    }
    checksums[name] = checksum;
  }
  yield { kind: "end", tallies: checksums };
}

/**
 * Replaces everything in this database by the parts of another, in one transaction. The schema becomes that of the
 * backup, takes the rows and is migrated. With `keepsTables`, tables of the same schema stay, so that running servers
 * need not stop. The new rows are read back and compared; `check` may refuse them by an error.
 * @throws {BackupError} when the parts are not whole or of a newer version, when this database is of a newer version
 * (its tables would be in the way of the next upgrade), or when it has rows and `isReplacing` is not set.
 */
export async function writeDatabase(
  { db, engine }: Database,
  records: AsyncIterable<BackupRecord>,
  { isReplacing = false, keepsTables = false, check }: WriteOptions = {},
): Promise<Record<string, Checksum>> {
  return db.transaction().execute(async (trx) => {
    const applied = await orBackupError(() => prepareApplied(trx));
    const filled = isReplacing ? [] : await listFilled({ db: trx, engine });
    if (filled.length > 0) {
      const names = filled.join(", ");
      throw new BackupError(`The database is not empty (${names}), so nothing was replaced`);
    }
    const checksums = await refill(records, { engine, trx, applied: keepsTables ? applied : undefined });
    await check?.({ db: trx, engine });
    return checksums;
  });
}

type WriteOptions = {
  isReplacing?: boolean;
  keepsTables?: boolean;
  check?: ((written: Pick<Database, "db" | "engine">) => Promise<void>) | undefined;
};

export async function emptyDatabase({ db, engine }: Database): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await rebuild([], { engine, trx });
    await runMigrations({ engine }, trx);
  });
}

/** `applied`: the migrations of the tables here, which stay if the backup has the same. */
type Refilled = { engine: Engine; trx: Queries; applied: string[] | undefined };

async function refill(records: AsyncIterable<BackupRecord>, { engine, trx, applied }: Refilled) {
  let tables = new Map<string, Table>();
  let current: Table | undefined;
  let checksums: Record<string, Checksum> | undefined;
  const lasts = new Map<string, number>();
  for await (const record of records) {
    if (checksums) throw new BackupError("The backup goes on after its end");
    if (record.kind === "begin") {
      const isSame = applied?.join() === record.migrations.join();
      tables = await (isSame ? clear({ engine, trx }) : rebuild(record.migrations, { engine, trx }));
    } else if (record.kind === "table") {
      current = matchTable(tables, record);
      lasts.set(record.name, record.last);
    } else if (record.kind === "rows") {
      if (!current) throw new BackupError("The backup has rows that belong to no table");
      await writeRows(current, record.rows, trx);
    } else {
      checksums = record.tallies;
    }
  }
  if (!checksums) throw new BackupError("The backup is cut off: its end is missing");
  for (const table of tables.values()) {
    if (!checksums[table.name] || !lasts.has(table.name))
      throw new BackupError(`The backup has no table ${table.name}`);
    await setLastNumber({ engine, table, last: lasts.get(table.name) ?? 0 }, trx);
    const there = await sumTable(trx, table);
    const { rows, sum } = checksums[table.name] ?? there;
    if (there.rows !== rows || there.sum !== sum) {
      throw new BackupError(`${table.name} didn't arrive as it was: ${there.rows} of ${rows} rows are there`);
    }
  }
  await runMigrations({ engine }, trx);
  return checksums;
}

async function clear({ engine, trx }: { engine: Engine; trx: Queries }) {
  const tables = await describeOwnTables({ db: trx, engine });
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(trx);
  return new Map(tables.map((table) => [table.name, table]));
}

async function rebuild(migrations: string[], { engine, trx }: { engine: Engine; trx: Queries }) {
  await dropSearch({ engine, trx });
  for (const { name } of (await describeOwnTables({ db: trx, engine })).toReversed()) {
    await sql`drop table ${sql.table(name)}`.execute(trx);
  }
  await sql`drop table if exists migrations`.execute(trx);
  await orBackupError(() => runMigrations({ engine, only: migrations }, trx));
  return new Map((await describeOwnTables({ db: trx, engine, only: migrations })).map((table) => [table.name, table]));
}

/** The search index has no rows of its own but depends on tables. A restore makes it again, as a first start does. */
async function dropSearch({ engine, trx }: { engine: Engine; trx: Queries }): Promise<void> {
  if (engine === "postgres") {
    await sql`drop view if exists member_search`.execute(trx);
    return;
  }
  await sql`drop table if exists member_search`.execute(trx);
  await sql`drop view if exists member_words`.execute(trx);
}

function matchTable(tables: Map<string, Table>, record: Extract<BackupRecord, { kind: "table" }>): Table {
  const table = tables.get(record.name);
  if (!table) throw new BackupError(`The backup has a table that its version has not: ${record.name}`);
  if (table.columns.join() !== record.columns.join())
    throw new BackupError(`The columns of ${record.name} are different`);
  return table;
}

async function orBackupError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new BackupError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type Move = { path: string; url: string } & Pick<WriteOptions, "check">;

/**
 * Copies the SQLite file at `path` into the empty PostgreSQL at `url`, in one transaction, and compares the rows. The
 * file is locked meanwhile and does not change.
 * @throws {BackupError} when a server has the file open, or the PostgreSQL is not empty.
 */
export async function moveToPostgres({ path, url, check }: Move): Promise<Record<string, Checksum>> {
  const source = await openAlone(path);
  const target = openPostgres({ url, poolSize: 1, isPatient: true });
  try {
    return await writeDatabase(target, readDatabase(source), { check });
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

export async function openAlone(path: string): Promise<Database> {
  try {
    return await openSqlite(path, { isAlone: true });
  } catch (error) {
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new BackupError(`${path} is in use: stop the server, and anything else that has it open`, { cause: error });
  }
}

/** A value in a row of a backup: JSON's, and bytes in base64. */
type Cell = string | number | null | { base64: string };
type Row = Cell[];

/** The number of rows, and a sum over them that does not depend on their order. */
export type Checksum = { rows: number; sum: string };

/** A page is put in with one statement: PostgreSQL binds 65,535 values to one, SQLite 32,766. */
const PAGE_SIZE = 200;

async function* readRows(db: Queries, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  let after = sql``;
  for (;;) {
    const query = sql<Record<string, unknown>>`
      select ${toColumnList(columns)} from ${sql.table(name)} ${after} order by ${toColumnList(key)} limit ${sql.lit(PAGE_SIZE)}`;
    // By the names that the database has.
    const { rows } = await query.execute(db.withoutPlugins());
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => toCell(row[column], `${name}.${column}`)));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = sql`where (${toColumnList(key)}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

async function writeRows({ name, columns }: Table, rows: Row[], trx: Queries): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(row.map(fromCell))})`);
  await sql`insert into ${sql.table(name)} (${toColumnList(columns)}) values ${sql.join(values)}`.execute(trx);
}

/** The highest number that a table has ever given, so that numbers of deleted rows are not given again. */
async function findLastNumber(db: Queries, engine: Engine, { name, isNumbered }: Table): Promise<number> {
  if (!isNumbered) return 0;
  const query =
    engine === "sqlite"
      ? sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${name}`
      : sql<{ last: number | null }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')) as last`;
  const { rows } = await query.execute(db);
  return rows[0]?.last ?? 0;
}

type Numbering = { engine: Engine; table: Table; last: number };

async function setLastNumber({ engine, table: { name, isNumbered }, last }: Numbering, trx: Queries) {
  if (!isNumbered || last === 0) return;
  if (engine === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${last}::bigint)`.execute(trx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(trx);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(trx);
}

const EMPTY: Checksum = { rows: 0, sum: "0".repeat(16) };

function addRows(before: Checksum, rows: Row[]): Checksum {
  let sum = BigInt(`0x${before.sum}`);
  for (const row of rows) sum += createHash("sha256").update(JSON.stringify(row)).digest().readBigUInt64BE();
  return { rows: before.rows + rows.length, sum: BigInt.asUintN(64, sum).toString(16).padStart(16, "0") };
}

async function sumTable(db: Queries, table: Table): Promise<Checksum> {
  let checksum = EMPTY;
  for await (const rows of readRows(db, table)) checksum = addRows(checksum, rows);
  return checksum;
}

function toColumnList(names: string[]) {
  return sql.join(names.map((name) => sql.ref(name)));
}

function toCell(value: unknown, column: string): Cell {
  if (value === null || typeof value === "string" || Number.isSafeInteger(value)) return value as Cell;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  throw new Error(`${column} holds what a backup cannot: ${typeof value}`);
}

function fromCell(cell: Cell): unknown {
  return cell !== null && typeof cell === "object" ? Buffer.from(cell.base64, "base64") : cell;
}
