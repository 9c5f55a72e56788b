import type { Author } from "../../platform/audit/audit.ts";
import { findAttempt, findAttemptByGatewayId, listAttempts, type Attempt } from "./attempts.ts";
import type { CardRefunds, GatewayRefund } from "./card-gateway.ts";
import { transact, type PaymentsContext } from "./context.ts";
import { lockOrder } from "./orders.ts";
import {
  addPartRefund,
  failUnsentPartRefund,
  listPartRefunds,
  notePartRefund,
  type PartRefund,
  sumPartRefunds,
} from "./part-refund-rows.ts";
import { giveBackLocked, refundOrder } from "./refunds.ts";

/**
 * Parts of a charge that are refunded while the order's term continues. Each is decided once, and requested until the
 * gateway has made it.
 */

export type PartRefundResult =
  /** `isWhole`: nothing is left, so the whole is refunded, and the term has ended. */
  | { ok: true; amountInPence: number; isWhole: boolean }
  | { ok: false; reason: "more-than-left"; leftInPence: number }
  /** `part-under-way`: the gateway may not know an earlier part yet. */
  | { ok: false; reason: "not-completed" | "nothing-paid" | "not-from-here" | "part-under-way" };

type Part = { orderId: number; amountInPence: number; by: Author };

/**
 * An operator refunds a part of a completed order: never more than is left after our refunds and those by hand. The
 * part that leaves nothing is a whole refund (`giveBackLocked`).
 */
export async function makePartRefund(
  ctx: PaymentsContext,
  { orderId, amountInPence, by }: Part,
): Promise<PartRefundResult> {
  if (!ctx.refunds) return { ok: false, reason: "not-from-here" };
  // The gateway is called outside of the transaction; a part that does not fit after all fails when it is sent.
  const byHandInPence = await findByHand(ctx, orderId, ctx.refunds).catch(() => 0);
  const result = await transact(ctx, async (trx): Promise<PartRefundResult> => {
    const order = await lockOrder(trx, orderId, "completed");
    if (!order) return { ok: false, reason: "not-completed" };
    const attempt = await findCharge(trx, orderId);
    if (!attempt) return { ok: false, reason: "nothing-paid" };
    const leftInPence = attempt.amountInPence - sumPartRefunds(await listPartRefunds(trx, attempt.id)) - byHandInPence;
    if (amountInPence > leftInPence) return { ok: false, reason: "more-than-left", leftInPence };
    if (amountInPence === leftInPence) {
      const whole = await giveBackLocked(trx, { order, by });
      return whole.ok ? { ok: true, amountInPence, isWhole: true } : whole;
    }
    const { number } = await addPartRefund(trx, { attempt, amountInPence });
    await trx.emails.refund({ order, attempt: { ...attempt, amountInPence }, cause: "part", part: number }, trx.db);
    const facts = { order: orderId, receipt: order.receiptNumber ?? null, amountInPence };
    await trx.audit.record(
      { ...by, action: "order part refund", memberId: order.memberId, facts: { ...facts, part: number } },
      trx.db,
    );
    return { ok: true, amountInPence, isWhole: false };
  });
  if (!result.ok) return result;
  ctx.reach("refund-decided");
  await (result.isWhole ? refundOrder(ctx, orderId) : sendPartRefunds(ctx, orderId));
  return result;
}

/** A second charge for the same order is refunded, so it is not this one. */
async function findCharge(ctx: PaymentsContext, orderId: number): Promise<Attempt | undefined> {
  return (await listAttempts(ctx, orderId)).find(({ state }) => state === "succeeded");
}

/** In pence: refunded at the gateway, and not by us. */
async function findByHand(ctx: PaymentsContext, orderId: number, refunds: CardRefunds): Promise<number> {
  const attempt = await findCharge(ctx, orderId);
  const back = attempt?.gatewayId && (await refunds.findRefunded(attempt.gatewayId));
  if (!attempt || !back) return 0;
  const own = (await listPartRefunds(ctx, attempt.id)).filter(({ refundId }) => refundId !== undefined);
  return Math.max(0, back.amountInPence - sumPartRefunds(own));
}

