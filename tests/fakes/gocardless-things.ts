import { randomBytes } from "node:crypto";

import { after, DAY_IN_MS } from "../../server/clock.ts";

/** GoCardless's objects as it answers them, and the answers with which it refuses. */

export type Links = Record<string, string>;
export type Thing = { id: string; created_at: string; status?: string; links?: Links } & Record<string, unknown>;
export type Words = Record<string, string>;

export type EventThing = {
  id: string;
  created_at: string;
  resource_type: "billing_requests" | "mandates" | "payments" | "payouts";
  action: string;
  links: Links;
  details: Record<string, unknown>;
  metadata: Words;
  resource_metadata: Words;
};

/** A refusal, as https://developer.gocardless.com/api-reference describes it under "Errors". */
export class Refused extends Error {
  readonly status: number;
  readonly type: string;
  readonly fault: { message: string; reason?: string; field?: string; links?: Links };

  constructor(status: number, type: string, fault: Refused["fault"]) {
    super(fault.message);
    this.status = status;
    this.type = type;
    this.fault = fault;
  }
}

export function refusalOf({ status, type, fault, message }: Refused) {
  return {
    error: {
      message,
      type,
      code: status,
      request_id: "00000000-0000-4000-8000-000000000000",
      documentation_url: "https://developer.gocardless.com/api-reference#errors",
      errors: [fault],
    },
  };
}

export const notFound = () =>
  new Refused(404, "invalid_api_usage", { message: "Resource not found", reason: "resource_not_found" });

/** Two letters and thirteen of the alphabet, as real ones look. */
export function makeId(prefix: string): string {
  return prefix + randomBytes(7).toString("hex").toUpperCase().slice(0, 13);
}

const CREDITOR = "CR000FAKE";

type NewRequest = { mandate_request: { scheme: string; currency: string }; metadata?: Words };

export function newBillingRequest({ mandate_request, metadata = {} }: NewRequest, now: Date): Thing {
  return {
    id: makeId("BRQ"),
    created_at: now.toISOString(),
    status: "pending",
    mandate_request: { ...mandate_request, links: {}, metadata: {}, verify: "minimum" },
    payment_request: null,
    metadata,
    fallback_enabled: false,
    fallback_occurred: false,
    actions: ["collect_customer_details", "collect_bank_account", "confirm_payer_details"].map(newAction),
    links: { creditor: CREDITOR, customer: makeId("CU"), mandate_request: makeId("MRQ") },
  };
}

function newAction(type: string) {
  return { type, required: true, status: "pending", completes_actions: [], requires_actions: [] };
}

export type NewFlow = { redirect_uri: string; exit_uri: string; links: { billing_request: string } };

export function newFlow(wanted: NewFlow, { now, origin }: { now: Date; origin: string }): Thing {
  const id = makeId("BRF");
  return {
    prefilled_bank_account: null,
    ...wanted,
    id,
    authorisation_url: `${origin}/flow?id=${id}`,
    auto_fulfil: true,
    lock_customer_details: false,
    lock_bank_account: false,
    lock_currency: false,
    session_token: null,
    created_at: now.toISOString(),
    expires_at: after(now, 7 * DAY_IN_MS).toISOString(),
  };
}

export function newMandate(customer: string, now: Date): Thing {
  return {
    id: makeId("MD"),
    created_at: now.toISOString(),
    reference: makeId("DORM-"),
    status: "pending_submission",
    scheme: "bacs",
    next_possible_charge_date: dayOf(after(now, 5 * DAY_IN_MS)),
    payments_require_approval: false,
    metadata: {},
    consent_parameters: null,
    consent_type: null,
    verified_at: null,
    links: { creditor: CREDITOR, customer, customer_bank_account: makeId("BA") },
  };
}

export type NewPayment = {
  amount: number;
  currency: string;
  description?: string;
  metadata?: Words;
  retry_if_possible?: boolean;
  links: { mandate: string };
};

export function newPayment(wanted: NewPayment, now: Date): Thing {
  const { amount, currency, description = null, metadata = {}, retry_if_possible = false, links } = wanted;
  return {
    id: makeId("PM"),
    created_at: now.toISOString(),
    charge_date: dayOf(after(now, 5 * DAY_IN_MS)),
    amount,
    amount_refunded: 0,
    currency,
    description,
    metadata,
    retry_if_possible,
    reference: null,
    scheme: "bacs",
    status: "pending_submission",
    faster_ach: null,
    links: { creditor: CREDITOR, ...links },
  };
}

export const creditor = {
  id: CREDITOR,
  created_at: "2026-01-01T12:00:00.000Z",
  name: "Sleep Well Ltd",
  country_code: "GB",
  verification_status: "successful",
  links: {},
};

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
