import { Stripe } from "stripe";

import type { GatewayDispute, GatewayRefund, NewRefund } from "../../money/payments/card-gateway.ts";
import { findIntentId, findPaymentId, orUndefined, requireMode, type StripeContext } from "./client.ts";
import { dispute, refund, toDisputeState, toRefundState } from "./objects.ts";

const WITH_INTENT = { expand: ["payment_intent"] };
const LISTED = 100;
/** In a part's metadata, because Stripe forgets an idempotency key after a day. */
const PART_KEY = "part";

export async function refundPayment(stripe: StripeContext, wanted: NewRefund): Promise<GatewayRefund> {
  const intentId = await findIntentId(stripe, wanted.paymentId);
  if (intentId === undefined) throw new Error("Only what was paid can be refunded");
  const made = await readRefund(stripe, await createRefund(stripe, { wanted, intentId }));
  if (!made) throw new Error("Stripe's refund is of no payment");
  return made;
}

export async function findRefund(stripe: StripeContext, id: string): Promise<GatewayRefund | undefined> {
  const { refunds } = stripe.client;
  const found = /^re_\w+$/.test(id) ? await orUndefined(refunds.retrieve(id, WITH_INTENT)) : undefined;
  return found && readRefund(stripe, found);
}

export async function findPartRefund(
  stripe: StripeContext,
  { key, paymentId }: { key: string; paymentId: string },
): Promise<GatewayRefund | undefined> {
  const intentId = (await findIntentId(stripe, paymentId)) ?? "";
  const made = /^pi_\w+$/.test(intentId) ? await listRefunds(stripe, intentId) : [];
  const found = made.find(({ metadata }) => metadata?.[PART_KEY] === key);
  return found && readRefund(stripe, found);
}

export async function findRefunded(stripe: StripeContext, paymentId: string): Promise<GatewayRefund | undefined> {
  const intentId = (await findIntentId(stripe, paymentId)) ?? "";
  const found = /^pi_\w+$/.test(intentId) ? await sumRefunds(stripe, intentId) : undefined;
  return found === undefined ? undefined : readRefund(stripe, found);
}

export async function findDispute(stripe: StripeContext, id: string): Promise<GatewayDispute | undefined> {
  const { disputes } = stripe.client;
  const found = /^d[pu]_\w+$/.test(id) ? await orUndefined(disputes.retrieve(id, WITH_INTENT)) : undefined;
  if (!found) return undefined;
  const { status, payment_intent: paid } = requireMode(stripe, dispute.parse(found));
  const paymentId = await findPaymentId(stripe, paid);
  const state = toDisputeState(status);
  return paymentId === undefined || !state ? undefined : { id, paymentId, state };
}

async function createRefund(
  stripe: StripeContext,
  { wanted, intentId }: { wanted: NewRefund; intentId: string },
): Promise<unknown> {
  try {
    const params = {
      payment_intent: intentId,
      amount: wanted.amountInPence,
      ...(wanted.isPart && { metadata: { [PART_KEY]: wanted.key } }),
      ...WITH_INTENT,
    };
    return await stripe.client.refunds.create(params, { idempotencyKey: wanted.key });
  } catch (error) {
    // Stripe forgets a key after a day, but not that the money is back. That does not cover one part of it.
    const isDone = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "charge_already_refunded";
    const made = isDone && !wanted.isPart ? await sumRefunds(stripe, intentId) : undefined;
    if (!made) throw error;
    return made;
  }
}

/** As one, in the state of the slowest, without failed ones; some may have been made by hand. */
async function sumRefunds(stripe: StripeContext, intentId: string): Promise<unknown> {
  const made = (await listRefunds(stripe, intentId)).filter(({ status }) => toRefundState(status) !== "failed");
  const slowest = made.find(({ status }) => toRefundState(status) === "pending") ?? made[0];
  return slowest && { ...slowest, amount: made.reduce((sum, { amount }) => sum + amount, 0) };
}

async function listRefunds({ client }: StripeContext, intentId: string): Promise<Stripe.Refund[]> {
  const expand = ["data.payment_intent"];
  const listed = await orUndefined(client.refunds.list({ payment_intent: intentId, limit: LISTED, expand }));
  return listed?.data ?? [];
}

async function readRefund(stripe: StripeContext, answer: unknown): Promise<GatewayRefund | undefined> {
  const { id, amount, status, payment_intent: paid } = refund.parse(answer);
  const paymentId = await findPaymentId(stripe, paid && requireMode(stripe, paid));
  if (paymentId === undefined) return undefined;
  return { id, paymentId, amountInPence: amount, state: toRefundState(status) };
}
