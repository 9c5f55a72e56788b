import { sql } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType } from "../database/schema.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { toEmailKey } from "./rules.ts";

/** Who members are. */
export type Accounts = {
  findMember(memberId: number, on?: Queries): Promise<Member | undefined>;
  findByEmail(email: string): Promise<Member | undefined>;
  /** The member with this address and password; takes the same time when there is none. */
  findMemberByPassword(email: string, password: string): Promise<Member | undefined>;
  /** Adds a member; `undefined` when the address is taken. */
  register(details: NewMember): Promise<Member | undefined>;
  /** The same as part of a transaction, with a password that is hashed already. */
  admit(details: Omit<Member, "id"> & { passwordHash: string }, trx: Queries): Promise<Member | undefined>;
  setAccountType(memberId: number, accountType: AccountType, trx: Queries): Promise<void>;
  /** One page of all members, the newest first; `search` is part of a name or an address. */
  list(filter: MembersFilter): Promise<MembersPage>;
  findRecord(memberId: number): Promise<MemberRecord | undefined>;
  /** Forgets the account, and with it whatever hangs on it in other tables; answers whether there was one. */
  erase(memberId: number, trx: Queries): Promise<boolean>;
};

export type Member = {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  accountType: AccountType;
};

export type NewMember = Omit<Member, "id"> & { password: string };

/** What is kept of an account, but for the password's hash. */
export type MemberRecord = Member & { createdAt: Date };

/** Pages are counted from 1. */
export type MembersFilter = { search?: string | undefined; page: number; size: number };

export type MembersPage = { members: MemberRecord[]; total: number };

/** A member as other rooms have written them down: by number, and by address from before there was a number. */
export type Person = { memberId: number; email: string };

export function createAccounts({ db, clock }: { db: Queries; clock: Clock }): Accounts {
  return {
    async findMember(memberId, on = db) {
      const row = await on.selectFrom("members").select(memberColumns).where("id", "=", memberId).executeTakeFirst();
      return row && toMember(row);
    },

    async findMemberByPassword(email, password) {
      const row = await db
        .selectFrom("members")
        .select([...memberColumns, "password_hash"])
        .where("email_key", "=", toEmailKey(email))
        .executeTakeFirst();
      const isRight = await verifyPassword(password, row?.password_hash);
      return row && isRight ? toMember(row) : undefined;
    },

    async findByEmail(email) {
      const row = await db
        .selectFrom("members")
        .select(memberColumns)
        .where("email_key", "=", toEmailKey(email))
        .executeTakeFirst();
      return row && toMember(row);
    },

    async register({ password, ...details }) {
      return admit({ ...details, passwordHash: await hashPassword(password) }, db);
    },

    admit,

    async setAccountType(memberId, accountType, trx) {
      await trx.updateTable("members").set({ account_type: accountType }).where("id", "=", memberId).execute();
    },

    list: (filter) => listMembers(db, filter),

    async findRecord(memberId) {
      const row = await db.selectFrom("members").select(recordColumns).where("id", "=", memberId).executeTakeFirst();
      return row && toRecord(row);
    },

    async erase(memberId, trx) {
      const { numDeletedRows } = await trx.deleteFrom("members").where("id", "=", memberId).executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };

  async function admit(details: Omit<Member, "id"> & { passwordHash: string }, on: Queries) {
    const row = await on
      .insertInto("members")
      .values({
        email: details.email.trim(),
        email_key: toEmailKey(details.email),
        password_hash: details.passwordHash,
        first_name: details.firstName.trim(),
        last_name: details.lastName.trim(),
        account_type: details.accountType,
        created_at: clock().toISOString(),
      })
      .onConflict((conflict) => conflict.column("email_key").doNothing())
      .returning(memberColumns)
      .executeTakeFirst();
    return row && toMember(row);
  }
}

async function listMembers(db: Queries, { search = "", page, size }: MembersFilter): Promise<MembersPage> {
  const members = db.selectFrom("members").where((where) =>
    where.or([
      where("email_key", "like", sql<string>`${toPattern(toEmailKey(search))} escape '!'`),
      // As typed too: SQLite makes only the letters of English small.
      where(fullName, "like", sql<string>`${toPattern(search.trim().toLowerCase())} escape '!'`),
      where(sql`first_name || ' ' || last_name`, "like", sql<string>`${toPattern(search.trim())} escape '!'`),
    ]),
  );
  const rows = await members
    .select(recordColumns)
    .orderBy("id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await members.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { members: rows.map(toRecord), total };
}

const fullName = sql<string>`lower(first_name || ' ' || last_name)`;

/** Anywhere in a text; what is a sign to `like` counts as itself. */
function toPattern(search: string): string {
  return `%${search.replace(/[!%_]/g, "!$&")}%`;
}

const memberColumns = ["id", "email", "first_name", "last_name", "account_type"] as const;
const recordColumns = [...memberColumns, "created_at"] as const;

type MemberRow = { id: number; email: string; first_name: string; last_name: string; account_type: AccountType };

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    accountType: row.account_type,
  };
}

function toRecord(row: MemberRow & { created_at: string }): MemberRecord {
  return { ...toMember(row), createdAt: new Date(row.created_at) };
}
