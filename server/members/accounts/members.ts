import { expressionBuilder, sql, type Expression, type Selectable, type SqlBool, type Updateable } from "kysely";

import type { Span } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import type { Cursor, Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { AccountType, Schema } from "../../platform/database/schema.ts";
import { isUniqueViolation } from "../../platform/database/rules.ts";
import { hashPassword } from "./passwords.ts";
import { cleanEmail, showDomains, toEmailKey } from "../../platform/email-address.ts";
import { toTextKey } from "../../platform/text.ts";

/** The table `members`. */

/** An account, as its own changes see it: locked until the transaction ends where `holdMember` answered it. */
export type Account = {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  accountType: AccountType;
  passwordHash: string;
  createdAt: Date;
  /** A new address that does not count yet. */
  pendingEmail: string | undefined;
  /** Until when the old address may object to a change that an operator asked for; none for the member's own changes. */
  pendingUntil: Date | undefined;
  isPendingProved: boolean;
  /** The address of an account that its owner has closed, and when it is erased. */
  closedEmail: string | undefined;
  eraseAt: Date | undefined;
};

export type Member = Pick<Account, "id" | "email" | "firstName" | "lastName" | "accountType">;

/** A stored account, except for the hash of the password: for operators and exports. */
export type MemberRecord = Omit<Account, "passwordHash" | "isPendingProved">;

export type NewMember = Omit<Member, "id"> & { password: string };

/** A new member whose password is hashed already. `createdAt`: since when they are one, if not since now. */
export type AdmittedMember = Omit<Member, "id"> & { passwordHash: string; createdAt?: Date | undefined };

/** A member as other modules have recorded them: by id, and by address in rows from before there was an id. */
export type Person = { memberId: number; email: string };

/**
 * A person's orders or drafts. One about an account has its number from the start, any other once it is completed; until then the
 * address identifies it.
 */
export function belongsTo({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Pick<Schema, "orders">, "orders">();
  return where.or([
    where("memberId", "=", memberId),
    where.and([where("memberId", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}

/** The fields that members write about themselves. */
export const nameColumns = ["firstName", "lastName"] as const;

export const noNames = { firstName: "", lastName: "" } satisfies Record<(typeof nameColumns)[number], string>;

export const memberColumns = ["id", "email", ...nameColumns, "accountType"] as const;

export type MemberRow = Pick<Selectable<Schema["members"]>, (typeof memberColumns)[number]>;

export function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    accountType: row.accountType,
  };
}

/** A provider's member who has never logged in here: nothing but the number and the address is known. */
export function toUnknownMember(id: number, email: string): Member {
  return { id, email, ...noNames, accountType: "individual" };
}

/** Adds a member; `undefined` when the address is taken. */
export async function registerMember(
  { db, clock }: Pick<Context, "db" | "clock">,
  { password, ...details }: NewMember,
): Promise<Member | undefined> {
  return admitMember({ ...details, passwordHash: await hashPassword(password) }, { now: clock(), trx: db });
}

/** The same as part of a transaction. */
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

/** Members whose accounts are not closed. */
function openMembers(db: Queries) {
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

/** The same with the hash of the password. */
export async function findMemberWithHash(
  email: string,
  db: Queries,
): Promise<{ member: Member; passwordHash: string } | undefined> {
  const row = await openMembers(db).select("passwordHash").where("emailKey", "=", toEmailKey(email)).executeTakeFirst();
  return row && { member: toMember(row), passwordHash: row.passwordHash };
}

/** The stored hash of the member who comes at a share of the way, from 0 to 1, through the numbers of all; none without members. */
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

/** Puts another hash of the same password in the place of one; answers whether that was still there. */
export async function replaceHash(
  { memberId, from, to }: { memberId: number; from: string; to: string },
  db: Queries,
): Promise<boolean> {
  const change = db.updateTable("members").set({ passwordHash: to }).where("id", "=", memberId);
  return (await change.where("passwordHash", "=", from).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Which member has each of these addresses (`toEmailKey`) now; addresses without a member are left out. */
export async function findHolders(emailKeys: string[], db: Queries): Promise<Map<string, number>> {
  const found = await db.selectFrom("members").select(["id", "emailKey"]).where("emailKey", "in", emailKeys).execute();
  return new Map(found.map(({ id, emailKey: key }) => [key, id]));
}

/** The columns of an account without a pending address. */
export const noPending = { pendingEmail: null, pendingUntil: null, pendingProvedAt: null };

/**
 * Locks an account, open or closed, until the transaction ends. Call it first in a transaction, before the account's codes, links and
 * sessions are touched, so that two transactions about one account wait for each other in one order. A write that changes nothing is
 * the lock that both engines have.
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

/** The same, if its owner has not closed it. */
export async function holdOpenMember(memberId: number, trx: Queries): Promise<Account | undefined> {
  const held = await holdMember(memberId, trx);
  return held?.eraseAt === undefined ? held : undefined;
}

/** The same by the address. */
export async function holdByEmail(
  email: string,
  trx: Queries,
): Promise<{ member: Member; passwordHash: string } | undefined> {
  const member = await findMemberByEmail(email, trx);
  const held = member && (await holdOpenMember(member.id, trx));
  return held && { member, passwordHash: held.passwordHash };
}

/** Deletes an account; with `dueBy` only if its owner has closed it and its erasure is due. Answers whether it did. */
export async function eraseMember(
  { memberId, dueBy }: { memberId: number; dueBy?: Date },
  trx: Queries,
): Promise<boolean> {
  const account = trx.deleteFrom("members").where("id", "=", memberId);
  const due = dueBy === undefined ? account : account.where("eraseAt", "<=", dueBy);
  return (await due.executeTakeFirst()).numDeletedRows > 0n;
}

/** The account as it is now, without a lock. */
export async function findAccount(memberId: number, db: Queries): Promise<Account | undefined> {
  const [row] = await selectAccount(db, { memberId });
  return row && toAccount(row);
}

const selectAccount = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("members").selectAll().where("id", "=", memberId),
);

/** Changes an account that is locked. */
export async function changeHeld(
  { id }: Account,
  { columns, trx }: { columns: Updateable<Schema["members"]>; trx: Queries },
): Promise<void> {
  await trx.updateTable("members").set(columns).where("id", "=", id).execute();
}

/** The address a member logs in with and gets emails at. */
export function emailColumns(email: string) {
  return { email: cleanEmail(email), emailKey: toEmailKey(email) };
}

/** Thrown to roll back a transaction: another account has the address. */
class AddressTaken extends Error {}

/** @throws {AddressTaken} when an account other than `held` has the address. */
export async function requireFree(email: string, { held, trx }: { held: Account; trx: Queries }): Promise<void> {
  const others = trx.selectFrom("members").select("id").where("emailKey", "=", toEmailKey(email));
  if (await others.where("id", "!=", held.id).executeTakeFirst()) throw new AddressTaken();
}

/**
 * The answer of a transaction, or `taken` when it failed because another account has the address. Of two accounts that take one at the
 * same moment neither sees the other: the second fails on the unique key.
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
    passwordHash: row.passwordHash,
    createdAt: row.createdAt,
    pendingEmail: row.pendingEmail ?? undefined,
    pendingUntil: row.pendingUntil ?? undefined,
    isPendingProved: row.pendingProvedAt !== null,
    closedEmail: row.closedEmail ?? undefined,
    eraseAt: row.eraseAt ?? undefined,
  };
}

/** `search` is part of a name or an address. Pages are counted from 1. */
export type MembersFilter = { search?: string | undefined; page: number; size: number };

export type MembersPage = { members: MemberRecord[]; total: number };

/** One page of all members, the newest first. */
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
      // As typed too: an engine may lower-case ASCII letters only.
      where(name, "like", sql<string>`${toPattern(search.trim())} escape '!'`),
    ]),
  );
}

/** Anywhere in a text; the wildcards of `like` count as themselves. */
function toPattern(search: string): string {
  return `%${search.replace(/[!%_]/g, "!$&")}%`;
}

export type OpenMember = Member & { passwordHash: string; createdAt: Date };

/** The members behind a number whose accounts are not closed, by their numbers. */
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

/** Found by `members_by_creation`. */
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
  const row = await db.selectFrom("members").selectAll().where("id", "=", memberId).executeTakeFirst();
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

/** `after`: the last row of the page before. */
export type ClosedPage = { after?: Cursor | undefined; limit: number };

/** The closed accounts (`Accounts.listClosed`); `members_by_erasure` is the index. */
export async function listClosed({ after, limit }: ClosedPage, db: Queries) {
  let closed = db.selectFrom("members").select(["id", "eraseAt"]).where("eraseAt", "is not", null);
  if (after) closed = closed.where(sql<boolean>`(erase_at, id) > (${after.at}, ${after.id})`);
  const rows = await closed.orderBy("eraseAt").orderBy("id").limit(limit).execute();
  return rows.flatMap(({ id, eraseAt }) => (eraseAt ? [{ id, memberId: id, at: eraseAt }] : []));
}

export function toRecord(row: Selectable<Schema["members"]>): MemberRecord {
  const { passwordHash: _hash, isPendingProved: _isProved, ...record } = toAccount(row);
  return record;
}
