import { expressionBuilder, sql, type Expression, type Selectable, type SqlBool, type Updateable } from "kysely";

import type { Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { hasChanged } from "../../platform/database/changes.ts";
import type { Cursor, Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { AccountType, Schema } from "../../platform/database/schema.ts";
import { isUniqueViolation } from "../../platform/database/faults.ts";
import { hashPassword } from "./passwords.ts";
import type { Person } from "./person.ts";
import { mapProfile, type ProfileFields } from "./profile-fields.ts";
import { cleanEmail, showDomains, toEmailKey } from "../../platform/email-address.ts";
import { toTextKey } from "../../platform/text.ts";

/** For changes: locked until the transaction ends if it is from `holdMember`. */
export type Account = ProfileFields & {
  id: number;
  accountType: AccountType;
  passwordHash: string;
  /** Since when the password is off. */
  passwordOffAt: Date | undefined;
  offPasswordHash: string | undefined;
  createdAt: Date;
  /** A new address that is not proved. */
  pendingEmail: string | undefined;
  /** For an operator's change: until when the old address may object. */
  pendingUntil: Date | undefined;
  isPendingProved: boolean;
  closedEmail: string | undefined;
  eraseAt: Date | undefined;
};

export type Member = Pick<Account, "id" | "email" | "firstName" | "lastName" | "accountType">;

/** For operators and exports, without hashes of the password. */
export type MemberRecord = Omit<Account, "passwordHash" | "offPasswordHash" | "isPendingProved">;

export type NewMember = Omit<Member, "id"> & { password: string };

/** The password is hashed already. `createdAt`: now by default. */
export type AdmittedMember = Omit<Member, "id"> & { passwordHash: string; createdAt?: Date | undefined };

/** A person's orders or drafts, by account number, or by address until a new member's is completed. */
export function belongsTo({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Pick<Schema, "orders">, "orders">();
  return where.or([
    where("memberId", "=", memberId),
    where.and([where("memberId", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}

export const memberColumns = ["id", "email", "firstName", "lastName", "accountType"] as const;

export type MemberRow = Pick<Selectable<Schema["members"]>, (typeof memberColumns)[number]>;

export function toMember(row: MemberRow): Member {
  const { id, email, firstName, lastName, accountType } = row;
  return { id, email, firstName, lastName, accountType };
}

/** A provider's member who has never logged in here. */
export function toUnknownMember(id: number, email: string): Member {
  return { id, email, firstName: "", lastName: "", accountType: "individual" };
}

/** `undefined` when the address is taken. */
export async function registerMember(
  { db, clock }: Pick<Context, "db" | "clock">,
  { password, ...details }: NewMember,
): Promise<Member | undefined> {
  return admitMember({ ...details, passwordHash: await hashPassword(password) }, { now: clock(), trx: db });
}

export async function admitMember(
  details: AdmittedMember,
  { now, trx }: { now: Date; trx: Queries },
): Promise<Member | undefined> {
  const row = await trx
    .insertInto("members")
    .values({
      ...emailColumns(details.email),
      passwordHash: details.passwordHash,
      firstName: details.firstName.trim(),
      lastName: details.lastName.trim(),
      accountType: details.accountType,
      createdAt: details.createdAt ?? now,
    })
    .onConflict((conflict) => conflict.column("emailKey").doNothing())
    .returning(memberColumns)
    .executeTakeFirst();
  return row && toMember(row);
}

export function openMembers(db: Queries) {
  return db.selectFrom("members").select(memberColumns).where("eraseAt", "is", null);
}

const selectOpen = prepareQuery((db, { id }: { id: number }) => openMembers(db).where("id", "=", id));

export async function findMember(memberId: number, db: Queries): Promise<Member | undefined> {
  const [row] = await selectOpen(db, { id: memberId });
  return row && toMember(row);
}

export async function findMemberByEmail(email: string, db: Queries): Promise<Member | undefined> {
  const row = await openMembers(db).where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
  return row && toMember(row);
}

export async function findMemberWithHash(
  email: string,
  db: Queries,
): Promise<{ member: Member; passwordHash: string } | undefined> {
  const row = await openMembers(db).select("passwordHash").where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
  return row && { member: toMember(row), passwordHash: row.passwordHash };
}

/** The hash of the member at a share, from 0 to 1, of all member numbers; `undefined` without members. */
export async function findHashAt(share: number, db: Queries): Promise<string | undefined> {
  const { last } = await db
    .selectFrom("members")
    .select(({ fn }) => fn.max<number | null>("id").as("last"))
    .executeTakeFirstOrThrow();
  if (last === null) return undefined;
  const from = Math.floor(share * last) + 1;
  const rows = db.selectFrom("members").select("passwordHash").where("id", ">=", from);
  return (await rows.orderBy("id").limit(1).executeTakeFirst())?.passwordHash;
}

/** Returns whether the account still had the hash `from`. */
export function replaceHash(
  { memberId, from, to }: { memberId: number; from: string; to: string },
  db: Queries,
): Promise<boolean> {
  const change = db.updateTable("members").set({ passwordHash: to }).where("id", "=", memberId);
  return hasChanged(change.where("passwordHash", "=", from));
}

/** By `toEmailKey`; addresses without a member are left out. */
export async function findHolders(emailKeys: string[], db: Queries): Promise<Map<string, number>> {
  const found = await db.selectFrom("members").select(["id", "emailKey"]).where("emailKey", "in", emailKeys).execute();
  return new Map(found.map(({ id, emailKey: key }) => [key, id]));
}

/** The columns of a new password, which also turns it on. */
export function passwordColumns(passwordHash: string) {
  return { passwordHash, passwordOffAt: null, offPasswordHash: null };
}

export const noPending = { pendingEmail: null, pendingUntil: null, pendingProvedAt: null };

/**
 * Locks an account, open or closed, until the transaction ends. Call it before touching its codes, links and sessions,
 * so that transactions about one account wait in one order. Both engines lock by a write that changes nothing.
 */
export async function holdMember(memberId: number, trx: Queries): Promise<Account | undefined> {
  const row = await trx
    .updateTable("members")
    .set((column) => ({ pendingEmail: column.ref("pendingEmail") }))
    .where("id", "=", memberId)
    .returningAll()
    .executeTakeFirst();
  return row && toAccount(row);
}

export async function holdOpenMember(memberId: number, trx: Queries): Promise<Account | undefined> {
  const held = await holdMember(memberId, trx);
  return held?.eraseAt === undefined ? held : undefined;
}

export async function holdByEmail(
  email: string,
  trx: Queries,
): Promise<{ member: Member; passwordHash: string } | undefined> {
  const member = await findMemberByEmail(email, trx);
  const held = member && (await holdOpenMember(member.id, trx));
  return held && { member, passwordHash: held.passwordHash };
}

/** With `dueBy`: only an account that its owner has closed and that is due. Returns whether it did. */
export function eraseMember({ memberId, dueBy }: { memberId: number; dueBy?: Date }, trx: Queries): Promise<boolean> {
  const account = trx.deleteFrom("members").where("id", "=", memberId);
  return hasChanged(dueBy === undefined ? account : account.where("eraseAt", "<=", dueBy));
}

export async function findAccount(memberId: number, db: Queries): Promise<Account | undefined> {
  const [row] = await selectAccount(db, { memberId });
  return row && toAccount(row);
}

const selectAccount = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("members").selectAll().where("id", "=", memberId),
);

export async function changeHeld(
  { id }: Account,
  { columns, trx }: { columns: Updateable<Schema["members"]>; trx: Queries },
): Promise<void> {
  await trx.updateTable("members").set(columns).where("id", "=", id).execute();
}

export function emailColumns(email: string) {
  return { email: cleanEmail(email), emailKey: toEmailKey(email) };
}

/** Rolls back a transaction: another account has the address. */
class AddressTaken extends Error {}

/** @throws {AddressTaken} when an account other than `held` has the address. */
export async function requireFree(email: string, { held, trx }: { held: Account; trx: Queries }): Promise<void> {
  const others = trx.selectFrom("members").select("id").where("emailKey", "=", toEmailKey(email));
  if (await others.where("id", "!=", held.id).executeTakeFirst()) throw new AddressTaken();
}

/**
 * `taken` when another account has the address. Two accounts that take it at once do not see each other: the second
 * fails on the unique key.
 */
export async function unlessTaken<Answer, Taken>(work: Promise<Answer>, taken: Taken): Promise<Answer | Taken> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AddressTaken || isUniqueViolation(error)) return taken;
    throw error;
  }
}

export function toAccount(row: Selectable<Schema["members"]>): Account {
  return {
    ...toMember(row),
    ...mapProfile((field) => row[field]),
    passwordHash: row.passwordHash,
    passwordOffAt: row.passwordOffAt ?? undefined,
    offPasswordHash: row.offPasswordHash ?? undefined,
    createdAt: row.createdAt,
    pendingEmail: row.pendingEmail ?? undefined,
    pendingUntil: row.pendingUntil ?? undefined,
    isPendingProved: row.pendingProvedAt !== null,
    closedEmail: row.closedEmail ?? undefined,
    eraseAt: row.eraseAt ?? undefined,
  };
}

/** `search`: part of a name or an address. Pages count from 1. */
export type MembersFilter = { search?: string | undefined; page: number; size: number };

export type MembersPage = { members: MemberRecord[]; total: number };

/** The newest first. */
export async function listMembers({ search = "", page, size }: MembersFilter, db: Queries): Promise<MembersPage> {
  const found = findMatching(db, search);
  const rows = await found
    .selectAll()
    .orderBy("id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { members: rows.map(toRecord), total };
}

function findMatching(db: Queries, search: string) {
  if (search === "") return db.selectFrom("members");
  const small = toPattern(toTextKey(showDomains(search)));
  const name = sql<string>`first_name || ' ' || last_name`;
  return db.selectFrom("members").where((where) =>
    where.or([
      where("emailKey", "like", sql<string>`${small} escape '!'`),
      where(sql<string>`lower(${name})`, "like", sql<string>`${small} escape '!'`),
      // As typed too: an engine may lower-case ASCII only.
      where(name, "like", sql<string>`${toPattern(search.trim())} escape '!'`),
    ]),
  );
}

/** Anywhere in a text; wildcards are escaped. */
function toPattern(search: string): string {
  return `%${search.replace(/[!%_]/g, "!$&")}%`;
}

export type OpenMember = Member & { passwordHash: string; createdAt: Date };

/** Without closed accounts, ordered by number. */
export async function listOpenMembers(
  { after, size }: { after: number; size: number },
  db: Queries,
): Promise<OpenMember[]> {
  const rows = await openMembers(db)
    .select(["passwordHash", "createdAt"])
    .where("id", ">", after)
    .orderBy("id")
    .limit(size)
    .execute();
  return rows.map(({ passwordHash, createdAt, ...row }) => Object.assign(toMember(row), { passwordHash, createdAt }));
}

/** `members_by_creation` is the index. */
export async function countCreated({ from, to }: Span, db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom("members")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("createdAt", ">=", from)
    .where("createdAt", "<", to)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findRecord(memberId: number, db: Queries): Promise<MemberRecord | undefined> {
  const [row] = await selectAccount(db, { memberId });
  return row && toRecord(row);
}

export async function findRecords(memberIds: number[], db: Queries): Promise<Map<number, MemberRecord>> {
  if (memberIds.length === 0) return new Map();
  const rows = await db.selectFrom("members").selectAll().where("id", "in", memberIds).execute();
  return new Map(rows.map((row) => [row.id, toRecord(row)]));
}

export async function setAccountType(
  { memberId, accountType }: { memberId: number; accountType: AccountType },
  trx: Queries,
): Promise<void> {
  await trx.updateTable("members").set({ accountType }).where("id", "=", memberId).execute();
}

export type ClosedPage = { after?: Cursor | undefined; limit: number };

/** `members_by_erasure` is the index. */
export async function listClosed({ after, limit }: ClosedPage, db: Queries) {
  let closed = db.selectFrom("members").select(["id", "eraseAt"]).where("eraseAt", "is not", null);
  if (after) closed = closed.where(sql<boolean>`(erase_at, id) > (${after.at}, ${after.id})`);
  const rows = await closed.orderBy("eraseAt").orderBy("id").limit(limit).execute();
  return rows.flatMap(({ id, eraseAt }) => (eraseAt ? [{ id, memberId: id, at: eraseAt }] : []));
}

export function toRecord(row: Selectable<Schema["members"]>): MemberRecord {
  const { passwordHash: _hash, offPasswordHash: _offHash, isPendingProved: _isProved, ...record } = toAccount(row);
  return record;
}
