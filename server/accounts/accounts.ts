import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType } from "../database/schema.ts";
import { holdMember } from "./held-member.ts";
import { createMemberRecords, type MemberRecords } from "./member-records.ts";
import { memberColumns, toMember } from "./member-rows.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { toEmailKey } from "./rules.ts";

/** Who members are. */
export type Accounts = MemberRecords & {
  /** Whoever has closed their account is no member, here and in what follows. */
  findMember(memberId: number, on?: Queries): Promise<Member | undefined>;
  findByEmail(email: string): Promise<Member | undefined>;
  /** The member with this address and password; takes the same time when there is none. */
  findMemberByPassword(email: string, password: string): Promise<Member | undefined>;
  /** The same with the password's hash, by which it is known later on whether the password is the same still. */
  findCredentials(email: string, password: string): Promise<Credentials | undefined>;
  /** Waits for whoever is about to change it. */
  isPasswordStill(memberId: number, passwordHash: string): Promise<boolean>;
  /** Adds a member; `undefined` when the address is taken. */
  register(details: NewMember): Promise<Member | undefined>;
  /** The same as part of a transaction, with a password that is hashed already. */
  admit(details: Omit<Member, "id"> & { passwordHash: string }, trx: Queries): Promise<Member | undefined>;
  setAccountType(memberId: number, accountType: AccountType, trx: Queries): Promise<void>;
};

export type Member = {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  accountType: AccountType;
};

type Credentials = { member: Member; passwordHash: string };

export type NewMember = Omit<Member, "id"> & { password: string };

/** A member as other rooms have written them down: by number, and by address from before there was a number. */
export type Person = { memberId: number; email: string };

export function createAccounts({ db, clock }: { db: Queries; clock: Clock }): Accounts {
  return {
    ...createMemberRecords(db),

    async findMember(memberId, on = db) {
      const row = await membersOf(on).where("id", "=", memberId).executeTakeFirst();
      return row && toMember(row);
    },

    async findByEmail(email) {
      const row = await membersOf(db).where("email_key", "=", toEmailKey(email)).executeTakeFirst();
      return row && toMember(row);
    },

    findMemberByPassword: async (email, password) => (await findCredentials(email, password))?.member,
    findCredentials,

    async isPasswordStill(memberId, passwordHash) {
      const held = await holdMember(memberId, db);
      return held?.passwordHash === passwordHash && held.eraseAt === undefined;
    },

    async register({ password, ...details }) {
      return addMember({ ...details, passwordHash: await hashPassword(password) }, { on: db, now: clock() });
    },

    admit: (details, trx) => addMember(details, { on: trx, now: clock() }),

    async setAccountType(memberId, accountType, trx) {
      await trx.updateTable("members").set({ account_type: accountType }).where("id", "=", memberId).execute();
    },
  };

  async function findCredentials(email: string, password: string): Promise<Credentials | undefined> {
    const row = await membersOf(db)
      .select("password_hash")
      .where("email_key", "=", toEmailKey(email))
      .executeTakeFirst();
    const isRight = await verifyPassword(password, row?.password_hash);
    return row && isRight ? { member: toMember(row), passwordHash: row.password_hash } : undefined;
  }
}

/** `undefined` when somebody has the address. */
async function addMember(
  details: Omit<Member, "id"> & { passwordHash: string },
  { on, now }: { on: Queries; now: Date },
): Promise<Member | undefined> {
  const row = await on
    .insertInto("members")
    .values({
      email: details.email.trim(),
      email_key: toEmailKey(details.email),
      password_hash: details.passwordHash,
      first_name: details.firstName.trim(),
      last_name: details.lastName.trim(),
      account_type: details.accountType,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .returning(memberColumns)
    .executeTakeFirst();
  return row && toMember(row);
}

function membersOf(on: Queries) {
  return on.selectFrom("members").select(memberColumns).where("erase_at", "is", null);
}
