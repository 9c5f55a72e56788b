import { randomBytes } from "node:crypto";
import type { Stripe } from "stripe";

import type { CardFate } from "./stripe-cards.ts";
import { metadataOf, paramsOf, textOf, type Params } from "./stripe-form.ts";

/** Whole objects as Stripe answers them, of the SDK's own types; what we never ask for is `null`, as it would be. */
export type About = { created: number; livemode: boolean };

export function makeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString("hex")}`;
}

const NO_ADDRESS = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };

export function newCustomer(params: Params, { created, livemode }: About): Stripe.Customer {
  return {
    id: makeId("cus"),
    object: "customer",
    address: { ...NO_ADDRESS, ...paramsOf(params.address) },
    balance: 0,
    created,
    default_source: null,
    description: textOf(params.description) ?? null,
    email: textOf(params.email) ?? null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode,
    metadata: metadataOf(params.metadata),
    name: textOf(params.name) ?? null,
    shipping: null,
  };
}

export function newMethod({ last4 }: CardFate, { created, livemode, billing }: About & { billing: Params }) {
  const details = {
    address: { ...NO_ADDRESS, ...paramsOf(billing.address) },
    email: textOf(billing.email) ?? null,
    name: textOf(billing.name) ?? null,
    phone: null,
    tax_id: null,
  };
  const method: Stripe.PaymentMethod = {
    id: makeId("pm"),
    object: "payment_method",
    billing_details: details,
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
    created,
    customer: null,
    customer_account: null,
    livemode,
    metadata: {},
    type: "card",
  };
  return method;
}

export type NewIntent = {
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Record<string, string>;
};

export function newIntent(wanted: NewIntent, { created, livemode }: About): Stripe.PaymentIntent {
  const id = makeId("pi");
  return {
    id,
    object: "payment_intent",
    ...wanted,
    allowed_payment_method_types: ["card"],
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic",
    client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`,
    confirmation_method: "automatic",
    created,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_group: null,
  };
}

export function newRefund(paid: Stripe.PaymentIntent, { amount, created }: { amount: number; created: number }) {
  const refund: Stripe.Refund = {
    id: makeId("re"),
    object: "refund",
    amount,
    balance_transaction: makeId("txn"),
    charge: paid.latest_charge,
    created,
    currency: paid.currency,
    customer: paid.customer,
    customer_account: null,
    destination_details: { card: { type: "refund" }, type: "card" },
    metadata: {},
    payment_intent: paid.id,
    payment_method: typeof paid.payment_method === "string" ? paid.payment_method : null,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  return refund;
}
