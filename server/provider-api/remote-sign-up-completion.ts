import type { Clock } from "../clock.ts";
import { addMonths, plans } from "../membership/plans.ts";
import type { Fulfil } from "../payments/context.ts";
import { toReceiptNumber } from "../payments/orders.ts";
import type { Drafts } from "../sign-up/drafts.ts";
import type { PreparedPayments } from "./remote-payments-rows.ts";
import type { Admissions } from "./remote-sign-up-rows.ts";

type CompletionRooms = {
  drafts: Pick<Drafts, "claim" | "findById" | "noteMember">;
  admissions: Pick<Admissions, "findMemberId">;
  prepared: Pick<PreparedPayments, "findProviderOrder">;
  clock: Clock;
};

/**
 * What follows from an order that the provider has completed: account, seat, subscription and letters are made there, so only our own
 * books are brought in line. Money that was taken there is never given back from here, whatever became of the draft: who paid has
 * what they paid for.
 */
export function createRemoteCompletion({ drafts, admissions, prepared, clock }: CompletionRooms): Fulfil {
  return async (order, trx) => {
    const { draftId, email, planType } = order;
    const draft = draftId === undefined ? undefined : await drafts.claim(draftId, trx);
    const isFree = order.accountType === "corporate";
    // Pressed twice: the first has written down everything.
    if (!draft && isFree) return { ok: false, reason: draftId === undefined ? "sign-up-gone" : "already-completed" };
    // Who is charged is known to the gateway by their number.
    const admitted = draftId === undefined ? undefined : await admissions.findMemberId(draftId, trx);
    const memberId = order.customerId === undefined ? admitted : Number(order.customerId);
    if (memberId === undefined) throw new Error("A provider's order was completed for nobody");
    if (draft) await drafts.noteMember(draft.id, { id: memberId, email }, trx);
    const startsAt = clock();
    const number = await prepared.findProviderOrder(order.id, trx);
    return {
      ok: true,
      memberId,
      startsAt,
      endsAt: addMonths(startsAt, plans[planType].months),
      // The letter that the provider writes has its own number; where that was never told, ours must not be taken for it.
      receiptNumber:
        number === undefined ? `F${toReceiptNumber(order.id, startsAt)}` : toReceiptNumber(number, startsAt),
    };
  };
}
