/** SQLITE_READONLY, SQLITE_IOERR and SQLITE_FULL (sqlite.org/rescode.html); more exact codes have these in their last byte. */
const sqliteFaults = new Set([8, 10, 13]);
/** `disk_full` and `read_only_sql_transaction` (PostgreSQL, appendix A). */
const postgresFaults = new Set(["53100", "25006"]);

/** Whether a database refused to write because its disk is full or takes nothing; reading may still work. */
export function isWriteFault(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number") return sqliteFaults.has(errcode & 0xff);
  return typeof code === "string" && postgresFaults.has(code);
}

/** The same error, marked as one of a database that could not be reached or stopped answering. */
export function markAway(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { isDatabaseAway: true }) : error;
}

/** Whether something failed because the database was away: it heals by itself, and the database's own log lines say how long it lasts. */
export function isAwayFault(error: unknown): boolean {
  return error instanceof Error && "isDatabaseAway" in error;
}

/** SQLite, "Result and error codes": SQLITE_CONSTRAINT_UNIQUE and, for what names a row, SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set<unknown>([2067, 1555]);
/** PostgreSQL, appendix A: unique_violation. */
const POSTGRES_UNIQUE = "23505";

/** Whether a query failed because another row has what may be there once. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
  return SQLITE_UNIQUE.has(errcode) || code === POSTGRES_UNIQUE;
}
