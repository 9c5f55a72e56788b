import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import {
  CompiledQuery,
  Kysely,
  type LimitNode,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  ValueNode,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";

import type { Database, NoteQuery } from "./database.ts";
import { rowPlugin, toParameters, toQueryLog } from "./rows.ts";
import { giveWay } from "../turns.ts";
import { isWriteFault, SQLITE_FILE_ERROR } from "./faults.ts";
import type { Schema } from "./schema.ts";

/** A statement waits this long for another process's write before it fails. */
const BUSY_TIMEOUT_IN_MS = 5000;
/** The attempts together take as long, and leave this process free between them. */
const OPEN_ATTEMPTS = 250;
const OPEN_AGAIN_AFTER_IN_MS = 20;
/** We do not wait for a process that holds the file longer than one command takes. */
const ALONE_ATTEMPTS = 50;

type SqliteOptions = { isAlone?: boolean; noteQuery?: NoteQuery | undefined };

/**
 * `isAlone`: no other process may have the file open until this one closes it. Only then may an empty database replace
 * a missing one, for a restore.
 * @throws {SqliteFileError} when the file cannot be read and written, or is lost.
 */
export async function openSqlite(path: string, { isAlone = false, noteQuery }: SqliteOptions = {}): Promise<Database> {
  // Only its owner may read a folder that we make.
  const isFile = path !== ":memory:";
  if (isFile) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (isFile && !isAlone) refuseLost(path);
  const file = await openFile(path, isAlone).catch((error: unknown) => refuse(path, error));
  if (isFile) requireWritable(file, path);
  if (isFile) markDatabase(path);
  const watch = isFile ? watchFile(path) : undefined;
  const writes: Writes = { haveFailed: false, watch };
  const db = new Kysely<Schema>({
    dialect: immediateDialect({ database: adaptFile(file, writes) }),
    plugins: [rowPlugin],
    ...toQueryLog(noteQuery),
  });
  return {
    engine: "sqlite",
    db,
    ...(watch && { path, canWrite: () => canWrite(file, writes), findLoss: () => watch.findLoss() }),
    async close() {
      await db.destroy();
      // Kysely closes only what it has begun to use.
      if (file.isOpen) file.close();
    },
  };
}

/**
 * WAL with `synchronous=FULL`: every confirmed commit survives a power cut; NORMAL loses some. When two processes make
 * the file together, one gets "locked" whatever the busy timeout is, so we try several times.
 */
async function openFile(path: string, isAlone: boolean): Promise<DatabaseSync> {
  const attempts = isAlone ? ALONE_ATTEMPTS : OPEN_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    const file = new DatabaseSync(path, {
      enableForeignKeyConstraints: true,
      defensive: true,
    });
    try {
      if (isAlone) file.exec("pragma locking_mode = exclusive");
      file.exec("pragma journal_mode = wal; pragma synchronous = full;");
      // The first write takes the exclusive lock, which stays.
      if (isAlone) file.exec("begin immediate; commit");
      file.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_IN_MS}`);
      return file;
    } catch (error) {
      file.close();
      if (attempt === attempts || !/locked|busy/i.test(String(error))) throw error;
      await delay(OPEN_AGAIN_AFTER_IN_MS);
    }
  }
}

/** SQLite even begins a transaction in a read-only file: only a write fails. This one is rolled back. */
function requireWritable(file: DatabaseSync, path: string): void {
  try {
    file.exec("begin immediate; pragma user_version = 1; rollback");
  } catch (error) {
    file.close();
    refuse(path, error);
  }
}

/** SQLITE_READONLY and SQLITE_CANTOPEN; extended codes have these in their last byte. */
const fileFaults = new Map([
  [8, "can be read but not written to"],
  [14, "cannot be opened"],
]);

/** @throws {SqliteFileError} with the file's name, where the file is the cause; otherwise the original error. */
function refuse(path: string, error: unknown): never {
  const fault = fileFaults.get(((error as { errcode?: number }).errcode ?? 0) & 0xff);
  if (!fault) throw error;
  const advice = "the file and its folder must belong to the user who runs this, on a disk that can be written to";
  throw new SqliteFileError(`${path} ${fault}: ${advice}`, { cause: error });
}

type Writes = { haveFailed: boolean; watch: FileWatch | undefined };

/** Tries a write only after a refused one: a trial write would wait for other writers. */
function canWrite(file: DatabaseSync, writes: Writes): boolean {
  if (writes.watch?.findLoss()) return false;
  if (!writes.haveFailed) return true;
  // We are in the middle of a transaction of ours; the next call finds out.
  if (file.isTransaction) return false;
  try {
    file.exec("begin immediate; pragma user_version = 1; commit");
    writes.haveFailed = false;
  } catch {
    if (file.isTransaction) file.exec("rollback");
  }
  return !writes.haveFailed;
}

/** `node:sqlite` in the shape of Kysely's SQLite dialect. Each statement is prepared once. */
function adaptFile(file: DatabaseSync, writes: Writes): SqliteDatabase {
  const statements = new Map<string, ReturnType<typeof adaptStatement>>();
  return {
    close: () => file.close(),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = adaptStatement(file.prepare(sql), writes, /^\s*(?:select|rollback)\b/i.test(sql));
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync, writes: Writes, isHarmless: boolean) {
  const noteFault = <Result>(work: () => Result): Result => {
    if (!isHarmless) writes.watch?.requireFile();
    try {
      return work();
    } catch (error) {
      if (isWriteFault(error)) writes.haveFailed = true;
      throw error;
    }
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => noteFault(() => statement.all(...toInputs(parameters))),
    run: (parameters: readonly unknown[]) => noteFault(() => statement.run(...toInputs(parameters))),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...toInputs(parameters)),
  };
}

/** Our queries bind only text and numbers; Kysely's types do not show it. */
function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return toParameters(parameters) as SQLInputValue[];
}

/**
 * Takes the write lock first, so that a transaction that reads and later writes cannot fail half-way. Other requests
 * run before it, because a loop over rows would hold the process to its end.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    await giveWay();
    return super.acquireConnection();
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/** Writes limits as literals: SQLite plans by a bound limit's value since 3.47, and would compile it each time. */
class LimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node;
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) this.append(`limit ${String(limit.value)}`);
    else super.visitLimit(node);
  }
}

function immediateDialect(config: SqliteDialectConfig): Dialect {
  return Object.assign(new SqliteDialect(config), {
    createDriver: () => new ImmediateSqliteDriver(config),
    createQueryCompiler: () => new LimitCompiler(),
  });
}

/* The file itself: whether it is still there, and whole. */

/** The `code` marks the cause as outside of the program. */
class SqliteFileError extends Error {
  override name = "SqliteFileError";
  readonly code = SQLITE_FILE_ERROR;
}

/** Watches whether the opened file is still the one at its path. */
type FileWatch = {
  /** A sentence for operators; `undefined` while the file is there and whole. */
  findLoss(): string | undefined;
  /** @throws {SqliteFileError} when the file is lost: later writes would be lost too. */
  requireFile(): void;
};

function watchFile(path: string): FileWatch {
  const first = statSync(path);
  let largest = first.size;
  let loss: string | undefined;

  function look(): string | undefined {
    const now = statSync(path, { throwIfNoEntry: false });
    if (!now) return "was removed";
    if (now.ino !== first.ino || now.dev !== first.dev) return "was replaced by another file";
    if (now.size < largest && isCut(path, now)) return "was cut off";
    largest = now.size;
    return undefined;
  }

  const findLoss = () => {
    const fate = loss ? undefined : look();
    if (fate) loss = `${path} ${fate} while it was open`;
    return loss;
  };
  return {
    findLoss,
    requireFile() {
      const found = findLoss();
      if (found) throw new SqliteFileError(`${found}: nothing is written any more`);
    },
  };
}

/**
 * Refuses an empty database where a file marks that there was one; an operator may remove that file.
 * @throws {SqliteFileError} when the database is gone, empty or cut off.
 */
function refuseLost(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const advice = "put the file back, or restore a backup: npm run dormouse -- database restore FILE";
  if (existsSync(toMarkerPath(path)) && !found?.size) {
    const fate = found ? "is empty" : "is missing";
    const anew = `To begin an empty database on purpose, remove ${toMarkerPath(path)}`;
    throw new SqliteFileError(`${path} ${fate}, although it held a database: ${advice}. ${anew}`);
  }
  // The log beside it may hold everything that is missing.
  const hasLog = Boolean(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size);
  if (found?.size && !hasLog && canRead(path) && isCut(path, found))
    throw new SqliteFileError(`${path} is cut off: ${advice}`);
}

/** SQLite itself refuses a file that this user may not read. */
function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function markDatabase(path: string): void {
  try {
    const text = "While this file is here, Dormouse won't start an empty database if the one it had is missing.\n";
    writeFileSync(toMarkerPath(path), text, { flag: "wx", mode: 0o600 });
  } catch {
    // The mark exists, or a later start makes it on a disk that takes writes.
  }
}

function toMarkerPath(path: string): string {
  return `${path}.made`;
}

const HEADER_BYTES = 32;

/** Whether a file is shorter than its header says (sqlite.org/fileformat.html, sections 1.3.2 and 1.3.8). */
function isCut(path: string, { size }: Stats): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, "r");
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return true;
  } finally {
    closeSync(file);
  }
  const written = header.readUInt16BE(16);
  const pageBytes = written === 1 ? 65_536 : written;
  return header.toString("latin1", 0, 15) === "SQLite format 3" && size < pageBytes * header.readUInt32BE(28);
}
