import type { Selectable, Updateable } from "kysely";

import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import { toEmailKey } from "./rules.ts";

/** An account in somebody's hands: until their transaction ends, whoever else wants to change it waits. */
export type HeldMember = {
  id: number;
  email: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  pendingEmail: string | undefined;
  closedEmail: string | undefined;
  eraseAt: Date | undefined;
};

/**
 * Takes an account in hand, open or closed. First of all in a transaction, before its codes, links and sessions are touched: so
 * two that want the same account wait for each other in one order. Writing nothing new is the lock that both engines know.
 */
export async function holdMember(memberId: number, trx: Queries): Promise<HeldMember | undefined> {
  const row = await trx
    .updateTable("members")
    .set((column) => ({ pending_email: column.ref("pending_email") }))
    .where("id", "=", memberId)
    .returningAll()
    .executeTakeFirst();
  return row && toHeldMember(row);
}

/** The same, if its owner has not closed it. */
export async function holdOpenMember(memberId: number, trx: Queries): Promise<HeldMember | undefined> {
  const held = await holdMember(memberId, trx);
  return held?.eraseAt === undefined ? held : undefined;
}

/** As it stands now, in nobody's hands. */
export async function findAccount(memberId: number, db: Queries): Promise<HeldMember | undefined> {
  const row = await db.selectFrom("members").selectAll().where("id", "=", memberId).executeTakeFirst();
  return row && toHeldMember(row);
}

/** Changes an account that is held. */
export async function changeHeld(
  { id }: HeldMember,
  { columns, trx }: { columns: Updateable<Schema["members"]>; trx: Queries },
): Promise<void> {
  await trx.updateTable("members").set(columns).where("id", "=", id).execute();
}

/** The address one logs in with and is written to. */
export function emailColumns(email: string) {
  return { email: email.trim(), email_key: toEmailKey(email) };
}

/** Thrown to undo a transaction: another account has the address. */
class AddressTaken extends Error {}

/** @throws {AddressTaken} when an account other than `held` has the address. */
export async function requireFree(email: string, { held, trx }: { held: HeldMember; trx: Queries }): Promise<void> {
  const others = trx.selectFrom("members").select("id").where("email_key", "=", toEmailKey(email));
  if (await others.where("id", "!=", held.id).executeTakeFirst()) throw new AddressTaken();
}

/**
 * The answer of a transaction, or `taken` when it ended because another account has the address. Of two accounts that take one at
 * the same moment neither sees the other: the second fails on the unique key.
 */
export async function unlessTaken<Answer, Taken>(work: Promise<Answer>, taken: Taken): Promise<Answer | Taken> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AddressTaken || isUniqueViolation(error)) return taken;
    throw error;
  }
}

export function toHeldMember(row: Selectable<Schema["members"]>): HeldMember {
  return {
    id: row.id,
    email: row.email,
    passwordHash: row.password_hash,
    firstName: row.first_name,
    lastName: row.last_name,
    pendingEmail: row.pending_email ?? undefined,
    closedEmail: row.closed_email ?? undefined,
    eraseAt: row.erase_at === null ? undefined : new Date(row.erase_at),
  };
}
