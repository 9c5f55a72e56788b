import { Kysely, PostgresDialect } from "kysely";
import { Pool, types } from "pg";

import { SECOND_IN_MS } from "../clock.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

// Counts and ids come as text by default, because 64 bits do not fit a number; ours stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

/** A pool of connections to the PostgreSQL at `url`; nothing is contacted before the first query. */
export function openPostgres(url: string): Database {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 5 * SECOND_IN_MS,
    idleTimeoutMillis: 30 * SECOND_IN_MS,
    statement_timeout: 10 * SECOND_IN_MS,
    idle_in_transaction_session_timeout: 20 * SECOND_IN_MS,
  });
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { engine: "postgres", db, close: () => db.destroy() };
}
