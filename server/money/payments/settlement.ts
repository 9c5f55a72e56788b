import { after, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { GatewayEvent } from "../../platform/webhooks/webhooks.ts";
import {
  advanceAttempt,
  type Attempt,
  bindAttempt,
  findAttempt,
  findAttemptByGatewayId,
  findLiveAttempt,
  listAttempts,
} from "./attempts.ts";
import type { GatewayPayment } from "./card-gateway.ts";
import { logJoining, type PaymentsContext, transact } from "./context.ts";
import { advanceOrder, findOrder, listOrdersOfPurchase, lockOrder, noteCompletion, type Purchase } from "./orders.ts";
import { noteReportedPartRefund } from "./part-refunds.ts";
import { giveBack, noteDispute, noteReportedRefund, refundOrder } from "./refunds.ts";
import { gatewayEvents } from "./states.ts";

/**
 * The consequences of a payment's state at the gateway, for the payment page, the return page, webhook events and the
 * reconciling job. Each step is a conditional update, so it happens once, whichever of them comes first.
 */

/** A payment that the gateway does not list after so long was never requested: calls give up far earlier. */
const LOST_AFTER_IN_MS = 2 * MINUTE_IN_MS;

/** Looks up a payment under way, and finishes what follows. */
export async function settlePurchase(ctx: PaymentsContext, purchase: Purchase): Promise<void> {
  for (const order of await listOrdersOfPurchase(ctx, purchase)) {
    if (order.state === "paid") await completeOrder(ctx, order.id);
    if (order.state !== "awaiting-payment") continue;
    const live = await findLiveAttempt(ctx, order.id);
    // While the gateway cannot be reached, nothing changes and the page says "checking".
    if (live) await lookUpPayment(ctx, live.id).catch(() => undefined);
  }
}

/** Throws when the gateway cannot be reached. */
export async function lookUpPayment(ctx: PaymentsContext, attemptId: number): Promise<void> {
  const attempt = await findAttempt(ctx, attemptId);
  if (!attempt) return;
  const payment = attempt.gatewayId
    ? await ctx.gateway.findPayment(attempt.gatewayId)
    : await findUnnoted(ctx, attempt);
  if (payment) return notePayment(ctx, attemptId, payment);
  if (attempt.gatewayId || ctx.clock() < after(attempt.createdAt, LOST_AFTER_IN_MS)) return;
  await advanceAttempt(ctx, attemptId, { event: "declined", facts: { decline: "gateway-unavailable" } });
}

/**
 * The payment of an attempt whose answer was lost. Another installation at the same gateway may have the same numbers,
 * but not our customer.
 */
async function findUnnoted(ctx: PaymentsContext, { orderId, number }: Attempt): Promise<GatewayPayment | undefined> {
  const order = await findOrder(ctx, orderId);
  // Every payment request comes after the order's customer is stored.
  if (!order?.customerId) return undefined;
  const listed = await ctx.gateway.listPaymentsFor({ orderId, customerId: order.customerId });
  return listed.find((each) => each.attempt === number && each.customerId === order.customerId);
}

/** Stores the gateway's state of a payment, and finishes what follows. */
export async function notePayment(ctx: PaymentsContext, attemptId: number, payment: GatewayPayment): Promise<void> {
  const attempt = await claimAttempt(ctx, attemptId, payment);
  if (!attempt) return;
  if (payment.state === "succeeded") return noteSuccess(ctx, attempt, payment);
  const { actionUrl, decline } = payment;
  const didFail = await advanceAttempt(ctx, attemptId, {
    event: gatewayEvents[payment.state],
    facts: { actionUrl, decline },
  });
  // A declined payment stays open at the gateway; it must not take money unnoticed.
  if (!didFail || payment.state !== "requires-method") return;
  const closed = await ctx.gateway.cancelPayment(payment.id).catch(() => undefined);
  if (closed?.state === "succeeded") await noteSuccess(ctx, attempt, closed);
}

/** An attempt's first payment is its only one, and has our customer. */
async function claimAttempt(
  ctx: PaymentsContext,
  attemptId: number,
  payment: GatewayPayment,
): Promise<Attempt | undefined> {
  const named = await findAttempt(ctx, attemptId);
  const order = named && (await findOrder(ctx, named.orderId));
  const isOurs = order?.customerId === payment.customerId;
  if (isOurs) await bindAttempt(ctx, attemptId, payment.id);
  const attempt = isOurs ? await findAttempt(ctx, attemptId) : undefined;
  if (attempt?.gatewayId === payment.id) return attempt;
  ctx.log.error({ payment: attemptId, gatewayId: payment.id }, "a payment has our number and is not ours");
  return undefined;
}

/** Pays for the order; or is refunded, if the order is paid already or the sum is wrong. */
async function noteSuccess(ctx: PaymentsContext, attempt: Attempt, payment: GatewayPayment): Promise<void> {
  const order = await findOrder(ctx, attempt.orderId);
  if (!order) return;
  const isRight = payment.amountInPence === attempt.amountInPence && payment.currency === "GBP";
  if (!isRight) ctx.log.error({ order: order.id, payment: attempt.id }, "a payment differs from its order");
  const isNews = await transact(ctx, async (trx) => {
    if (!(await advanceAttempt(trx, attempt.id, { event: "succeeded" }))) return false;
    if (isRight && (await advanceOrder(trx, order.id, "paid"))) return true;
    await advanceAttempt(trx, attempt.id, { event: "refund-wanted" });
    const taken = { ...attempt, amountInPence: payment.amountInPence };
    await ctx.emails.refund({ order, attempt: taken, cause: isRight ? "paid-twice" : "wrong-amount" }, trx.db);
    return true;
  });
  if (isNews)
    ctx.log.info({ order: order.id, payment: attempt.id, pence: payment.amountInPence }, "a payment succeeded");
  ctx.reach("order-paid");
  await completeOrder(ctx, order.id);
}

export async function completeOrder(ctx: PaymentsContext, orderId: number): Promise<void> {
  const done = await transact(ctx, async (trx) => {
    const order = await lockOrder(trx, orderId, "paid");
    if (!order) return undefined;
    const fulfilment = await ctx.fulfil(order, trx.db);
    if (!fulfilment.ok) {
      // Only orders without a payment have a code.
      await giveBack(trx, order, fulfilment.reason === "code-refused" ? "sign-up-gone" : fulfilment.reason);
      return undefined;
    }
    await advanceOrder(trx, orderId, "completed");
    const completed = await noteCompletion(trx, orderId, fulfilment);
    if (!("isGift" in fulfilment)) await ctx.emails.receipt(completed, trx.db);
    ctx.reach("order-completing");
    return fulfilment;
  });
  if (done) logJoining(ctx, done);
  ctx.reach("order-completed");
  await refundOrder(ctx, orderId);
}

/** The event names the payment, refund or dispute to look up. */
export async function handleEvent(ctx: PaymentsContext, { kind, subject }: GatewayEvent): Promise<void> {
  if (kind === "payment") await handlePayment(ctx, subject);
  if (kind === "refund") {
    const refund = await ctx.refunds?.findRefund(subject);
    if (refund) await noteReportedRefund(ctx, refund);
    if (refund) await noteReportedPartRefund(ctx, refund);
  }
  if (kind === "dispute") {
    const dispute = await ctx.refunds?.findDispute(subject);
    // A bank may be faster than our own record of the payment: a purchase must exist before it can end.
    if (dispute) await handlePayment(ctx, dispute.paymentId);
    if (dispute) await noteDispute(ctx, dispute);
  }
}

/**
 * Finds the attempt by the stored payment id, else by the payment's own data; other payments are ignored. Of several
 * ids of a payment, the one that the gateway returns counts.
 */
async function handlePayment(ctx: PaymentsContext, paymentId: string): Promise<void> {
  const payment = await ctx.gateway.findPayment(paymentId);
  if (!payment) return;
  const attempt =
    (await findAttemptByGatewayId(ctx, payment.id)) ??
    (await listAttempts(ctx, payment.orderId ?? 0)).find(({ number }) => number === payment.attempt);
  if (attempt) await notePayment(ctx, attempt.id, payment);
}
