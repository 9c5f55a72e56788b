import type { Engine, Queries } from "./database.ts";

/** One step of the schema. It runs inside a transaction, once, and is never edited after a release. */
export type Migration = { name: string; up(db: Queries, engine: Engine): Promise<void> };
