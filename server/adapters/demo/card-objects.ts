import { z } from "zod";

import type {
  Decline,
  GatewayPayment,
  GatewayRefund,
  NewHostedPayment,
  NewPayment,
} from "../../payments/card-gateway.ts";
import type { CardOutcome } from "./card-numbers.ts";
import type { DemoObject } from "./store.ts";

/** What the demo's card gateway keeps, and how it looks from outside. */
export const payment = z.object({
  state: z.enum(["requires-method", "requires-action", "processing", "succeeded", "cancelled"]),
  amountInPence: z.int(),
  currency: z.string(),
  customerId: z.string(),
  orderId: z.int(),
  attempt: z.int(),
  description: z.string(),
  /** Where the payer goes on while it waits for them. */
  page: z.enum(["card", "authenticate"]),
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

/** A payment is hosted when it knows where a payer goes who leaves the page. */
export function toPayment(wanted: NewPayment | NewHostedPayment, outcome: Outcome): Payment {
  return {
    amountInPence: wanted.amountInPence,
    currency: wanted.currency,
    customerId: wanted.customerId,
    orderId: wanted.orderId,
    attempt: wanted.attempt,
    description: wanted.description,
    returnUrl: wanted.returnUrl,
    ...("cancelUrl" in wanted ? { page: "card", cancelUrl: wanted.cancelUrl } : { page: "authenticate" }),
    refundedInPence: 0,
    ...outcome,
  };
}

/** The gateway's page is beside the one that the payer comes back to, on the same site. */
export function toPageUrl(id: string, { page, returnUrl }: Pick<Payment, "page" | "returnUrl">): string {
  return new URL(`demo-gateway/${page}/${id}`, returnUrl).href;
}

export function toGatewayPayment({ id, body }: DemoObject): GatewayPayment {
  const kept = payment.parse(body);
  const { state, amountInPence, currency, customerId, orderId, attempt, decline } = kept;
  return {
    id,
    state,
    amountInPence,
    currency,
    customerId,
    orderId,
    attempt,
    actionUrl: state === "requires-action" ? toPageUrl(id, kept) : undefined,
    decline,
  };
}

export function toGatewayRefund({ id, body }: DemoObject): GatewayRefund {
  return { id, ...refund.parse(body), state: "succeeded" };
}
