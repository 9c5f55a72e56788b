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
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  type SqliteDialectConfig,
} from "kysely";

import type { Database } from "./database.ts";
import { isWriteFault, SQLITE_FILE_ERROR, withoutNul } from "./rules.ts";
import type { Schema } from "./schema.ts";

/** How long a statement waits for another process's write before it fails. */
const BUSY_TIMEOUT_IN_MS = 5000;
/** Together as long, without standing in the way of everything else in this process. */
const OPEN_ATTEMPTS = 250;
const OPEN_AGAIN_AFTER_IN_MS = 20;
/** Who has it open for longer than a command does is not waited for. */
const ALONE_ATTEMPTS = 50;

/**
 * Opens (or makes) the file at `path`, `:memory:` for one that lives with the process. `isAlone`: no other process has it open or
 * can open it until this one closes it; throws "database is locked" when one has. Only such a process may begin an empty database
 * where one is missing, to restore it.
 * @throws {SqliteFileError} when it cannot be read and written, or is lost.
 */
export async function openSqlite(path: string, { isAlone = false } = {}): Promise<Database> {
  // Only its owner may read what is in a folder that we make.
  const isFile = path !== ":memory:";
  if (isFile) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (isFile && !isAlone) refuseLost(path);
  const file = await openFile(path, isAlone).catch((error: unknown) => refuse(path, error));
  if (isFile) requireWritable(file, path);
  if (isFile) markDatabase(path);
  const watch = isFile ? watchFile(path) : undefined;
  const writes: Writes = { haveFailed: false, watch };
  const db = new Kysely<Schema>({ dialect: immediateDialect({ database: adaptFile(file, writes) }) });
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
 * WAL with `synchronous=FULL`: a commit that was answered survives a power cut; NORMAL loses some.
 * Two first starts at once answer "locked" whatever the busy timeout says, hence the attempts.
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
      // An exclusive lock is taken by the first write, and kept.
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

/**
 * What this user may only read SQLite opens all the same, and `begin immediate` succeeds there too: only a write tells. This one is
 * taken back, so nothing reaches the disk.
 */
function requireWritable(file: DatabaseSync, path: string): void {
  try {
    file.exec("begin immediate; pragma user_version = 1; rollback");
  } catch (error) {
    file.close();
    refuse(path, error);
  }
}

/** SQLITE_READONLY and SQLITE_CANTOPEN; more exact codes have these in their last byte. */
const fileFaults = new Map([
  [8, "can be read but not written to"],
  [14, "cannot be opened"],
]);

/** @throws {SqliteFileError} naming the file, where it is to blame; otherwise the error as it came. */
function refuse(path: string, error: unknown): never {
  const fault = fileFaults.get(((error as { errcode?: number }).errcode ?? 0) & 0xff);
  if (!fault) throw error;
  const advice = "the file and its folder must belong to the user who runs this, on a disk that can be written to";
  throw new SqliteFileError(`${path} ${fault}: ${advice}`, { cause: error });
}

type Writes = { haveFailed: boolean; watch: FileWatch | undefined };

/** Whether a disk that refused a write takes one by now. Where none was refused nothing is written, which would wait for others. */
function canWrite(file: DatabaseSync, writes: Writes): boolean {
  if (writes.watch?.findLoss()) return false;
  if (!writes.haveFailed) return true;
  // In the middle of a transaction of ours, which the next call tells more of.
  if (file.isTransaction) return false;
  try {
    file.exec("begin immediate; pragma user_version = 1; commit");
    writes.haveFailed = false;
  } catch {
    if (file.isTransaction) file.exec("rollback");
  }
  return !writes.haveFailed;
}

/** `node:sqlite` in the shape that Kysely's SQLite dialect asks for, each statement prepared once. */
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

/** Our queries bind text and numbers only, which the types of Kysely cannot know. */
function toInputs(parameters: readonly unknown[]): SQLInputValue[] {
  return withoutNul(parameters as SQLInputValue[]);
}

/** Takes the write lock at the start of a transaction: one that reads first and writes later cannot fail half-way. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

function immediateDialect(config: SqliteDialectConfig): Dialect {
  return Object.assign(new SqliteDialect(config), { createDriver: () => new ImmediateSqliteDriver(config) });
}

/* The file itself: whether it is still there, and whole. */

/** A file that exists and cannot be used. The `code` tells that the cause is outside. */
class SqliteFileError extends Error {
  override name = "SqliteFileError";
  readonly code = SQLITE_FILE_ERROR;
}

/** Whether the file that a database was opened with is still the one at its path. */
type FileWatch = {
  /** What has become of it, for operators; nothing while it is there whole. */
  findLoss(): string | undefined;
  /** @throws {SqliteFileError} when it is lost: what is written then would reach no file that is opened again. */
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
 * Refuses to begin an empty database where there was one. A file beside it tells so, which an operator removes to begin anew on
 * purpose.
 * @throws {SqliteFileError} when the database is gone, empty or cut off.
 */
function refuseLost(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const advice = "put the file back, or restore a backup: npm run dormouse -- database restore FILE";
  if (existsSync(markerOf(path)) && !found?.size) {
    const fate = found ? "is empty" : "is missing";
    const anew = `To begin an empty database on purpose, remove ${markerOf(path)}`;
    throw new SqliteFileError(`${path} ${fate}, although it held a database: ${advice}. ${anew}`);
  }
  // What a log beside it still holds may be all that is missing.
  const hasLog = Boolean(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size);
  if (found?.size && !hasLog && canRead(path) && isCut(path, found))
    throw new SqliteFileError(`${path} is cut off: ${advice}`);
}

/** What this user may not read SQLite refuses by itself. */
function canRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Notes that there is a database at `path`. */
function markDatabase(path: string): void {
  try {
    const text = "While this file is here, Dormouse begins no empty database in place of one that is missing.\n";
    writeFileSync(markerOf(path), text, { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already, or comes with a start on a disk that takes it.
  }
}

function markerOf(path: string): string {
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
