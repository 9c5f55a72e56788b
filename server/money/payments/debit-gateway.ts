import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { PartCheck } from "../../platform/part-check.ts";

/**
 * A provider that collects Direct Debits (Bacs) from companies for us. The rules for cards apply: our keys make repeats harmless, and
 * an error means "unknown". A company agrees once on the gateway's page (a billing request and its flow), which creates a mandate;
 * each year's price is collected under it.
 */
export type DebitGateway = {
  name: string;
  createBillingRequest(request: { key: string; companyId: number; companyName: string }): Promise<BillingRequest>;
  /** The gateway's page on which the company agrees. It expires after some days; another may be opened for the same request. */
  openFlow(flow: NewFlow): Promise<{ authorisationUrl: string; expiresAt: Date }>;
  findBillingRequest(id: string): Promise<BillingRequest | undefined>;
  findMandate(id: string): Promise<Mandate | undefined>;
  collect(debit: NewDebit): Promise<Debit>;
  findDebit(id: string): Promise<Debit | undefined>;
  /** `undefined` when the signature is not the gateway's. */
  readEvents(body: string, headers: WebhookHeaders): DebitEvent[] | undefined;
  /** The gateway's webhook events since then, oldest first: for webhooks that never came, and after a restored backup. */
  listEventsSince(since: Date): Promise<DebitEvent[]>;
  /** Asks the gateway whether our token is valid, and checks the other settings. */
  check(): Promise<PartCheck>;
};

export type BillingRequest = {
  id: string;
  state: "pending" | "fulfilled" | "cancelled";
  /** Once fulfilled. */
  mandateId: string | undefined;
};

export type NewFlow = {
  billingRequestId: string;
  companyName: string;
  email: string;
  /** Where the page returns the browser when the company has agreed, and when it has not. */
  returnUrl: string;
  exitUrl: string;
  /** The site as the operator met it, beside which the demo's page is. */
  site?: string | undefined;
};

/**
 * `pending` and `active` mandates can be collected from. `dead`: failed, cancelled, expired or blocked. `suspended`: by the payer,
 * for now. `replaced`: collections go under `replacementId`.
 */
export type Mandate = {
  id: string;
  state: "pending" | "active" | "suspended" | "dead" | "replaced";
  replacementId: string | undefined;
};

export type NewDebit = {
  key: string;
  mandateId: string;
  amountInPence: number;
  currency: "GBP";
  description: string;
  companyId: number;
};

/** `failed` is for good: while the gateway will try again the debit is `pending`. `charged-back`: paid, then claimed back. */
export type Debit = {
  id: string;
  state: "pending" | "confirmed" | "paid-out" | "failed" | "charged-back" | "cancelled";
};

/** `kind` is `billing-request`, `mandate` or `debit`; any other kind is ignored. */
export type DebitEvent = { id: string; kind: string; subject: string };
