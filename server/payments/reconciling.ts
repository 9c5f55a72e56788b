import { after, HOUR_IN_MS, SECOND_IN_MS } from "../clock.ts";
import { findAttempt, isLive, listAttemptsInStates, touchAttempt, type Attempt } from "./attempts.ts";
import { ABANDONED_AFTER_IN_MS } from "./charging.ts";
import { giveUpOrder } from "./checkout.ts";
import type { PaymentsContext } from "./context.ts";
import { listOrdersInState } from "./orders.ts";
import { refundAttempt } from "./refunds.ts";
import { completeOrder, lookUpPayment, notePayment } from "./settlement.ts";
import { liveStates } from "./states.ts";

/** A payment that was left alone for so long is looked up: less than the interval of the job, so in each of its runs. */
const LOOK_AFTER_IN_MS = 30 * SECOND_IN_MS;
/** An order that is not paid for so long is closed, as its draft is. */
const ORDER_LIFE_IN_MS = 24 * HOUR_IN_MS;
const AT_ONCE = 100;

/** Finishes what crashes, lost answers and closed tabs have left: run every minute (C2–C7, C16, C17, C19). */
export async function reconcile(ctx: PaymentsContext): Promise<void> {
  const now = { notSince: ctx.clock(), limit: AT_ONCE };
  const ago = (ms: number) => ({ notSince: after(ctx.clock(), -ms), limit: AT_ONCE });
  for (const attempt of await listAttemptsInStates(ctx, { states: liveStates, ...ago(LOOK_AFTER_IN_MS) })) {
    await repair(ctx, { payment: attempt.id }, () => lookAgain(ctx, attempt));
  }
  for (const order of await listOrdersInState(ctx, { state: "paid", ...now })) {
    await repair(ctx, { order: order.id }, () => completeOrder(ctx, order.id));
  }
  for (const attempt of await listAttemptsInStates(ctx, { states: ["refunding"], ...now })) {
    await repair(ctx, { payment: attempt.id }, () => refundAgain(ctx, attempt));
  }
  for (const attempt of await listAttemptsInStates(ctx, { states: ["refund-failed"], ...ago(HOUR_IN_MS) })) {
    await repair(ctx, { payment: attempt.id }, () => refundAgain(ctx, attempt));
  }
  for (const { id } of await listOrdersInState(ctx, { state: "awaiting-payment", ...ago(ORDER_LIFE_IN_MS) })) {
    await repair(ctx, { order: id }, async () => void (await giveUpOrder(ctx, id)));
  }
}

async function lookAgain(ctx: PaymentsContext, attempt: Attempt): Promise<void> {
  await touchAttempt(ctx, attempt.id);
  await lookUpPayment(ctx, attempt.id);
  const looked = await findAttempt(ctx, attempt.id);
  const isAbandoned = ctx.clock() >= after(attempt.createdAt, ABANDONED_AFTER_IN_MS);
  if (!looked?.gatewayId || !isLive(looked) || !isAbandoned) return;
  await notePayment(ctx, looked.id, await ctx.gateway.cancelPayment(looked.gatewayId));
}

async function refundAgain(ctx: PaymentsContext, attempt: Attempt): Promise<void> {
  await touchAttempt(ctx, attempt.id);
  await refundAttempt(ctx, attempt);
}

/** One that cannot be repaired now must not hold up the others. */
async function repair({ log }: PaymentsContext, facts: object, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn({ ...facts, error }, "a payment could not be reconciled yet");
  }
}
