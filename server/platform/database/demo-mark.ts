import { sql } from "kysely";

import { systemClock } from "../clock.ts";
import type { Config } from "../../config.ts";
import { describeOwnTables } from "./backup-tables.ts";
import type { Database, Queries } from "./database.ts";
import { openDatabase, toPlace } from "./open-database.ts";
import { SchemaError } from "./rules.ts";

/*
 * The mark of a database that a demo has begun: a row, so that it goes with the data into backups and into a PostgreSQL. Everybody knows
 * the passwords of a demo, so production refuses such a database; and commands of a demo move its clock, which may end or erase what
 * belongs to members, so a demo refuses every other one.
 */

const MARK = "demo";

/** Whether a demo has begun the database. */
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

/**
 * Refuses a demo's database to production, and production's to a demo. A demo marks an empty one.
 * @throws {SchemaError} with a sentence for operators.
 */
export async function requireOwn(
  { db, engine }: Pick<Database, "db" | "engine">,
  { isDemo, database }: Pick<Config, "isDemo" | "database">,
): Promise<void> {
  const isMarked = await isDemoDatabase(db);
  if (isMarked && !isDemo) throw new SchemaError(demoText(toPlace(database)));
  if (isMarked || !isDemo) return;
  // Two processes may begin together: the second waits for the first.
  if ((await listFilled({ db, engine })).length > 0 && !(await isDemoDatabase(db)))
    throw new SchemaError(realText(toPlace(database)));
  const mark = { id: MARK, kind: MARK, idempotencyKey: null, parent: null, body: "{}", createdAt: systemClock() };
  await db
    .insertInto("demoObjects")
    .values(mark)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/**
 * Opens the database of these settings, which a demo or production owns.
 * @throws {SchemaError} where the other one does.
 */
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

function demoText(place: string): string {
  return `The database was begun by a demo, whose passwords and codes everybody knows (${place}): name an empty one by DATA_DIR or DATABASE_URL. With DEMO=true, \`export members\` takes along who has joined there`;
}

function realText(place: string): string {
  return `DEMO=true, but no demo has begun the database (${place}), so it may be that of your members: leave DEMO out, or name another DATA_DIR or DATABASE_URL (a demo of an older version in data/demo begins again with \`npm run demo -- --fresh\`)`;
}
