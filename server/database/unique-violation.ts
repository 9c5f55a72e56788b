/** SQLite, "Result and error codes": SQLITE_CONSTRAINT_UNIQUE. */
const SQLITE_UNIQUE = 2067;
/** PostgreSQL, appendix A: unique_violation. */
const POSTGRES_UNIQUE = "23505";

/** Whether a query failed because another row has what may be there once. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
  return errcode === SQLITE_UNIQUE || code === POSTGRES_UNIQUE;
}
