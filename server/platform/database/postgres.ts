import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type DatabaseConnection,
  type Dialect,
  type PostgresDialectConfig,
  type PostgresPool,
  type PostgresPoolClient,
  type TransactionBuilder,
  type TransactionSettings,
} from "kysely";
import { DatabaseError, Pool, types, type PoolClient } from "pg";

import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";
import type { LastingFault } from "../log.ts";
import type { Database, NoteQuery } from "./database.ts";
import { rowPlugin, toParameters, toQueryLog } from "./rows.ts";
import { markAway } from "./faults.ts";
import type { Schema } from "./schema.ts";

// Counts and ids come as text by default, because 64 bits do not fit a number; ours stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

const CONNECTION_LIMIT_IN_MS = 5 * SECOND_IN_MS;
/** PostgreSQL's own limits within a transaction: for one statement, and for the pause between two. */
const STATEMENT_LIMIT_IN_MS = 10 * SECOND_IN_MS;
const IDLE_LIMIT_IN_MS = 20 * SECOND_IN_MS;
/** Our own limit, after which we hang up: longer than the server's, so that it ends only a silent connection. */
const SILENCE_LIMIT_IN_MS = 15 * SECOND_IN_MS;

/** Both limits where `isPatient`: an index over ten million rows takes minutes. */
const PATIENT_STATEMENT_LIMIT_IN_MS = HOUR_IN_MS;
const PATIENT_SILENCE_LIMIT_IN_MS = PATIENT_STATEMENT_LIMIT_IN_MS + MINUTE_IN_MS;

/** PostgreSQL ends one transaction of a deadlock; a second try succeeds unless a third transaction takes part. */
const ATTEMPTS = 4;

/** `isPatient`: for migrations and restores, in which a statement may take an hour. `silenceLimitInMs` is for tests. */
type PostgresOptions = {
  url: string;
  poolSize: number;
  isPatient?: boolean;
  silenceLimitInMs?: number;
  noteQuery?: NoteQuery | undefined;
};

/**
 * A pool of at most `poolSize` connections; nothing is contacted before the first query. Works through PgBouncer in
 * transaction mode: no prepared statement has a name, and no setting outlives a transaction.
 */
export function openPostgres(options: PostgresOptions): Database {
  const { url, poolSize, isPatient = false, noteQuery } = options;
  const ownLimitInMs = isPatient ? PATIENT_SILENCE_LIMIT_IN_MS : SILENCE_LIMIT_IN_MS;
  const { silenceLimitInMs = ownLimitInMs } = options;
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: Math.min(CONNECTION_LIMIT_IN_MS, silenceLimitInMs),
    idleTimeoutMillis: 30 * SECOND_IN_MS,
    query_timeout: silenceLimitInMs,
    keepAlive: true,
    application_name: "dormouse",
  });
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  let fault: LastingFault | undefined;
  const contact: Contact = {
    failed: (error) => {
      fault?.note({ error }, "the database is away");
      return markAway(error);
    },
    answered: () => fault?.end({}, "the database answers again"),
  };
  const statementLimitInMs = isPatient ? PATIENT_STATEMENT_LIMIT_IN_MS : STATEMENT_LIMIT_IN_MS;
  const dialect = boundedDialect({ pool: withoutBroken(pool, contact) }, statementLimitInMs);
  const db = new RetryingKysely({ dialect, plugins: [rowPlugin], ...toQueryLog(noteQuery) });
  return {
    engine: "postgres",
    db,
    pool: () => ({ limit: poolSize, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    onFault: (given) => void (fault = given),
    async close() {
      await db.destroy();
      // Kysely leaves a pool open that it never asked.
      if (!pool.ended) await pool.end();
    },
  };
}

/** Called after each attempt to reach the database. */
type Contact = {
  /** Returns the error to throw. */
  failed(error: unknown): unknown;
  answered(): void;
};

/** The same pool, without connections on which a statement was left unanswered. */
function withoutBroken(pool: Pool, contact: Contact): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw contact.failed(error);
      });
      return watchClient(client, contact);
    },
    end: () => pool.end(),
  };
}

function watchClient(client: PoolClient, contact: Contact): PostgresPoolClient {
  let fault: unknown;
  // A connection may die between two statements, when no query can get the error.
  const onError = (error: Error) => void (fault ??= contact.failed(error));
  client.on("error", onError);

  async function query(sql: string, parameters: readonly unknown[]) {
    // The next statement (a rollback) would wait behind an unanswered one.
    if (fault) throw fault;
    try {
      const result = await client.query(sql, toParameters(parameters));
      contact.answered();
      return result;
    } catch (error) {
      if (isAnswer(error)) throw error;
      const away = contact.failed(error);
      fault ??= away;
      throw away;
    }
  }
  return {
    query: query as unknown as PostgresPoolClient["query"],
    release(isDiscarded) {
      client.off("error", onError);
      client.release(fault !== undefined || isDiscarded);
    },
  };
}

/** Whether an error is PostgreSQL's answer to a statement, after which the connection can be used again. */
function isAnswer(error: unknown): boolean {
  // Appendix A, classes 08 and 57P: the connection fails, or the server or an administrator ends it.
  return error instanceof DatabaseError && !/^(?:08|57P)/.test(error.code ?? "");
}

/** Limits each transaction with its first words: at the start of a connection PgBouncer would refuse them. */
class BoundedPostgresDriver extends PostgresDriver {
  readonly #statementLimitInMs: number;

  constructor(config: PostgresDialectConfig, statementLimitInMs: number) {
    super(config);
    this.#statementLimitInMs = statementLimitInMs;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode) return super.beginTransaction(connection, settings);
    const limits = `set local statement_timeout = ${this.#statementLimitInMs}; set local idle_in_transaction_session_timeout = ${IDLE_LIMIT_IN_MS}`;
    await connection.executeQuery(CompiledQuery.raw(`begin; ${limits}`));
  }
}

/** Repeats a transaction that PostgreSQL ended for another. None of ours has effects outside the database. */
class RetryingKysely extends Kysely<Schema> {
  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction();
    const execute: typeof builder.execute = async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await super.transaction().execute(work);
        } catch (error) {
          if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
        }
      }
    };
    return Object.assign(builder, { execute });
  }
}

/** Appendix A: serialization_failure, deadlock_detected. */
function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === "40001" || error.code === "40P01");
}

function boundedDialect(config: PostgresDialectConfig, statementLimitInMs: number): Dialect {
  const createDriver = () => new BoundedPostgresDriver(config, statementLimitInMs);
  return Object.assign(new PostgresDialect(config), { createDriver });
}
