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
