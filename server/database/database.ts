import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { sql, type Kysely } from "kysely";

import { SECOND_IN_MS } from "../clock.ts";
import type { Config } from "../config.ts";
import type { LastingFault } from "../lasting-fault.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import type { Schema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

export type Engine = "sqlite" | "postgres";

/** What queries run on: the database itself or a transaction of it. */
export type Queries = Kysely<Schema>;

/** One open database with the current schema. */
export type Database = {
  engine: Engine;
  db: Queries;
  /** Where it is, if it is a file. */
  path?: string;
  /** Whether the disk of a file takes writes again after it refused one; true where it refused none. */
  canWrite?: () => boolean;
  /** Where a database on a server tells that it is away, and that it is back. */
  tellFaultsTo?: (fault: LastingFault) => void;
  /** What has become of a file that was removed, replaced or cut off since it was opened; nothing is written to it any more. */
  findLoss?: () => string | undefined;
  close(): Promise<void>;
};

/** Opens the database and brings its schema up to date; safe when several processes start at once. */
export async function openDatabase(config: Config["database"]): Promise<Database> {
  const database = config.kind === "sqlite" ? await openSqlite(config.path) : openPostgres(config);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** What server and commands say, and the path, when they have made one. */
export const BEGINS_NEW = "There was no database, so this begins a new one";

/** The path of an SQLite file that is not there yet: whoever opens it begins a new database. */
export function findNewFile(config: Config["database"]): string | undefined {
  if (config.kind !== "sqlite" || config.path === ":memory:" || existsSync(config.path)) return undefined;
  return config.path;
}

/** Longer than any that can still serve a page, and shorter than a balancer waits. */
const ANSWER_LIMIT_IN_MS = 3 * SECOND_IN_MS;

/** Whether the database and its schema answer now, and a file may be written to. It says so in time also when they are silent. */
export async function answersInTime(database: Database, limitInMs = ANSWER_LIMIT_IN_MS): Promise<boolean> {
  const { promise: silence, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limitInMs);
  const answer = ask(database).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, silence]);
  clearTimeout(timer);
  return isThere;
}

/** A file is not written to for this, which would wait for other writers, unless its disk has refused a write. */
async function ask({ db, path, canWrite }: Database): Promise<void> {
  await sql`select name from migrations limit 1`.execute(db);
  if (path !== undefined) await access(path, constants.W_OK);
  if (canWrite && !canWrite()) throw new Error("its disk takes no writes");
}
