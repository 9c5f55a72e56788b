import { z } from "zod";

import type { Decline, GatewayPayment, GatewayRefund, NewHostedPayment, NewPayment } from "../payments/card-gateway.ts";
import type { CardOutcome } from "./demo-card-numbers.ts";
import type { DemoObject } from "./demo-store.ts";

/** What the demo's card gateway keeps, and how it looks from outside. */
export const payment = z.object({
  state: z.enum(["requires-method", "requires-action", "processing", "succeeded", "cancelled"]),
  amountInPence: z.int(),
  currency: z.string(),
  customerId: z.string(),
  orderId: z.int(),
  attempt: z.int(),
  description: z.string(),
  actionUrl: z.string().optional(),
  decline: z.custom<Decline>((value) => typeof value === "string").optional(),
  returnUrl: z.string(),
  cancelUrl: z.string().optional(),
  refundedInPence: z.int(),
});

type Payment = z.infer<typeof payment>;

export const method = z.object({
  outcome: z.custom<CardOutcome>((value) => typeof value === "string"),
  last4: z.string(),
});
const refund = z.object({ paymentId: z.string(), amountInPence: z.int() });

export type Outcome = Pick<Payment, "state" | "decline">;

export const outcomes: Record<CardOutcome, Outcome> = {
  paid: { state: "succeeded" },
  declined: { state: "requires-method", decline: "declined" },
  "insufficient-funds": { state: "requires-method", decline: "insufficient-funds" },
  authentication: { state: "requires-action" },
};

export function toPayment(wanted: NewPayment | NewHostedPayment, outcome: Outcome): Payment {
  return {
    amountInPence: wanted.amountInPence,
    currency: wanted.currency,
    customerId: wanted.customerId,
    orderId: wanted.orderId,
    attempt: wanted.attempt,
    description: wanted.description,
    returnUrl: wanted.returnUrl,
    ...("cancelUrl" in wanted && { cancelUrl: wanted.cancelUrl }),
    refundedInPence: 0,
    ...outcome,
  };
}

export function toGatewayPayment({ id, body }: DemoObject): GatewayPayment {
  const { state, amountInPence, currency, customerId, orderId, attempt, actionUrl, decline } = payment.parse(body);
  const isWaiting = state === "requires-action";
  return {
    id,
    state,
    amountInPence,
    currency,
    customerId,
    orderId,
    attempt,
    actionUrl: isWaiting ? actionUrl : undefined,
    decline,
  };
}

export function toGatewayRefund({ id, body }: DemoObject): GatewayRefund {
  return { id, paymentId: refund.parse(body).paymentId, state: "succeeded" };
}
