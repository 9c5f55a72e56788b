/** Why a database could not answer for now. Where it `cannot-write`, reading may still work. */
export type Unavailability = "away" | "busy" | "cannot-write";

/**
 * SQLite, "Result and error codes"; extended codes have these in their last byte. BUSY and LOCKED; READONLY, IOERR and
 * FULL; CORRUPT, CANTOPEN and NOTADB, which a file gives that was lost while it was open.
 */
const sqliteCodes: Record<Unavailability, Set<number>> = {
  busy: new Set([5, 6]),
  "cannot-write": new Set([8, 10, 13]),
  away: new Set([11, 14, 26]),
};

/** PostgreSQL, appendix A. `markAway` marks the errors of a database that could not be reached. */
const postgresCodes = {
  /** `disk_full`, `read_only_sql_transaction`. */
  "cannot-write": /^(?:53100|25006)$/,
  /** Insufficient resources; a time limit of ours (query_canceled, lock_not_available, idle transaction); deadlock. */
  busy: /^(?:53\w{3}|57014|55P03|25P03|40001|40P01)$/,
};

/** A file that exists and cannot be used, or is lost: `SqliteFileError`. */
export const SQLITE_FILE_ERROR = "ERR_SQLITE_FILE";

/** Why the database failed, if it was the cause and may recover soon; `undefined` for every other error. */
export function findUnavailability(error: unknown): Unavailability | undefined {
  if (isAwayFault(error)) return "away";
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number") {
    return (["away", "busy", "cannot-write"] as const).find((each) => sqliteCodes[each].has(errcode & 0xff));
  }
  if (code === SQLITE_FILE_ERROR) return "away";
  if (typeof code !== "string") return undefined;
  return (["cannot-write", "busy"] as const).find((each) => postgresCodes[each].test(code));
}

/** Whether a database refused to write because its disk is full or takes nothing; reading may still work. */
export function isWriteFault(error: unknown): boolean {
  return findUnavailability(error) === "cannot-write";
}

/** Marks an error as one of a database that could not be reached or stopped answering. */
export function markAway(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { isDatabaseAway: true }) : error;
}

/** Whether the database was away: it recovers without help, and the database module logs how long that takes. */
export function isAwayFault(error: unknown): boolean {
  return error instanceof Error && "isDatabaseAway" in error;
}

/** A brief absence of the database is a warning; the database module logs a long one. */
export function levelOfFault(error: unknown): "warn" | "error" {
  return isAwayFault(error) || findUnavailability(error) === "busy" ? "warn" : "error";
}

/** SQLite, "Result and error codes": SQLITE_CONSTRAINT_UNIQUE and, for what names a row, SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set<unknown>([2067, 1555]);
/** PostgreSQL, appendix A: unique_violation. */
const POSTGRES_UNIQUE = "23505";

export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode, code } = error as Error & { errcode?: unknown; code?: unknown };
  return SQLITE_UNIQUE.has(errcode) || code === POSTGRES_UNIQUE;
}

/** A schema that this version cannot use. The message is a sentence for operators, without its full stop. */
export class SchemaError extends Error {
  override name = "SchemaError";
  /** Shows the start that the cause is outside of the program. */
  readonly code = "ERR_SCHEMA";
}
