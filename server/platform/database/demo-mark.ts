import { sql } from "kysely";

import { systemClock } from "../clock.ts";
import type { Config } from "../../config.ts";
import { describeOwnTables } from "./backup-tables.ts";
import type { Database, Queries } from "./database.ts";
import { openDatabase, toLocation } from "./open-database.ts";
import { SchemaError } from "./faults.ts";

/* The mark of a demo's database: a row, so it is part of backups and of a move to PostgreSQL. The passwords of a
   demo are public, so production refuses such a database. Commands of a demo move its clock, which may erase members'
   data, so a demo refuses every other database. */

const MARK = "demo";

export async function isDemoDatabase(db: Queries): Promise<boolean> {
  const row = await db.selectFrom("demoObjects").select("id").where("id", "=", MARK).executeTakeFirst();
  return row !== undefined;
}

/** The tables of a database that hold anything but the mark. */
export async function listFilled({ db, engine }: Pick<Database, "db" | "engine">): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await describeOwnTables({ db, engine })) {
    const others = name === "demo_objects" ? sql`where id <> ${MARK}` : sql``;
    const { rows } = await sql`select 1 from ${sql.table(name)} ${others} limit 1`.execute(db);
    if (rows.length > 0) filled.push(name);
  }
  return filled;
}

/** A demo marks an empty database. @throws {SchemaError} with a sentence for operators. */
export async function requireOwn(
  { db, engine }: Pick<Database, "db" | "engine">,
  { isDemo, database }: Pick<Config, "isDemo" | "database">,
): Promise<void> {
  const isMarked = await isDemoDatabase(db);
  if (isMarked && !isDemo) throw new SchemaError(demoText(toLocation(database)));
  if (isMarked || !isDemo) return;
  // Two processes may begin together: the second waits for the first.
  if ((await listFilled({ db, engine })).length > 0 && !(await isDemoDatabase(db)))
    throw new SchemaError(realText(toLocation(database)));
  const mark = { id: MARK, kind: MARK, idempotencyKey: null, parent: null, body: "{}", createdAt: systemClock() };
  await db
    .insertInto("demoObjects")
    .values(mark)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** @throws {SchemaError} where a demo owns the database and these settings are production's, or the reverse. */
export async function openOwnDatabase(
  config: Pick<Config, "isDemo" | "database">,
  ...more: [Parameters<typeof openDatabase>[1]?]
): Promise<Database> {
  const database = await openDatabase(config.database, ...more);
  try {
    await requireOwn(database, config);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function demoText(location: string): string {
  return `A demo made this database, and everyone knows its passwords and codes (${location}): use an empty one, by DATA_DIR or DATABASE_URL. With DEMO=true, \`export members\` takes along those who have joined there`;
}

function realText(location: string): string {
  return `DEMO=true, but no demo made this database (${location}), so it may hold your members: leave DEMO out, or use another DATA_DIR or DATABASE_URL (to start afresh from an older version's demo in data/demo, run \`npm run demo -- --fresh\`)`;
}
