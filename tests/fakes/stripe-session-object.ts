import { randomBytes } from "node:crypto";
import type { Stripe } from "stripe";

import type { About } from "./stripe-objects.ts";

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
  /** Where the page is, without the session's id. */
  pageBase: string;
};

/** A Checkout Session on Stripe's own page; its PaymentIntent comes with the first try at paying. */
export function newSession(wanted: NewSession, { created, livemode }: About): Stripe.Checkout.Session {
  const id = `cs_${livemode ? "live" : "test"}_${randomBytes(24).toString("hex")}`;
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: ["card"],
    amount_subtotal: wanted.amount,
    amount_total: wanted.amount,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: wanted.cancelUrl,
    client_reference_id: wanted.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: wanted.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: wanted.customer,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: wanted.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode,
    locale: wanted.locale,
    managed_payments: null,
    metadata: wanted.metadata,
    mode: "payment",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: wanted.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${wanted.pageBase}${id}`,
    wallet_options: null,
  };
}
