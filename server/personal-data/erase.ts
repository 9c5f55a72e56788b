import { linkPurposes } from "../accounts/account-links.ts";
import type { Person } from "../accounts/accounts.ts";
import type { Queries } from "../database/database.ts";
import type { PersonalData, PersonalDataRooms, EraseResult } from "./personal-data.ts";

type Occasion = {
  operator: string;
  /** Takes the account itself away; answers whether it was there, and due. */
  remove: (trx: Queries) => Promise<boolean>;
  sayFarewell?: (trx: Queries) => Promise<void>;
};

/** The functions that forget a member in every room (`PersonalData`). */
export function createErase(rooms: PersonalDataRooms): Pick<PersonalData, "erase" | "eraseClosed"> {
  const { accounts, challenges, codes, signUp, payments, outbox, audit, transact } = rooms;

  return {
    erase: (person, operator) => erase(person, { operator, remove: (trx) => accounts.erase(person.memberId, trx) }),

    eraseClosed: (person, { dueBy, sayFarewell }) =>
      erase(person, {
        operator: "erase-closed-accounts",
        remove: (trx) => accounts.eraseDue({ memberId: person.memberId, dueBy }, trx),
        sayFarewell,
      }),
  };

  async function erase(person: Person, { operator, remove, sayFarewell }: Occasion): Promise<EraseResult> {
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
        if (!(await remove(trx))) throw new Undone("already-gone");
        // After the account, which whoever uses one of these takes in hand first.
        await challenges.voidAll({ owner: memberId, purposes: Object.values(linkPurposes) }, trx);
        await sayFarewell?.(trx);
        await audit.record({ operator, action: "member erase", memberId, facts: { orders: orders.length } }, trx);
        return { orders: orders.length, customersAtGateway };
      });
      return { ok: true, kept: { ...kept, actions: (await audit.listFor(memberId)).length } };
    } catch (error) {
      if (error instanceof Undone) return { ok: false, reason: error.reason };
      throw error;
    }
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
