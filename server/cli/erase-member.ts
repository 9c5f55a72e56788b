import type { Member } from "../accounts/accounts.ts";
import type { Rooms } from "../rooms.ts";

/** What stays of an erased member. */
export type Kept = { orders: number; actions: number; customersAtGateway: string[] };

export type EraseResult = { ok: true; kept: Kept } | { ok: false; reason: "payment-under-way" | "already-gone" };

/**
 * Forgets a member in every room, all of it or nothing. Orders and payments stay without the person, and so do the operators'
 * actions, which never name one. Refused while money is on its way: whoever is owed some must be known until they have it.
 */
export async function eraseMember(
  rooms: Rooms,
  { member, operator }: { member: Member; operator: string },
): Promise<EraseResult> {
  const { accounts, codes, signUp, payments, outbox, audit, transact } = rooms;
  const person = { memberId: member.id, email: member.email };
  const orders = await payments.listFor(person);
  // What they have begun to pay for and left open can be given up; it asks the gateway, so it cannot be part of the transaction.
  for (const { order } of orders) {
    if (order.state === "awaiting-payment" && order.draftId !== undefined) await payments.giveUp(order.draftId);
  }

  try {
    const kept = await transact(async (trx) => {
      await codes.releaseSeat(member.id, trx);
      await signUp.forgetDrafts(person, trx);
      // Asked after the drafts are gone: no payment can be begun for them any more.
      if (await payments.isAnyUnsettledFor(person, trx)) throw new Undone("payment-under-way");
      const customersAtGateway = await payments.forgetPerson(person, trx);
      await outbox.erase(person, trx);
      // Subscriptions, sessions and favourites go with the account: their rows hang on its.
      if (!(await accounts.erase(member.id, trx))) throw new Undone("already-gone");
      const facts = { orders: orders.length };
      await audit.record({ operator, action: "member erase", memberId: member.id, facts }, trx);
      return { orders: orders.length, customersAtGateway };
    });
    return { ok: true, kept: { ...kept, actions: (await audit.listFor(member.id)).length } };
  } catch (error) {
    if (error instanceof Undone) return { ok: false, reason: error.reason };
    throw error;
  }
}

type Reason = Extract<EraseResult, { ok: false }>["reason"];

/** Ends the transaction without a fault. */
class Undone extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}
