import { createHash } from "node:crypto";
import { sql } from "kysely";

import type { Table } from "./backup-tables.ts";
import type { Engine, Queries } from "./database.ts";

/** What stands in a row of a backup: what JSON has, and bytes in base64. */
export type Cell = string | number | null | { base64: string };
export type Row = Cell[];

/** How many rows a table has, and a sum over them in which their order does not count. */
export type Tally = { rows: number; sum: string };

/** A page is put in with one statement: PostgreSQL binds 65,535 values to one, SQLite 32,766. */
const PAGE_SIZE = 200;

/** All rows of a table, page by page along its primary key. */
export async function* readRows(db: Queries, { name, columns, key }: Table): AsyncGenerator<Row[]> {
  let after = sql``;
  for (;;) {
    const query = sql<Record<string, unknown>>`
      select ${listOf(columns)} from ${sql.table(name)} ${after} order by ${listOf(key)} limit ${sql.lit(PAGE_SIZE)}`;
    const { rows } = await query.execute(db);
    if (rows.length > 0) yield rows.map((row) => columns.map((column) => toCell(row[column], `${name}.${column}`)));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_SIZE) return;
    after = sql`where (${listOf(key)}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}

/** Puts a page of rows into a table, as they are. */
export async function writeRows({ name, columns }: Table, rows: Row[], trx: Queries): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(row.map(fromCell))})`);
  await sql`insert into ${sql.table(name)} (${listOf(columns)}) values ${sql.join(values)}`.execute(trx);
}

/** The highest number that a table has ever given: those of rows that are gone are not given again. */
export async function findLastNumber(db: Queries, engine: Engine, { name, isNumbered }: Table): Promise<number> {
  if (!isNumbered) return 0;
  const query =
    engine === "sqlite"
      ? sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${name}`
      : sql<{ last: number | null }>`select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')) as last`;
  const { rows } = await query.execute(db);
  return rows[0]?.last ?? 0;
}

export type Numbering = { engine: Engine; table: Table; last: number };

/** Numbers go on after `last`. */
export async function setLastNumber({ engine, table: { name, isNumbered }, last }: Numbering, trx: Queries) {
  if (!isNumbered || last === 0) return;
  if (engine === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${last}::bigint)`.execute(trx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(trx);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(trx);
}

/** Counts and sums rows as they pass. */
export function createTally(): { add(rows: Row[]): void; read(): Tally } {
  let count = 0;
  let sum = 0n;
  return {
    add(rows) {
      count += rows.length;
      for (const row of rows) sum += createHash("sha256").update(JSON.stringify(row)).digest().readBigUInt64BE();
    },
    read: () => ({ rows: count, sum: BigInt.asUintN(64, sum).toString(16).padStart(16, "0") }),
  };
}

/** What a table holds now. */
export async function tallyRows(db: Queries, table: Table): Promise<Tally> {
  const tally = createTally();
  for await (const rows of readRows(db, table)) tally.add(rows);
  return tally.read();
}

function listOf(names: string[]) {
  return sql.join(names.map((name) => sql.ref(name)));
}

function toCell(value: unknown, place: string): Cell {
  if (value === null || typeof value === "string" || Number.isSafeInteger(value)) return value as Cell;
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  throw new Error(`${place} holds what a backup cannot: ${typeof value}`);
}

function fromCell(cell: Cell): unknown {
  return cell !== null && typeof cell === "object" ? Buffer.from(cell.base64, "base64") : cell;
}
