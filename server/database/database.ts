import type { Kysely } from "kysely";

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
  const database = config.kind === "sqlite" ? await openSqlite(config.path) : openPostgres(config.url);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
