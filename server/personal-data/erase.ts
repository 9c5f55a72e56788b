import type { PersonalData, PersonalDataRooms, EraseResult } from "./personal-data.ts";

/** The function that forgets a member in every room (`PersonalData.erase`). */
export function createErase(rooms: PersonalDataRooms): PersonalData["erase"] {
  const { accounts, codes, signUp, payments, outbox, audit, transact } = rooms;

  return async (person, operator) => {
    const { memberId } = person;
    const orders = await payments.listFor(person);
    // What they have begun to pay for and left open can be given up; it asks the gateway, so it cannot be part of the transaction.
    for (const { order } of orders) {
      if (order.state === "awaiting-payment" && order.draftId !== undefined) await payments.giveUp(order.draftId);
    }
    try {
      const kept = await transact(async (trx) => {
        await codes.releaseSeat(memberId, trx);
        await signUp.forgetDrafts(person, trx);
        // Asked after the drafts are gone: no payment can be begun for them any more.
        if (await payments.isAnyUnsettledFor(person, trx)) throw new Undone("payment-under-way");
        const customersAtGateway = await payments.forgetPerson(person, trx);
        await outbox.erase(person, trx);
        // Subscriptions, sessions, favourites and picture go with the account: their rows hang on its.
        if (!(await accounts.erase(memberId, trx))) throw new Undone("already-gone");
        await audit.record({ operator, action: "member erase", memberId, facts: { orders: orders.length } }, trx);
        return { orders: orders.length, customersAtGateway };
      });
      return { ok: true, kept: { ...kept, actions: (await audit.listFor(memberId)).length } };
    } catch (error) {
      if (error instanceof Undone) return { ok: false, reason: error.reason };
      throw error;
    }
  };
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
