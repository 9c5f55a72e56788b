import type { Kysely } from "kysely";

import type { LastingFault } from "../log.ts";
import type { Schema } from "./schema.ts";

export type Engine = "sqlite" | "postgres";

/** What queries run on: the database itself or a transaction of it. */
export type Queries = Kysely<Schema>;

/** One open database with the current schema. */
export type Database = {
  engine: Engine;
  db: Queries;
  /** Where it is, if it is a file. */
  path?: string;
  /** Whether the disk of a file takes writes again after it refused one; true where it refused none. */
  canWrite?: () => boolean;
  /** Where a database on a server tells that it is away, and that it is back. */
  tellFaultsTo?: (fault: LastingFault) => void;
  /** What has become of a file that was removed, replaced or cut off since it was opened; nothing is written to it any more. */
  findLoss?: () => string | undefined;
  close(): Promise<void>;
};

/** The highest number that a row can have: its column is an `integer` in PostgreSQL. */
export const MAX_ID = 2 ** 31 - 1;
