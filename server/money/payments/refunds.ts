import type { Author } from "../../platform/audit/audit.ts";
import { authors } from "../../platform/audit/labels.ts";
import { after, HOUR_IN_MS } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import {
  advanceAttempt,
  findAttemptByGatewayId,
  listAttempts,
  selectStuckAttempts,
  noteRefund,
  type Attempt,
} from "./attempts.ts";
import type { GatewayDispute, GatewayPayment, GatewayRefund } from "./card-gateway.ts";
import { transact, type PaymentsContext, type RefundCause } from "./context.ts";
import { advanceOrder, findOrder, lockOrder, type Order } from "./orders.ts";
import {
  isUnsent,
  listPartRefunds,
  listPartRefundsByOrder,
  selectStuckPartRefunds,
  sumPartRefunds,
} from "./part-refund-rows.ts";
import { disputeStates, findMove, type DisputeState } from "./states.ts";

/**
 * Refunds, decided once and requested until the gateway has made them, and disputes, in which the payer's bank claims a
 * charge back.
 */

const AT_ONCE = 100;
/** Refunds are requested every minute; one that is not done after so long needs an operator. */
const SLOW_REFUND_IN_MS = HOUR_IN_MS;

/** Decides, in a transaction, to refund all attempts of an order. */
export async function giveBack(trx: PaymentsContext, order: Order, cause: RefundCause): Promise<void> {
  await advanceOrder(trx, order.id, "impossible");
  await wantRefunds(trx, order, cause);
}

export type GiveBackInput = {
  orderId: number;
  by: Author;
  cause?: "given-back" | "cancelled";
  /** Called with the order locked: `false` refuses the refund, and nothing has changed. */
  claim?: (trx: Queries) => Promise<boolean>;
};

export type GiveBackResult =
  | { ok: true; amountInPence: number }
  /**
   * `nothing-paid`: a company pays. `not-from-here`: another back end has the money. `part-under-way`: the gateway may
   * not know a part yet.
   */
  | { ok: false; reason: "not-completed" | "nothing-paid" | "not-from-here" | "part-under-way" };

/**
 * Refunds a completed order for an operator or a member who cancels, and ends its term at once; terms of other orders
 * stay. Decided in one transaction, then requested until the gateway has done it, so repeats refund once.
 */
export async function giveBackCompleted(
  ctx: PaymentsContext,
  { orderId, by, cause = "given-back", claim }: GiveBackInput,
): Promise<GiveBackResult> {
  if (!ctx.refunds) return { ok: false, reason: "not-from-here" };
  const result = await transact(ctx, async (trx): Promise<GiveBackResult> => {
    const order = await lockOrder(trx, orderId, "completed");
    if (!order || (claim && !(await claim(trx.db)))) return { ok: false, reason: "not-completed" };
    return giveBackLocked(trx, { order, by, cause });
  });
  if (!result.ok) return result;
  ctx.reach("refund-decided");
  await refundOrder(ctx, orderId);
  return result;
}

/** Decides it for a locked, completed order. Returns the refund without earlier parts. */
export async function giveBackLocked(
  trx: PaymentsContext,
  { order, by, cause = "given-back" }: { order: Order; by: Author; cause?: "given-back" | "cancelled" },
): Promise<GiveBackResult> {
  const { id: orderId, memberId } = order;
  if (order.amountInPence === 0) return { ok: false, reason: "nothing-paid" };
  const partRefunds = (await listPartRefundsByOrder(trx, [orderId])).get(orderId) ?? [];
  // The part would be made beside the rest, and be missing from it.
  if (partRefunds.some(isUnsent)) return { ok: false, reason: "part-under-way" };
  const amountInPence = order.amountInPence - sumPartRefunds(partRefunds);
  await advanceOrder(trx, orderId, "given-back");
  const isEnded = await trx.endOrder(order, "refunded", trx.db);
  await wantRefunds(trx, order, cause);
  const facts = { order: orderId, receipt: order.receiptNumber ?? null, amountInPence, isEnded };
  const action = cause === "cancelled" ? "order cancel" : "order refund";
  await trx.audit.record({ ...by, action, memberId, facts }, trx.db);
  return { ok: true, amountInPence };
}

async function wantRefunds(trx: PaymentsContext, order: Order, cause: RefundCause): Promise<void> {
  for (const attempt of await listAttempts(trx, order.id)) {
    if (await advanceAttempt(trx, attempt.id, { event: "refund-wanted" })) {
      const amountInPence = attempt.amountInPence - sumPartRefunds(await listPartRefunds(trx, attempt.id));
      await trx.emails.refund({ order, attempt: { ...attempt, amountInPence }, cause }, trx.db);
    }
  }
}

/** The reconciling job repeats refunds that fail now. */
export async function refundOrder(ctx: PaymentsContext, orderId: number): Promise<void> {
  for (const attempt of await listAttempts(ctx, orderId)) {
    if (attempt.state === "refunding") await refundAttempt(ctx, attempt).catch(() => undefined);
  }
}

/**
 * Refunds an attempt, except for what an operator refunded by hand; after a failed refund, only checks whether an
 * operator refunded all. Throws when the gateway cannot be reached.
 */
