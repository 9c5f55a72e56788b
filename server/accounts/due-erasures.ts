import type { Queries } from "../database/database.ts";
import type { Person } from "./accounts.ts";
import { toHeldMember, type HeldMember } from "./held-member.ts";
import { toEmailKey } from "./rules.ts";

export type ClosedAccount = HeldMember & { closedEmail: string };

/** Closed accounts whose time has come, the first to be due first. */
export async function listDue({ dueBy, limit }: { dueBy: Date; limit: number }, db: Queries): Promise<ClosedAccount[]> {
  const rows = await db
    .selectFrom("members")
    .selectAll()
    .where("erase_at", "<=", dueBy.toISOString())
    .orderBy("erase_at")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.flatMap((row) => {
    const account = toHeldMember(row);
    return account.closedEmail === undefined ? [] : [{ ...account, closedEmail: account.closedEmail }];
  });
}

/**
 * Whom other rooms know by the account's number, and by its address from before there was a number. If the address is another
 * account's by now, what is known by it alone is that one's.
 */
export async function toPerson({ id, email, closedEmail }: ClosedAccount, db: Queries): Promise<Person> {
  const others = db.selectFrom("members").select("id").where("email_key", "=", toEmailKey(closedEmail));
  const isTaken = (await others.executeTakeFirst()) !== undefined;
  return { memberId: id, email: isTaken ? email : closedEmail };
}
