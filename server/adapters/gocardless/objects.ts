import { z } from "zod";

import type { BillingRequest, Debit, Mandate } from "../../money/payments/debit-gateway.ts";

/**
 * The parts of GoCardless's objects that we read. An unknown status is refused: the company's state is then unknown,
 * and nothing is done.
 */
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((all) => all ?? {});

export const billingRequestAnswer = z.object({
  billing_requests: z.object({
    id: z.string(),
    status: z.enum(["pending", "ready_to_fulfil", "fulfilling", "fulfilled", "cancelled"]),
    links: z.object({ mandate_request_mandate: z.string().optional() }).optional(),
    metadata,
  }),
});

export const flowAnswer = z.object({
  billing_request_flows: z.object({ authorisation_url: z.url({ protocol: /^https?$/ }), expires_at: z.coerce.date() }),
});

export const mandateAnswer = z.object({
  mandates: z.object({
    id: z.string(),
    status: z.enum([
      "pending_customer_approval",
      "pending_submission",
      "submitted",
      "active",
      "suspended_by_payer",
      "failed",
      "cancelled",
      "expired",
      "consumed",
      "blocked",
    ]),
    links: z.object({ new_mandate: z.string().optional() }).optional(),
  }),
});

export const paymentAnswer = z.object({
  payments: z.object({
    id: z.string(),
    status: z.enum([
      "pending_customer_approval",
      "pending_submission",
      "submitted",
      "confirmed",
      "paid_out",
      "cancelled",
      "customer_approval_denied",
      "failed",
      "charged_back",
    ]),
    amount: z.int(),
    currency: z.string(),
    metadata,
  }),
});

export const creditorsAnswer = z.object({
  creditors: z.array(z.object({ name: z.string().nullish(), verification_status: z.string().optional() })),
});

type RequestBody = z.infer<typeof billingRequestAnswer>["billing_requests"];
type MandateBody = z.infer<typeof mandateAnswer>["mandates"];
type PaymentBody = z.infer<typeof paymentAnswer>["payments"];

const requestStates: Record<RequestBody["status"], BillingRequest["state"]> = {
  pending: "pending",
  ready_to_fulfil: "pending",
  fulfilling: "pending",
  fulfilled: "fulfilled",
  cancelled: "cancelled",
};

const mandateStates: Record<MandateBody["status"], Mandate["state"]> = {
  pending_customer_approval: "pending",
  pending_submission: "pending",
  submitted: "pending",
  active: "active",
  suspended_by_payer: "suspended",
  failed: "dead",
  cancelled: "dead",
  expired: "dead",
  consumed: "dead",
  blocked: "dead",
};

const debitStates: Record<PaymentBody["status"], Debit["state"]> = {
  pending_customer_approval: "pending",
  pending_submission: "pending",
  submitted: "pending",
  confirmed: "confirmed",
  paid_out: "paid-out",
  cancelled: "cancelled",
  customer_approval_denied: "cancelled",
  failed: "failed",
  charged_back: "charged-back",
};

export function toBillingRequest({ id, status, links }: RequestBody): BillingRequest {
  return { id, state: requestStates[status], mandateId: links?.mandate_request_mandate };
}

/** A replaced mandate stays, cancelled, and links to the next one. */
export function toMandate({ id, status, links }: MandateBody): Mandate {
  const replacementId = links?.new_mandate;
  return { id, state: replacementId === undefined ? mandateStates[status] : "replaced", replacementId };
}

/** D8: GoCardless calls a payment failed even if it will try again; only the event tells. */
export function toDebit({ id, status }: PaymentBody, { isTriedAgain }: { isTriedAgain: boolean }): Debit {
  return { id, state: status === "failed" && isTriedAgain ? "pending" : debitStates[status] };
}
