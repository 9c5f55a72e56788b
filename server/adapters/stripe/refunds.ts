import { Stripe } from "stripe";

import type { CardGateway, GatewayRefund, NewRefund } from "../../payments/card-gateway.ts";
import { dispute, refund, toDisputeState, toRefundState } from "./objects.ts";
import { orNothing, type StripeReading } from "./reading.ts";

type Refunding = Pick<CardGateway, "refund" | "findRefund" | "findRefunded" | "findDispute">;

const WITH_INTENT = { expand: ["payment_intent"] };
const LISTED = 100;

export function createStripeRefunding({ refunds, disputes }: Stripe, reading: StripeReading): Refunding {
  async function read(answer: unknown): Promise<GatewayRefund | undefined> {
    const { id, amount, status, payment_intent: paid } = refund.parse(answer);
    const paymentId = await reading.findPaymentId(paid && reading.requireMode(paid));
    if (paymentId === undefined) return undefined;
    return { id, paymentId, amountInPence: amount, state: toRefundState(status) };
  }

  /** What was charged: a payment on Stripe's page goes by another id here. */
  async function findIntentId(paymentId: string): Promise<string | undefined> {
    if (!paymentId.startsWith("cs_")) return paymentId;
    const found = await reading.findSession(paymentId);
    return found?.payment_intent?.id;
  }

  async function ask({ key, amountInPence }: NewRefund, intentId: string): Promise<unknown> {
    try {
      const wanted = { payment_intent: intentId, amount: amountInPence, ...WITH_INTENT };
      return await refunds.create(wanted, { idempotencyKey: key });
    } catch (error) {
      // Stripe forgets a key after a day, not that the money is back.
      const isDone =
        error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "charge_already_refunded";
      const made = isDone ? await findAll(intentId) : undefined;
      if (!made) throw error;
      return made;
    }
  }

  /** What brings a payment back, all of it or a part: one refund, or several, also by hand, told as the slowest of them. */
  async function findAll(intentId: string): Promise<unknown> {
    const expand = ["data.payment_intent"];
    const listed = await orNothing(refunds.list({ payment_intent: intentId, limit: LISTED, expand }));
    const made = (listed?.data ?? []).filter(({ status }) => toRefundState(status) !== "failed");
    const slowest = made.find(({ status }) => toRefundState(status) === "pending") ?? made[0];
    return slowest && { ...slowest, amount: made.reduce((sum, { amount }) => sum + amount, 0) };
  }

  return {
    async refund(wanted) {
      const intentId = await findIntentId(wanted.paymentId);
      if (intentId === undefined) throw new Error("Only what was paid can be refunded");
      const made = await read(await ask(wanted, intentId));
      if (!made) throw new Error("Stripe's refund is of no payment");
      return made;
    },

    async findRefund(id) {
      const found = /^re_\w+$/.test(id) ? await orNothing(refunds.retrieve(id, WITH_INTENT)) : undefined;
      return found && read(found);
    },

    async findRefunded(paymentId) {
      const intentId = (await findIntentId(paymentId)) ?? "";
      const found = /^pi_\w+$/.test(intentId) ? await findAll(intentId) : undefined;
      return found === undefined ? undefined : read(found);
    },

    async findDispute(id) {
      const found = /^d[pu]_\w+$/.test(id) ? await orNothing(disputes.retrieve(id, WITH_INTENT)) : undefined;
      if (!found) return undefined;
      const { status, payment_intent: paid } = reading.requireMode(dispute.parse(found));
      const paymentId = await reading.findPaymentId(paid);
      const state = toDisputeState(status);
      return paymentId === undefined || !state ? undefined : { id, paymentId, state };
    },
  };
}
