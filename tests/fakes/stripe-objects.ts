import { randomBytes } from "node:crypto";
import type { Stripe } from "stripe";

import { openContract } from "../vendors/contract.ts";

/** The version that the contract beside `tests/vendors` describes and the SDK pins. */
export const API_VERSION = "2026-10-28.endive";

export type About = { created: number; livemode: boolean };

const contract = openContract("stripe-contract.json");

/** Required fields that are not set are `null`, as at Stripe. */
function build<Built>(schema: string, known: Partial<Built>): Built {
  return { ...contract.listNulls(schema), ...known } as Built;
}

export function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

export function newCustomer(params: Params, about: About): Stripe.Customer {
  return build<Stripe.Customer>("Customer", {
    ...about,
    id: makeId("cus"),
    object: "customer",
    address: { ...NO_ADDRESS, ...toParams(params.address) },
    balance: 0,
    description: toText(params.description) ?? null,
    email: toText(params.email) ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    metadata: toMetadata(params.metadata),
    name: toText(params.name) ?? null,
  });
}

export function newMethod(last4: string, { billing, ...about }: About & { billing: Params }) {
  return build<Stripe.PaymentMethod>("PaymentMethod", {
    ...about,
    id: makeId("pm"),
    object: "payment_method",
    billing_details: {
      address: { ...NO_ADDRESS, ...toParams(billing.address) },
      email: toText(billing.email) ?? null,
      name: toText(billing.name) ?? null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: "visa",
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "unchecked" },
      country: "GB",
      display_brand: "visa",
      exp_month: 12,
      exp_year: 2034,
      funding: "credit",
      generated_from: null,
      last4,
      networks: { available: ["visa"], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    metadata: {},
    type: "card",
  });
}

export type NewIntent = Pick<Stripe.PaymentIntent, "amount" | "currency" | "description" | "metadata"> & {
  customer: string | null;
};

export function newIntent(wanted: NewIntent, about: About): Stripe.PaymentIntent {
  const id = makeId("pi");
  return build<Stripe.PaymentIntent>("PaymentIntent", {
    ...wanted,
    ...about,
    id,
    object: "payment_intent",
    allowed_payment_method_types: ["card"],
    amount_capturable: 0,
    amount_received: 0,
    capture_method: "automatic",
    client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
    confirmation_method: "automatic",
    payment_method_options: {},
    payment_method_types: ["card"],
    status: "requires_payment_method",
  });
}

type NewRefund = { amount: number; metadata: Stripe.Metadata; created: number };

export function newRefund(paid: Stripe.PaymentIntent, { amount, metadata, created }: NewRefund) {
  return build<Stripe.Refund>("Refund", {
    id: makeId("re"),
    object: "refund",
    amount,
    balance_transaction: makeId("txn"),
    charge: paid.latest_charge,
    created,
    currency: paid.currency,
    customer: paid.customer,
    destination_details: { card: { type: "refund" }, type: "card" },
    metadata,
    payment_intent: paid.id,
    payment_method: typeof paid.payment_method === "string" ? paid.payment_method : null,
    status: "succeeded",
  });
}

export type NewSession = {
  amount: number;
  currency: string;
  customer: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string | null;
  expiresAt: number;
  locale: Stripe.Checkout.Session.Locale | null;
  /** The page's address without the session's id. */
  pageBase: string;
};

/** Its PaymentIntent comes with the first try at paying. */
export function newSession(wanted: NewSession, about: About): Stripe.Checkout.Session {
  const id = `cs_${about.livemode ? "live" : "test"}_${randomBytes(24).toString("hex")}`;
  return build<Stripe.Checkout.Session>("Checkout.Session", {
    ...about,
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: ["card"],
    amount_subtotal: wanted.amount,
    amount_total: wanted.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: wanted.cancelUrl,
    client_reference_id: wanted.clientReferenceId,
    currency: wanted.currency,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: wanted.customer,
    expires_at: wanted.expiresAt,
    locale: wanted.locale,
    metadata: wanted.metadata,
    mode: "payment",
    payment_method_collection: "if_required",
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    shipping_options: [],
    status: "open",
    success_url: wanted.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${wanted.pageBase}${id}`,
  });
}

/** No contract file has disputes: these are the fields that the adapter and its tests read. */
export function newDispute(paid: Stripe.PaymentIntent, about: About & { status: Stripe.Dispute.Status }) {
  return {
    ...about,
    id: makeId("du"),
    object: "dispute",
    amount: paid.amount_received,
    charge: typeof paid.latest_charge === "string" ? paid.latest_charge : "",
    currency: paid.currency,
    is_charge_refundable: false,
    metadata: {},
    payment_intent: paid.id,
    reason: "fraudulent",
  } as unknown as Stripe.Dispute;
}

export type Params = { [name: string]: ParamValue };
export type ParamValue = string | Params | ParamValue[];

/** Reads `metadata[order_id]=7&expand[0]=payment_intent` as Stripe does: brackets nest, and numbers in them count. */
export function readForm(text: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const steps = [...name.matchAll(/[^[\]]+/g)].map(([step]) => step);
    put(root, steps, value);
  }
  return toLists(root) as Params;
}

function put(into: Params, [step = "", ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    into[step] = value;
    return;
  }
  const next = into[step];
  const below: Params = typeof next === "object" && !Array.isArray(next) ? next : {};
  into[step] = below;
  put(below, rest, value);
}

function toLists(value: ParamValue): ParamValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, toLists(each)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, each]) => each) : Object.fromEntries(entries);
}

export function toTexts(value: ParamValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function toText(value: ParamValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function toParams(value: ParamValue | undefined): Params {
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** Metadata is always text. */
export function toMetadata(value: ParamValue | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(toParams(value)).map(([name, each]) => [name, toText(each) ?? ""]));
}

/** A status, and Stripe's fields under `error`. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: { error: Record<string, unknown> & { type: string } };
  /** Refused before anything began: nothing is stored under the idempotency key. */
  readonly isBeforehand: boolean;

  constructor(status: number, error: Record<string, unknown> & { type: string }, isBeforehand = false) {
    super(String(error.message));
    this.status = status;
    this.body = { error };
    this.isBeforehand = isBeforehand;
  }
}

const INVALID = "invalid_request_error";

export function invalid(message: string, more: { param?: string; code?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { type: INVALID, message, ...more }, true);
}

export function missing(what: string, { id, param }: { id: string; param: string }): StripeRefusal {
  const message = `No such ${what}: '${id}'`;
  // Named by a path 404, by a parameter 400.
  return new StripeRefusal(
    param === "id" ? 404 : 400,
    { type: INVALID, code: "resource_missing", message, param },
    true,
  );
}

/** Valid, but impossible in the present state. */
export function impossible(message: string, more: Record<string, unknown> = {}): StripeRefusal {
  return new StripeRefusal(400, { type: INVALID, message, ...more });
}
