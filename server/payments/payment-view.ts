import { isLive } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { Decline } from "./card-gateway.ts";
import type { OrderState } from "./order-states.ts";
import type { Orders } from "./orders.ts";

/** Where paying stands, as the visitor should see it. */
export type PaymentView =
  | { state: "none" }
  /** Declined, failed or given up: nothing was taken. */
  | { state: "failed"; decline: Decline }
  /** Begun on a page of the bank or the gateway and not finished; the page can be gone back to. */
  | { state: "unfinished"; actionUrl: string }
  /** Not known yet: nothing may be said but that we are looking. */
  | { state: "checking" }
  | { state: "completed"; receiptNumber: string; amountInPence: number; startsAt: Date; endsAt: Date }
  /** Paid, but an account could not be made of it: the money goes back. */
  | { state: "refunded"; amountInPence: number };

/** Where paying for a draft stands. Of several orders of it the one that says most counts. */
export async function findPaymentView(
  draftId: number,
  { orders, attempts }: { orders: Orders; attempts: Attempts },
): Promise<PaymentView> {
  const all = await orders.listOfDraft(draftId);
  const order = all.toSorted((a, b) => weights[b.state] - weights[a.state] || b.id - a.id)[0];
  if (!order || order.state === "cancelled") return { state: "none" };
  const { amountInPence, receiptNumber, startsAt, endsAt } = order;
  if (order.state === "completed" && receiptNumber && startsAt && endsAt) {
    return { state: "completed", receiptNumber, amountInPence, startsAt, endsAt };
  }
  if (order.state === "paid") return { state: "checking" };
  if (order.state !== "awaiting-payment") return { state: "refunded", amountInPence };
  const last = (await attempts.listOfOrder(order.id)).at(-1);
  if (!last) return { state: "none" };
  if (last.state === "authenticating" && last.actionUrl) return { state: "unfinished", actionUrl: last.actionUrl };
  if (isLive(last) || last.state === "succeeded") return { state: "checking" };
  if (last.state !== "failed" && last.state !== "cancelled") return { state: "refunded", amountInPence };
  return { state: "failed", decline: last.decline ?? "cancelled" };
}

const weights: Record<OrderState, number> = {
  cancelled: 0,
  "awaiting-payment": 1,
  refunded: 2,
  "refund-failed": 2,
  "refund-pending": 2,
  paid: 3,
  completed: 4,
};
