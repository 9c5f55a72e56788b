import type { Engine, Queries } from "./database.ts";

/** One step of the schema. It runs inside a transaction, once, and is never edited after a release. */
export type Migration = { name: string; up(db: Queries, engine: Engine): Promise<void> };

/** A new table numbered by the engine: `integer primary key autoincrement`, or an identity column on PostgreSQL. */
export function tableWithId(db: Queries, engine: Engine, name: string) {
  return db.schema
    .createTable(name)
    .addColumn("id", "integer", (column) =>
      engine === "sqlite" ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    );
}
