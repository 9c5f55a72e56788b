import { z } from "zod";

import type {
  Decline,
  GatewayDispute,
  GatewayPayment,
  GatewayPaymentState,
  GatewayRefund,
} from "../../money/payments/card-gateway.ts";

/** The parts of Stripe's objects that we read. Stripe adds states, so those lists are open. */

/** An object, or only its id. */
const readId = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

const metadata = z.record(z.string(), z.string()).nullish();

export const intent = z.object({
  object: z.literal("payment_intent"),
  id: z.string(),
  livemode: z.boolean(),
  status: z.string(),
  amount: z.int(),
  amount_received: z.int(),
  currency: z.string(),
  customer: readId.nullable(),
  metadata,
  next_action: z.object({ redirect_to_url: z.object({ url: z.string().nullable() }).optional() }).nullish(),
  last_payment_error: z.object({ code: z.string().optional(), decline_code: z.string().optional() }).nullish(),
});

export type Intent = z.infer<typeof intent>;

/** Requested with its method; only cards have digits. */
export const intentWithMethod = z.object({
  payment_method: z.union([z.string(), z.object({ card: z.object({ last4: z.string() }).nullish() })]).nullable(),
});

/** Requested with its PaymentIntent, which exists from the first try on. */
export const session = z.object({
  object: z.literal("checkout.session"),
  id: z.string(),
  livemode: z.boolean(),
  status: z.string().nullable(),
  url: z.string().nullable(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  customer: readId.nullable(),
  metadata,
  payment_intent: intent.nullable(),
});

export type Session = z.infer<typeof session>;

/** Read with its PaymentIntent, because refunds do not name their mode. */
export const refund = z.object({
  object: z.literal("refund"),
  id: z.string(),
  amount: z.int(),
  status: z.string().nullable(),
  payment_intent: intent.nullable(),
});

/** Requested with its PaymentIntent. */
export const dispute = z.object({
  object: z.literal("dispute"),
  id: z.string(),
  livemode: z.boolean(),
  status: z.string(),
  payment_intent: intent.nullable(),
});

/** In a payment's metadata: marks PaymentIntents of Stripe's own page. */
export const HOSTED = "hosted";

export function isHosted(read: Intent): boolean {
  return read.metadata?.page === HOSTED;
}

const intentStates = new Map<string, GatewayPaymentState>([
  ["requires_payment_method", "requires-method"],
  ["requires_confirmation", "requires-method"],
  ["requires_action", "requires-action"],
  ["processing", "processing"],
  ["requires_capture", "processing"],
  ["succeeded", "succeeded"],
  ["canceled", "cancelled"],
]);

/** An unknown state does not count as a failure. */
function toState({ status }: Intent): GatewayPaymentState {
  return intentStates.get(status) ?? "processing";
}

export function fromIntent(read: Intent): GatewayPayment {
  const state = toState(read);
  return {
    id: read.id,
    state,
    // The received amount may differ from the requested one.
    amountInPence: state === "succeeded" ? read.amount_received : read.amount,
    currency: read.currency.toUpperCase(),
    customerId: read.customer ?? "",
    orderId: toNumber(read.metadata?.order_id),
    attempt: toNumber(read.metadata?.attempt),
    actionUrl: state === "requires-action" ? (read.next_action?.redirect_to_url?.url ?? undefined) : undefined,
    decline: state === "requires-method" ? toDecline(read.last_payment_error) : undefined,
  };
}

export function fromSession(read: Session): GatewayPayment {
  const paid = read.payment_intent && fromIntent(read.payment_intent);
  const state = sessionState(read);
  return {
    id: read.id,
    state,
    amountInPence: state === "succeeded" && paid ? paid.amountInPence : (read.amount_total ?? 0),
    currency: (state === "succeeded" && paid ? paid.currency : (read.currency ?? "")).toUpperCase(),
    customerId: read.customer ?? "",
    orderId: toNumber(read.metadata?.order_id),
    attempt: toNumber(read.metadata?.attempt),
    actionUrl: state === "requires-action" ? (read.url ?? undefined) : undefined,
    decline: state === "requires-method" ? paid?.decline : undefined,
  };
}

/**
 * Money that came or is coming counts in any state of its page. While the page is open, a declined card is not final.
 */
function sessionState({ status, payment_intent: made }: Session): GatewayPaymentState {
  const state = made ? toState(made) : undefined;
  if (state === "succeeded" || state === "processing") return state;
  if (status === "open") return "requires-action";
  if (status === "expired") return "cancelled";
  return state ?? "processing";
}

const refundStates = new Map<string, GatewayRefund["state"]>([
  ["succeeded", "succeeded"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

/** `pending`, and `requires_action`, where the payer must act. */
export function toRefundState(status: string | null): GatewayRefund["state"] {
  return refundStates.get(status ?? "") ?? "pending";
}

/**
 * `undefined`: an inquiry (`warning_…`), which takes no money. `prevented`: refunded before the dispute. Any other
 * state is undecided.
 */
export function toDisputeState(status: string): GatewayDispute["state"] | undefined {
  if (status.startsWith("warning_")) return undefined;
  if (status === "lost" || status === "prevented") return "lost";
  return status === "won" ? "won" : "open";
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * Stripe's decline reasons (docs.stripe.com/declines/codes and /error-codes) that help the payer. Lost or stolen cards
 * are not named: neither banks nor Stripe want that.
 */
const declines = new Map<string, Decline>([
  ["insufficient_funds", "insufficient-funds"],
  ["card_velocity_exceeded", "insufficient-funds"],
  ["withdrawal_count_limit_exceeded", "insufficient-funds"],
  ["expired_card", "expired-card"],
  ["invalid_expiry_month", "expired-card"],
  ["invalid_expiry_year", "expired-card"],
  ["incorrect_number", "wrong-number"],
  ["invalid_number", "wrong-number"],
  ["incorrect_cvc", "wrong-cvc"],
  ["invalid_cvc", "wrong-cvc"],
  ["authentication_required", "authentication-failed"],
  ["authentication_not_handled", "authentication-failed"],
  ["payment_intent_authentication_failure", "authentication-failed"],
  ["processing_error", "gateway-unavailable"],
  ["issuer_not_available", "gateway-unavailable"],
  ["try_again_later", "gateway-unavailable"],
]);

/** `code` is often only `card_declined`; `decline_code` has the bank's reason, if any. */
export function toDecline(
  error: { code?: string | undefined; decline_code?: string | undefined } | null | undefined,
): Decline {
  return declines.get(error?.decline_code ?? "") ?? declines.get(error?.code ?? "") ?? "declined";
}
