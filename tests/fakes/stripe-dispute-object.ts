import type { Stripe } from "stripe";

import { makeId, type About } from "./stripe-objects.ts";

/** Disputes are in no contract file: the SDK's own declarations are what this is held against. */
export function newDispute(paid: Stripe.PaymentIntent, about: About & { status: Stripe.Dispute.Status }) {
  const dispute: Stripe.Dispute = {
    id: makeId("du"),
    object: "dispute",
    amount: paid.amount_received,
    balance_transactions: [],
    charge: typeof paid.latest_charge === "string" ? paid.latest_charge : "",
    created: about.created,
    currency: paid.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: null,
      customer_name: null,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    intended_submission_method: null,
    evidence_details: {
      due_by: about.created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    is_charge_refundable: false,
    livemode: about.livemode,
    metadata: {},
    payment_intent: paid.id,
    reason: "fraudulent",
    status: about.status,
  };
  return dispute;
}