export async function refundAttempt(ctx: PaymentsContext, attempt: Attempt): Promise<void> {
  const { gateway, refunds, reach } = ctx;
  if (!refunds) throw new Error("Payments of this gateway are not given back from here");
  const payment = attempt.gatewayId && (await gateway.findPayment(attempt.gatewayId));
  if (!payment) throw new Error("A payment that is to be refunded is not known to the gateway");
  const back = await refunds.findRefunded(payment.id);
  if (back && isWhole(back, payment)) return storeRefund(ctx, attempt, back);
  if (attempt.state === "refund-failed") return;
  const begun = attempt.refundId && (await refunds.findRefund(attempt.refundId));
  if (begun && begun.state === "failed") return storeRefund(ctx, attempt, begun);
  const rest = payment.amountInPence - (back?.amountInPence ?? 0);
  const key = back ? `refund-${payment.id}-${rest}` : `refund-${payment.id}`;
  const made = await refunds.refund({ key, paymentId: payment.id, amountInPence: rest });
  reach("refund-requested");
  // All of it is back when the slowest part is.
  const state = back && made.state === "succeeded" ? back.state : made.state;
  if (made.amountInPence >= rest) await storeRefund(ctx, attempt, { ...made, state });
  reach("refund-noted");
}

/** A part settles nothing until all of the money is back. */
export async function noteReportedRefund(ctx: PaymentsContext, reported: GatewayRefund): Promise<void> {
  const attempt = await findAttemptByGatewayId(ctx, reported.paymentId);
  const payment = attempt && (await ctx.gateway.findPayment(reported.paymentId));
  if (!payment) return;
  const back = await ctx.refunds?.findRefunded(payment.id);
  if (back && isWhole(back, payment)) return storeRefund(ctx, attempt, back);
  // While the rest is still unrequested, a failed part that was refunded by hand is included in it.
  const isOurs = reported.id === attempt.refundId || isWhole(reported, payment);
  if (reported.state === "failed" && (isOurs || attempt.state === "refunded"))
    await storeRefund(ctx, attempt, reported);
}

async function storeRefund(ctx: PaymentsContext, attempt: Attempt, reported: GatewayRefund): Promise<void> {
  const { id, orderId } = attempt;
  const event = refundEvents[reported.state];
  const { isLast, isNews } = await transact(ctx, async (trx) => {
    const isNoted = await noteRefund(trx, attempt, reported);
    const hasMoved = isNoted && event !== undefined && (await advanceAttempt(trx, id, { event }));
    if (hasMoved) await advanceOrder(trx, orderId, event);
    return { isLast: isNoted, isNews: hasMoved };
  });
  if (isLast && reported.state === "failed") ctx.log.error({ order: orderId, payment: id }, "a refund has failed");
  if (isNews && reported.state === "succeeded") {
    const pence = attempt.amountInPence - sumPartRefunds(await listPartRefunds(ctx, id));
    ctx.log.info({ order: orderId, payment: id, pence }, "a payment was given back");
  }
}

const refundEvents = { pending: undefined, succeeded: "refunded", failed: "refund-failed" } as const;

/** Covers what was paid, which may differ from the price. An operator's part does not. */
function isWhole(refund: GatewayRefund, payment: GatewayPayment): boolean {
  return refund.amountInPence >= payment.amountInPence;
}

/** Charges and parts whose refund failed or is not done after an hour: an operator must look at the gateway. */
export async function listStuckRefunds({ db, clock }: PaymentsContext): Promise<StuckRefund[]> {
  const rows = await selectStuck(db, { notSince: after(clock(), -SLOW_REFUND_IN_MS), limit: AT_ONCE });
  return rows.map(({ orderId, amountInPence, memberId, receiptNumber }) => ({
    orderId,
    amountInPence,
    memberId: memberId ?? undefined,
    receiptNumber: receiptNumber ?? undefined,
  }));
}

const selectStuck = prepareQuery((db, which: { notSince: Date; limit: number }) =>
  db
    .selectFrom(selectStuckAttempts(db, which).as("charges"))
    .selectAll()
    .unionAll(db.selectFrom(selectStuckPartRefunds(db, which).as("parts")).selectAll())
    .orderBy("isPart")
    .orderBy("createdAt"),
);

export type StuckRefund = {
  orderId: number;
  amountInPence: number;
  memberId: number | undefined;
  receiptNumber: string | undefined;
};

/**
 * Handles a dispute: the payer's bank claims a charge back (C24). While it is open access stays, because the bank may
 * be wrong and the payer may not know; the log tells operators. A lost dispute ends what the order gave; a won one
 * changes nothing. Each state is reported once, despite repeats and wrong order.
 */
export async function noteDispute(ctx: PaymentsContext, dispute: GatewayDispute): Promise<void> {
  const attempt = await findAttemptByGatewayId(ctx, dispute.paymentId);
  const order = attempt && (await findOrder(ctx, attempt.orderId));
  // A charge of another installation at the same gateway.
  if (!attempt || !order) return;
  const isNews = await transact(ctx, async (trx) => {
    if (!(await storeDispute(trx, attempt, dispute))) return false;
    const isEnded = dispute.state === "lost" && (await ctx.endOrder(order, "disputed", trx.db));
    const facts = { order: order.id, dispute: dispute.id, amountInPence: attempt.amountInPence, isEnded };
    const action = `dispute ${dispute.state}` as const;
    await ctx.audit.record({ operator: authors.gateway, action, memberId: order.memberId, facts }, trx.db);
    return true;
  });
  if (isNews) ctx.log.warn({ order: order.id, dispute: dispute.id, state: dispute.state }, "a charge is disputed");
}

/** Returns whether it is new. */
async function storeDispute(
  { db, clock }: PaymentsContext,
  { id: attemptId, orderId }: Attempt,
  { id, state }: GatewayDispute,
): Promise<boolean> {
  const now = clock();
  const made = await db
    .insertInto("disputes")
    .values({ gatewayId: id, orderId, paymentId: attemptId, state, createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("gatewayId")
    .executeTakeFirst();
  if (made || state === "open") return made !== undefined;
  const { from, to } = findMove<DisputeState, DisputeState>(disputeStates, state);
  const { numUpdatedRows } = await db
    .updateTable("disputes")
    .set({ state: to, updatedAt: now })
    .where("gatewayId", "=", id)
    .where("state", "in", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
