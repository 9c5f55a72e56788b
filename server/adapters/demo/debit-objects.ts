import { z } from "zod";

import type { BillingRequest, Debit, Mandate } from "../../payments/debit-gateway.ts";
import type { DemoObject } from "./store.ts";

/** What the demo's Direct Debit gateway keeps of each thing, and how the product sees it. */
export const request = z.object({
  state: z.enum(["pending", "fulfilled", "cancelled"]),
  mandateId: z.string().optional(),
});

export const flow = z.object({
  billingRequestId: z.string(),
  companyName: z.string(),
  returnUrl: z.string(),
  exitUrl: z.string(),
  expiresAt: z.string(),
});

export const mandate = z.object({
  state: z.enum(["pending", "active", "suspended", "dead", "replaced"]),
  replacementId: z.string().optional(),
  /** All that is kept of the account. */
  accountEnding: z.string(),
});

export const debit = z.object({
  mandateId: z.string(),
  amountInPence: z.int(),
  description: z.string(),
  companyId: z.int(),
  state: z.enum(["pending", "confirmed", "paid-out", "failed", "charged-back", "cancelled"]),
});

export function toBillingRequest({ id, body }: DemoObject): BillingRequest {
  const { state, mandateId } = request.parse(body);
  return { id, state, mandateId };
}

export function toMandate({ id, body }: DemoObject): Mandate {
  const { state, replacementId } = mandate.parse(body);
  return { id, state, replacementId };
}

export function toDebit({ id, body }: DemoObject): Debit {
  return { id, state: debit.parse(body).state };
}
