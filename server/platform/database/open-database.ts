import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";

import { SECOND_IN_MS } from "../clock.ts";
import type { Config } from "../../config.ts";
import type { Database, NoteQuery } from "./database.ts";
import { migrate } from "./migrate.ts";
import { openSqlite } from "./sqlite.ts";

/** Opens and migrates; safe when several processes start together. Without `noteQuery` no statement is timed. */
export async function openDatabase(config: Config["database"], noteQuery?: NoteQuery): Promise<Database> {
  if (config.kind === "postgres") {
    const { openPostgres } = await import("./postgres.ts");
    // By a connection of its own, which may wait for longer than a page does.
    const patient = openPostgres({ ...config, poolSize: 1, isPatient: true });
    try {
      await migrate(patient);
    } finally {
      await patient.close();
    }
    return openPostgres({ ...config, noteQuery });
  }
  const database = await openSqlite(config.path, { noteQuery });
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The location of a database as operators know it: never a user or a password. */
export function toLocation(config: Config["database"]): string {
  return config.kind === "sqlite" ? config.path : `PostgreSQL at ${new URL(config.url).host}`;
}

/** Server and commands write this, and the path, when they make a database. */
export const BEGINS_NEW = "There was no database, so this begins a new one";

/** The path of an SQLite file that does not exist yet: opening it begins a new database. */
export function findNewFile(config: Config["database"]): string | undefined {
  if (config.kind !== "sqlite" || config.path === ":memory:" || existsSync(config.path)) return undefined;
  return config.path;
}

/** Longer than any answer of a database that still serves pages, and shorter than a load balancer waits. */
const ANSWER_LIMIT_IN_MS = 3 * SECOND_IN_MS;

/** Whether the database and its schema answer and take writes now. A silent database counts as no after `limitInMs`. */
export async function answersInTime(database: Database, limitInMs = ANSWER_LIMIT_IN_MS): Promise<boolean> {
  const answer = ask(database).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, delay(limitInMs, false, { ref: false })]);
}

/** A file gets no trial write, which would wait for other writers, unless its disk has refused one. */
async function ask({ db, path, canWrite }: Database): Promise<void> {
  await sql`select name from migrations limit 1`.execute(db);
  if (path !== undefined) await access(path, constants.W_OK);
  if (canWrite && !canWrite()) throw new Error("its disk takes no writes");
}
