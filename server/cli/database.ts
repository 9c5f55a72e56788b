import { existsSync } from "node:fs";

import { after, MINUTE_IN_MS } from "../platform/clock.ts";
import type { AuditAction } from "../platform/audit/labels.ts";
import type { Config } from "../config.ts";
import type { Checksum } from "../platform/database/backup.ts";
import type { Database } from "../platform/database/database.ts";
import { errorText } from "../platform/faults.ts";
import { findOperator, readSettings, useServices } from "./command-context.ts";
import { FaultError, refuse, UsageError, type Answer, type Command, type Group, type Terminal } from "./command.ts";
import { printInstant, printTable } from "../operations/acts/print.ts";

const FILE_WORD = "FILE";

const backup: Command = {
  summary: "back up the whole database to a new file; the server can stay up",
  words: [FILE_WORD],
  example: "database backup dormouse-2026-11-20.gz",
  note: "The file holds personal data and sealed secrets, and only its owner can read it. You can restore it on either engine.",
  async run({ words: [path = ""] }, { env }) {
    if (existsSync(path)) return refuse(`${path} already exists. Name a new file.`);
    const config = await readSettings(env);
    if (isMissing(config)) return refuse("There is no database yet, so there's nothing to back up.");
    const { readBackupFile, writeBackupFile } = await import("../platform/database/backup-file.ts");
    const { readDatabase } = await import("../platform/database/backup.ts");
    const database = await open(config);
    const checksums = await orFault(async () => {
      await writeBackupFile({ path, madeAt: new Date() }, readDatabase(database));
      // Reads it as a restore would: an unreadable file is no backup.
      for await (const part of readBackupFile(path)) if (part.kind === "end") return part.tallies;
      throw new Error(`${path} is cut off`);
    }, database);
    return answer(checksums, `The database is in ${path}.`, { file: path });
  },
};

const restore: Command = {
  summary: "restore a backup into the database, all or nothing; stop your servers first",
  words: [FILE_WORD],
  options: { replace: { help: "replace what's in the database; all of that is lost" } },
  example: "database restore dormouse-2026-11-20.gz",
  note: "Backups of older versions, from 1.0.0 on, are brought up to date. Use the same SESSION_SECRET as when the backup was made.",
  async run(input, terminal) {
    const [path = ""] = input.words;
    if (!existsSync(path)) return refuse(`There is no file ${path}.`);
    const config = await readSettings(terminal.env);
    const busy = await findServer(config, terminal);
    if (busy) return refuse(busy);
    const { readBackupFile } = await import("../platform/database/backup-file.ts");
    const { writeDatabase } = await import("../platform/database/backup.ts");
    const check = await ownCheck(config);
    const database = await openForRestore(config);
    const work = () => writeDatabase(database, readBackupFile(path), { isReplacing: input.has("replace"), check });
    const checksums = await orFault(work, database);
    await recordAction(config, { action: "database restore", terminal });
    return answer(checksums, `The database now holds what was in ${path}.`, { file: path });
  },
};

const move: Command = {
  summary: "copy the embedded SQLite database into an empty PostgreSQL; stop the server first",
  options: { to: { value: "URL", help: "postgres://user:password@host/database", isRequired: true } },
  example: "database move --to postgres://dormouse:PASSWORD@db.example.org/dormouse",
  note: "The SQLite file doesn't change. Set DATABASE_URL afterwards, and keep the file until you trust the new database.",
  async run(input, terminal) {
    const url = input.value("to") ?? "";
    const host = /^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? "") ? URL.parse(url)?.host : undefined;
    if (!host) throw new UsageError("--to must be an address such as postgres://user:password@host/database.");
    const config = await readSettings(terminal.env);
    if (config.database.kind !== "sqlite")
      return refuse("DATABASE_URL is set, so the database is already a PostgreSQL.");
    if (isMissing(config)) return refuse("There is no SQLite database yet, so there's nothing to move.");
    const { moveToPostgres } = await import("../platform/database/backup.ts");
    const { path } = config.database;
    const check = await ownCheck(config);
    const checksums = await orFault(() => moveToPostgres({ path, url, check }));
    const moved: Config = { ...config, database: { kind: "postgres", url, poolSize: 2 } };
    await recordAction(moved, { action: "database move", terminal });
    return answer(
      checksums,
      `Everything in ${path} is now in the PostgreSQL at ${host}. Set DATABASE_URL and start the server.`,
      {
        path,
        host,
      },
    );
  },
};

export const databaseCommands: Group = {
  summary: "back up, restore, and move from SQLite to PostgreSQL",
  commands: { backup, restore, move },
};

function isMissing({ database }: Config): boolean {
  return database.kind === "sqlite" && !existsSync(database.path);
}

async function open(config: Config): Promise<Database> {
  const { openDatabase } = await import("../platform/database/open-database.ts");
  return orFault(() => openDatabase(config.database));
}

/** An SQLite file can be locked against other writers; PostgreSQL cannot, and its indexes may take minutes. */
async function openForRestore(config: Config): Promise<Database> {
  if (config.database.kind === "postgres") {
    const { openPostgres } = await import("../platform/database/postgres.ts");
    return openPostgres({ ...config.database, poolSize: 1, isPatient: true });
  }
  const { openAlone } = await import("../platform/database/backup.ts");
  const { path } = config.database;
  return orFault(() => openAlone(path));
}

/** Refuses rows that the settings' own server would refuse. */
async function ownCheck(config: Config) {
  const { requireOwn } = await import("../platform/database/demo-mark.ts");
  return (written: Pick<Database, "db" | "engine">) => requireOwn(written, config);
}

/** Every server starts the shared jobs at least once a minute. */
const QUIET_FOR_IN_MS = 2 * MINUTE_IN_MS;

/** Refuses if a server has just worked on this PostgreSQL. */
async function findServer(config: Config, terminal: Terminal): Promise<string | undefined> {
  if (config.database.kind === "sqlite") return undefined;
  return useServices(config, { terminal }, async ({ jobs, clock }) => {
    const startedAt = (await jobs.list()).map(({ lastRunAt }) => lastRunAt?.getTime() ?? 0);
    const last = new Date(Math.max(...startedAt));
    if (after(last, QUIET_FOR_IN_MS) < clock()) return undefined;
    return `A server used this database at ${printInstant(last)}. Stop it, and try again in two minutes.`;
  });
}

function recordAction(
  config: Config,
  { action, terminal }: { action: AuditAction; terminal: Terminal },
): Promise<void> {
  const operator = findOperator(terminal.env);
  return useServices(config, { terminal }, ({ audit }) => audit.record({ operator, action, facts: {} }));
}

/** @throws {FaultError} with the fault on one line. */
async function orFault<Result>(work: () => Promise<Result>, database?: Database): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new FaultError(`${errorText(error)}.`, { cause: error });
  } finally {
    await database?.close();
  }
}

function answer(checksums: Record<string, Checksum>, text: string, facts: Record<string, string>): Answer {
  const counts = Object.entries(checksums).map(([name, { rows }]): [string, number] => [name, rows]);
  const filled = counts.filter(([, rows]) => rows > 0);
  const table = printTable(["TABLE", "ROWS"], filled, { whenEmpty: "It's empty." });
  return { ok: true, text: `${table}\n\n${text}`, json: { ...facts, rows: Object.fromEntries(counts) } };
}
