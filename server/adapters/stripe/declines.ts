import type { Decline } from "../../payments/card-gateway.ts";

/**
 * Stripe's reasons for a declined card (docs.stripe.com/declines/codes and /error-codes), as far as the payer can do something about
 * them. Banks do not say more of a lost or a stolen card, and neither does Stripe want it said.
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

/** `code` is often only `card_declined`; where the bank says why, `decline_code` has it. */
export function toDecline(
  error: { code?: string | undefined; decline_code?: string | undefined } | null | undefined,
): Decline {
  return declines.get(error?.decline_code ?? "") ?? declines.get(error?.code ?? "") ?? "declined";
}