/** The reconciling job repeats parts that fail now. */
async function sendPartRefunds(ctx: PaymentsContext, orderId: number): Promise<void> {
  const attempt = await findCharge(ctx, orderId);
  for (const part of attempt ? await listPartRefunds(ctx, attempt.id) : []) {
    if (part.state === "refunding") await sendPartRefund(ctx, part).catch(() => undefined);
  }
}

/**
 * Makes a part at the gateway unless it exists, and stores the result. For a failed part it only checks whether an
 * operator refunded as much by hand. Throws when the gateway cannot be reached.
 */
export async function sendPartRefund(ctx: PaymentsContext, part: PartRefund): Promise<void> {
  const { gateway, refunds, reach } = ctx;
  const attempt = await findAttempt(ctx, part.paymentId);
  const payment = attempt?.gatewayId && (await gateway.findPayment(attempt.gatewayId));
  if (!refunds || !payment) throw new Error("A payment that is to be refunded in part is not known to the gateway");
  // Read the sum first: another process may make the part at any moment, and then it is found.
  const backInPence = (await refunds.findRefunded(payment.id))?.amountInPence ?? 0;
  const key = `refund-${payment.id}-part-${part.number}-${part.amountInPence}`;
  const made = await refunds.findPartRefund({ key, paymentId: payment.id });
  if (part.state === "refund-failed") {
    if (made && (await isBackByHand(ctx, part, backInPence))) {
      await storePartRefund(ctx, part, { ...made, state: "succeeded" });
    }
    return;
  }
  if (made) return storePartRefund(ctx, part, made);
  if (part.amountInPence > payment.amountInPence - backInPence) {
    if (await failUnsentPartRefund(ctx, part)) logFailure(ctx, part);
    return;
  }
  const wanted = { key, paymentId: payment.id, amountInPence: part.amountInPence, isPart: true };
  const answer = await refunds.refund(wanted);
  reach("refund-requested");
  await storePartRefund(ctx, part, answer);
  reach("refund-noted");
}

/** Handles a reported refund that may be one of our parts, or replace one that failed. */
export async function noteReportedPartRefund(ctx: PaymentsContext, reported: GatewayRefund): Promise<void> {
  const attempt = ctx.refunds && (await findAttemptByGatewayId(ctx, reported.paymentId));
  for (const part of attempt ? await listPartRefunds(ctx, attempt.id) : []) {
    if (part.refundId === reported.id) {
      const back = reported.state === "failed" && (await ctx.refunds?.findRefunded(reported.paymentId));
      if (!back || !(await isBackByHand(ctx, part, back.amountInPence))) await storePartRefund(ctx, part, reported);
    } else if (part.state !== "refunded" && attempt?.state === "succeeded") await sendPartRefund(ctx, part);
  }
}

/** The gateway's refunds cover a failed part. */
async function isBackByHand(ctx: PaymentsContext, part: PartRefund, backInPence: number): Promise<boolean> {
  const others = (await listPartRefunds(ctx, part.paymentId)).filter(({ number }) => number !== part.number);
  return backInPence >= sumPartRefunds(others) + part.amountInPence;
}

async function storePartRefund(ctx: PaymentsContext, part: PartRefund, reported: GatewayRefund): Promise<void> {
  const isNews = await notePartRefund(ctx, part, reported);
  if (isNews && reported.state === "failed") logFailure(ctx, part);
  if (isNews && reported.state === "succeeded") {
    const { paymentId: payment, number, amountInPence: pence } = part;
    ctx.log.info({ payment, part: number, pence }, "a payment was given back");
  }
}

function logFailure({ log }: PaymentsContext, { paymentId, number }: PartRefund): void {
  log.error({ payment: paymentId, part: number }, "a part of a refund has failed");
}
