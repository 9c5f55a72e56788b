import { sql } from "kysely";

import type { Database, Engine, Queries } from "./database.ts";
import { membersAndSessions } from "./migrations/0001-members-and-sessions.ts";
import { favourites } from "./migrations/0002-favourites.ts";
import { mail } from "./migrations/0003-mail.ts";
import { challenges } from "./migrations/0004-challenges.ts";
import { codes } from "./migrations/0005-codes.ts";
import { signUpAndPayments } from "./migrations/0006-sign-up-and-payments.ts";
import { operators } from "./migrations/0007-operators.ts";
import { demoGateways } from "./migrations/0008-demo-gateways.ts";
import { myAccount } from "./migrations/0009-my-account.ts";
import { disputes } from "./migrations/0010-disputes.ts";
import { noticeCursors } from "./migrations/0011-notice-cursors.ts";
import { seatEnds } from "./migrations/0012-seat-ends.ts";
import { providerTokens } from "./migrations/0013-provider-tokens.ts";
import { providerSignUp } from "./migrations/0014-provider-sign-up.ts";
import { sweeps } from "./migrations/0015-sweeps.ts";
import { plansOutsideTheSchema } from "./migrations/0016-plans-outside-the-schema.ts";
import { letterFailures } from "./migrations/0017-letter-failures.ts";
import { positions } from "./migrations/0018-positions.ts";
import { desk } from "./migrations/0019-desk.ts";
import { memberSearch } from "./migrations/0020-member-search.ts";
import { companyPage } from "./migrations/0021-company-page.ts";
import { figures } from "./migrations/0022-figures.ts";
import { addressHolds } from "./migrations/0023-address-holds.ts";
import type { Migration } from "./migration.ts";

const migrations: Migration[] = [
  membersAndSessions,
  favourites,
  mail,
  challenges,
  codes,
  signUpAndPayments,
  operators,
  demoGateways,
  myAccount,
  disputes,
  noticeCursors,
  seatEnds,
  providerTokens,
  providerSignUp,
  sweeps,
  plansOutsideTheSchema,
  letterFailures,
  positions,
  desk,
  memberSearch,
  companyPage,
  figures,
  addressHolds,
];

/** Any number, the same in every process: PostgreSQL's advisory locks are named by one. */
const ADVISORY_LOCK = 7_073_001;

/**
 * Runs the migrations that this database has not had, all in one transaction. Processes that start together
 * wait for one another: SQLite by `begin immediate`, PostgreSQL by an advisory lock.
 */
export async function migrate({ db, engine }: Database): Promise<void> {
  await db.transaction().execute((trx) => runMigrations({ engine }, trx));
}

/**
 * The same within a caller's transaction. `only` names the migrations to stop at: those of an older installation whose rows are
 * about to be put in.
 * @throws when the database, or `only`, has one that this version does not know.
 */
export async function runMigrations(
  { engine, only }: { engine: Engine; only?: string[] | undefined },
  trx: Queries,
): Promise<void> {
  if (engine === "postgres") await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
  const applied = await readApplied(trx);
  refuseUnknown(only ?? []);
  for (const migration of migrations) {
    if (applied.has(migration.name) || only?.includes(migration.name) === false) continue;
    await migration.up(trx, engine);
    const now = new Date().toISOString();
    await sql`insert into migrations (name, applied_at) values (${migration.name}, ${now})`.execute(trx);
  }
}

/**
 * The migrations that a database has had; none, if it is new.
 * @throws when it has one that this version does not know.
 */
export async function readApplied(trx: Queries): Promise<Set<string>> {
  await sql`create table if not exists migrations (name text primary key, applied_at text not null)`.execute(trx);
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(trx);
  const applied = rows.map(({ name }) => name);
  refuseUnknown(applied);
  return new Set(applied);
}

function refuseUnknown(names: string[]): void {
  const unknown = names.filter((name) => !migrations.some((each) => each.name === name));
  if (unknown.length === 0) return;
  throw new Error(`The database was made by a newer version (it has ${unknown.join(", ")}): start that version`);
}
