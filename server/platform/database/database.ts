import type { Kysely } from "kysely";

import type { LastingFault } from "../log.ts";
import type { Schema } from "./schema.ts";

export type Engine = "sqlite" | "postgres";

/** The database itself or a transaction of it: queries run on either. */
export type Queries = Kysely<Schema>;

export type NoteQuery = (query: { sql: string; seconds: number; isWell: boolean }) => void;

/** The connections of one process, and the number of statements that wait for one. */
export type DatabasePool = { limit: number; open: number; idle: number; waiting: number };

export type Database = {
  engine: Engine;
  db: Queries;
  path?: string;
  /** Whether the disk of a file takes writes again after it refused one; true where it refused none. */
  canWrite?: () => boolean;
  /** Only of a database on a server. */
  pool?: () => DatabasePool;
  /** The log in which a database on a server reports that it is away, and that it is back. */
  onFault?: (fault: LastingFault) => void;
  /** The loss of a file that was removed, replaced or cut off while it was open; later writes are refused. */
  findLoss?: () => string | undefined;
  close(): Promise<void>;
};

/** The last row of a page, after which the next page begins. It stays valid when the row has left the list. */
export type Cursor = { at: Date; id: number };

/** Columns of ids are `integer` in PostgreSQL. */
export const MAX_ID = 2 ** 31 - 1;
