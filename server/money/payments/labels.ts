import { formatPenceInFull } from "../../platform/format.ts";
import type { DisputeState, OrderState } from "./states.ts";

/** Orders in words. Pure. */
export const orderLabels: Record<OrderState, string> = {
  "awaiting-payment": "not paid yet",
  cancelled: "abandoned before it was paid",
  paid: "paid, being completed",
  completed: "paid",
  "refund-pending": "refund on its way",
  refunded: "refunded",
  "refund-failed": "refund stuck",
};

/** `title` heads the receipt; `sentence` is the present state. */
export type PaidState = { title: string; sentence: string; endsEarly: boolean };

type PaidOrder = {
  state: OrderState;
  amountInPence: number;
  partsInPence: number;
  dispute: DisputeState | undefined;
};

/** The one state of a paid order for receipts and My Account. */
export function findPaidState({ state, amountInPence, partsInPence, dispute }: PaidOrder): PaidState {
  const amount = formatPenceInFull(amountInPence);
  const rest = formatPenceInFull(amountInPence - partsInPence);
  switch (state) {
    case "refund-pending":
      return {
        title: "Refund on its way",
        sentence: `Your refund of ${rest} is on its way.`,
        endsEarly: true,
      };
    case "refunded":
      return { title: "Refunded", sentence: `We refunded ${amount} to your card.`, endsEarly: true };
    case "refund-failed":
      return {
        title: "Refund not finished",
        sentence: `Your refund of ${rest} didn't go through. We'll put it right.`,
        endsEarly: true,
      };
    case "awaiting-payment":
    case "cancelled":
    case "paid":
    case "completed":
      if (dispute === "lost") {
        return { title: "Returned by your bank", sentence: `Your bank returned ${amount} to you.`, endsEarly: true };
      }
      if (dispute === "open") {
        return {
          title: "Disputed",
          sentence: `Your bank is looking into this payment of ${amount}.`,
          endsEarly: false,
        };
      }
      return partsInPence > 0
        ? {
            title: "Refunded in part",
            sentence: `${formatPenceInFull(partsInPence)} of this is refunded or on its way.`,
            endsEarly: false,
          }
        : { title: "Paid", sentence: "You paid once. It doesn't renew.", endsEarly: false };
  }
}
