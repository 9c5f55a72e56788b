import type { Decline } from "../payments/card-gateway.ts";

/** The words by which providers, and card providers behind them, say why a card was not charged; the first that fits counts. */
const words: [RegExp, Decline][] = [
  [/insufficient|not enough money/i, "insufficient-funds"],
  [/\bexpir/i, "expired-card"],
  [/\bcvc\b|\bcvv\b|security code/i, "wrong-cvc"],
  [/card number|number is (?:not right|incorrect|invalid)/i, "wrong-number"],
  [/authenticat|confirm that it was you/i, "authentication-failed"],
  [/stopped before it was finished|cancell?ed/i, "cancelled"],
  [/could not be reached/i, "gateway-unavailable"],
];

/** Why a card was declined, out of what the provider says to the payer: so that it is said in our words. */
export function readDecline(message: string): Decline {
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? "declined";
}
