import type { Kysely } from "kysely";

import type { LastingFault } from "../log.ts";
import type { Schema } from "./schema.ts";

export type Engine = "sqlite" | "postgres";

/** The database itself or a transaction of it: queries run on either. */
export type Queries = Kysely<Schema>;

/** Told of each statement once it is over. */
export type NoteQuery = (query: { sql: string; seconds: number; isWell: boolean }) => void;

/** The connections of one process, and the statements that wait for one. */
export type DatabasePool = { limit: number; open: number; idle: number; waiting: number };

/** One open database with the current schema. */
export type Database = {
  engine: Engine;
  db: Queries;
  /** Where it is, if it is a file. */
  path?: string;
  /** Whether the disk of a file takes writes again after it refused one; true where it refused none. */
  canWrite?: () => boolean;
  /** Of a database on a server. */
  pool?: () => DatabasePool;
  /** The log in which a database on a server reports that it is away, and that it is back. */
  onFault?: (fault: LastingFault) => void;
  /** The loss of a file that was removed, replaced or cut off since it was opened; nothing is written to it any more. */
  findLoss?: () => string | undefined;
  close(): Promise<void>;
};

/** A row in the order of a list, by which the next page begins. It stays a place when the row has left the list. */
export type Cursor = { at: Date; id: number };

/** The highest number that a row can have: its column is an `integer` in PostgreSQL. */
export const MAX_ID = 2 ** 31 - 1;
