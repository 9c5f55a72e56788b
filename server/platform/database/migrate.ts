import { sql } from "kysely";

import type { Database, Engine, Queries } from "./database.ts";
import type { Migration } from "./migration.ts";
import { firstSchema } from "./migrations/0001-first-schema.ts";
import { plainNames } from "./migrations/0001-plain-names.ts";
import { nights } from "./migrations/0002-nights.ts";
import { newsletters } from "./migrations/0003-newsletters.ts";
import { notes } from "./migrations/0004-notes.ts";
import { waivedOrders } from "./migrations/0005-waived-orders.ts";
import { partRefunds } from "./migrations/0006-part-refunds.ts";
import { lists } from "./migrations/0007-lists.ts";
import { nextContracts } from "./migrations/0008-next-contracts.ts";
import { cardDigits } from "./migrations/0009-card-digits.ts";
import { broughtMembers } from "./migrations/0010-brought-members.ts";
import { memberFiles } from "./migrations/0011-member-files.ts";
import { growth } from "./migrations/0012-growth.ts";
import { importProgress } from "./migrations/0013-import-progress.ts";
import { domainsInLetters } from "./migrations/0014-domains-in-letters.ts";
import { anyKind } from "./migrations/0015-any-kind.ts";
import { passkeys } from "./migrations/0016-passkeys.ts";
import { auditFilters } from "./migrations/0017-audit-filters.ts";
import { gifts } from "./migrations/0018-gifts.ts";
import { freshLogIns } from "./migrations/0019-fresh-log-ins.ts";
import { passwordSwitch } from "./migrations/0020-password-switch.ts";
import { SchemaError } from "./faults.ts";

/**
 * In the order in which they run. A released one is never edited, renamed or removed: databases have its name, and
 * `tests/upgrade.test.ts` has its digest. The names come before everything that uses them.
 */
export const migrations: Migration[] = [
  firstSchema,
  plainNames,
  nights,
  newsletters,
  notes,
  waivedOrders,
  partRefunds,
  lists,
  nextContracts,
  cardDigits,
  broughtMembers,
  memberFiles,
  growth,
  importProgress,
  domainsInLetters,
  anyKind,
  passkeys,
  auditFilters,
  gifts,
  freshLogIns,
  passwordSwitch,
];

/** Any number that is the same in every process: it names PostgreSQL's advisory lock. */
const ADVISORY_LOCK = 7_073_001;

/**
 * The tables that other servers write to meanwhile, each before those that it refers to, and emails last: statements
 * lock them in this order too. In another order PostgreSQL would end the migration as a deadlock.
 */
const LOCK_BUSY_TABLES = "lock table subscriptions, payments, orders, members, emails in share row exclusive mode";

/**
 * All missing migrations are one transaction. Processes wait for one another: `begin immediate` or an advisory lock.
 */
export async function migrate({ db, engine }: Database): Promise<void> {
  await db.transaction().execute((trx) => runMigrations({ engine }, trx));
}

/**
 * The same within a caller's transaction. `only` names the migrations of a backup whose rows are about to be put in.
 * @throws {SchemaError} when the database, or the backup, has a migration that this version does not know.
 */
export async function runMigrations(
  { engine, only }: { engine: Engine; only?: string[] | undefined },
  trx: Queries,
): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
  const applied = await prepareApplied(trx);
  refuseUnknown(only ?? [], "backup");
  const wanted = migrations.filter(({ name }) => !applied.includes(name) && (!only || isIn(only, name)));
  // Servers of 1.0.0, whose tables have other names, are stopped for their upgrade.
  const areNamed = applied.includes(plainNames.name);
  if (engine === "postgres" && wanted.length > 0 && areNamed) await sql.raw(LOCK_BUSY_TABLES).execute(trx);
  for (const migration of wanted) {
    await migration.up(trx, engine);
    const now = new Date().toISOString();
    await sql`insert into migrations (name, applied_at) values (${migration.name}, ${now})`.execute(trx);
  }
}

/** Whether a backup has had a migration. Unreleased versions after 1.0.0 had the names without one of their own. */
function isIn(backup: string[], name: string): boolean {
  return backup.includes(name) || (name === plainNames.name && backup.length > 1);
}

/** Empty for a new database. @throws {SchemaError} when it has a migration that this version does not know. */
export async function prepareApplied(trx: Queries): Promise<string[]> {
  await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(trx);
  return readApplied(trx);
}

/** Of a database that is not new. @throws {SchemaError} when it has a migration that this version does not know. */
export async function readApplied(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  const applied = rows.map(({ name }) => name);
  refuseUnknown(applied, "database");
  return applied;
}

const BEFORE_1_0_0 = "0001-members-and-sessions";

function refuseUnknown(names: string[], owner: "database" | "backup"): void {
  if (names.includes(BEFORE_1_0_0)) {
    throw new SchemaError(
      owner === "database"
        ? "The database is older than version 1.0.0, so we can't use its data: back it up with the version that made it, and start with an empty database (move its file away, or set another DATABASE_URL)"
        : "The backup is older than version 1.0.0: only the version that made it can restore it",
    );
  }
  const unknown = names.filter((name) => !migrations.some((each) => each.name === name));
  if (unknown.length === 0) return;
  throw new SchemaError(`The ${owner} was made by a newer version (it has ${unknown.join(", ")}): start that version`);
}
