import { sql, type Kysely } from "kysely";

import { SECOND_IN_MS } from "../clock.ts";
import type { Config } from "../config.ts";
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

/** Longer than any that can still serve a page, and shorter than a balancer waits. */
const ANSWER_LIMIT_IN_MS = 3 * SECOND_IN_MS;

/** Whether the database and its schema answer now. It says so in time also when they are silent. */
export async function answersInTime({ db }: Database, limitInMs = ANSWER_LIMIT_IN_MS): Promise<boolean> {
  const { promise: silence, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), limitInMs);
  const answer = sql`select name from migrations limit 1`.execute(db).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, silence]);
  clearTimeout(timer);
  return isThere;
}
