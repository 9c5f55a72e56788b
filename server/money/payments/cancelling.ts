import { authors } from "../../platform/audit/labels.ts";
import { DAY_IN_MS } from "../../platform/clock.ts";
import { toDay } from "../../platform/format.ts";
import type { PaymentsContext } from "./context.ts";
import { type Order, listOrdersOfMember } from "./orders.ts";
import { giveBackCompleted, type GiveBackResult } from "./refunds.ts";

/** After the day of the purchase (Consumer Contracts Regulations 2013, regulation 30). */
export const CANCELLING_DAYS = 14;

/** The last day in London, unless the payer gave up cancelling or a company pays. */
export function findLastCancelDay(
  order: Pick<Order, "state" | "amountInPence" | "paidAt" | "waivedAt">,
): string | undefined {
  const { state, amountInPence, paidAt, waivedAt } = order;
  if (state !== "completed" || amountInPence === 0 || !paidAt || waivedAt) return undefined;
  return new Date(Date.parse(toDay(paidAt)) + CANCELLING_DAYS * DAY_IN_MS).toISOString().slice(0, 10);
}

export type CancelResult =
  | Extract<GiveBackResult, { ok: true }>
  /** `too-late`: the days are over. `not-cancellable`: not theirs, not paid, given up, or refunded already. */
  | { ok: false; reason: "too-late" | "not-cancellable" | "part-under-way" };

/** Refunds a member's own order in time: its term ends, and all of the money is refunded. */
export async function cancelOrder(
  ctx: PaymentsContext,
  { memberId, receiptNumber }: { memberId: number; receiptNumber: string },
): Promise<CancelResult> {
  const orders = await listOrdersOfMember(ctx, memberId);
  // A gift is cancelled as a gift: somebody may have taken it up.
  const order = orders.find((each) => each.receiptNumber === receiptNumber && each.giftId === undefined);
  const lastDay = order && findLastCancelDay(order);
  if (!order || !lastDay) return { ok: false, reason: "not-cancellable" };
  // Days compare as text.
  if (toDay(ctx.clock()) > lastDay) return { ok: false, reason: "too-late" };
  const result = await giveBackCompleted(ctx, {
    orderId: order.id,
    by: { operator: authors.member },
    cause: "cancelled",
  });
  if (result.ok) return result;
  return { ok: false, reason: result.reason === "part-under-way" ? result.reason : "not-cancellable" };
}
