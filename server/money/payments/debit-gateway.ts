import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { PartCheck } from "../../platform/part-check.ts";

/**
 * A provider that collects Direct Debits (Bacs) from companies, by the rules for cards: our keys make repeats harmless,
 * and an error means "unknown". A company agrees once on the gateway's page (a billing request and its flow), which
 * creates a mandate; each year's price is collected under it.
 */
export type DebitGateway = {
  name: string;
  /** As of a `CardGateway`. */
  dashboard?: DebitDashboard;
  createBillingRequest(request: { key: string; companyId: number; companyName: string }): Promise<BillingRequest>;
  /** The page of a company's agreement. It expires after some days; another may be opened for the same request. */
  openFlow(flow: NewFlow): Promise<{ authorisationUrl: string; expiresAt: Date }>;
  findBillingRequest(id: string): Promise<BillingRequest | undefined>;
  findMandate(id: string): Promise<Mandate | undefined>;
  collect(debit: NewDebit): Promise<Debit>;
  findDebit(id: string): Promise<Debit | undefined>;
  /** `undefined` when the signature is wrong. */
  readEvents(body: string, headers: WebhookHeaders): DebitEvent[] | undefined;
  /** The oldest first, as from a `CardGateway`. */
  listEventsSince(since: Date): Promise<DebitEvent[]>;
  check(): Promise<PartCheck>;
};

export type DebitDashboard = {
  title: string;
  mandateUrl(mandateId: string): string;
  debitUrl(debitId: string): string;
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
  /** Where the browser returns after the agreement, and without it. */
  returnUrl: string;
  exitUrl: string;
  /** The site that the operator used; the demo's page is beside it. */
  site?: string | undefined;
};

/**
 * `pending` and `active` allow debits. `dead`: failed, cancelled, expired or blocked. `suspended`: by the payer, for
 * now. `replaced`: use `replacementId`.
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

/** `failed` is final: a debit that the gateway will try again is `pending`. `charged-back`: paid, then claimed back. */
export type Debit = {
  id: string;
  state: "pending" | "confirmed" | "paid-out" | "failed" | "charged-back" | "cancelled";
};

/** `kind` is `billing-request`, `mandate` or `debit`; any other kind is ignored. */
export type DebitEvent = { id: string; kind: string; subject: string };
