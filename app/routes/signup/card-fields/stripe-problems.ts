import type { StripeElementChangeEvent, StripeError } from "@stripe/stripe-js";

import { cards, declines } from "../../../../server/refusals.ts";

/** Stripe's three fields, in the order they stand in. */
export const cardFieldNames = ["cardNumber", "cardExpiry", "cardCvc"] as const;

export type CardFieldName = (typeof cardFieldNames)[number];

/** What a field tells of itself as somebody types; never what was typed. */
export type FieldState = Pick<StripeElementChangeEvent, "empty" | "complete"> & { code: string | undefined };

/** What is wrong: beside a field, or above all of them. */
export type CardProblems = Partial<Record<CardFieldName | "card", string>>;

const missing: Record<CardFieldName, string> = {
  cardNumber: cards.ours["number-missing"],
  cardExpiry: cards.ours["expiry-missing"],
  cardCvc: cards.ours["cvc-missing"],
};

const incomplete: Record<CardFieldName, string> = {
  cardNumber: cards.ours["number-wrong"],
  cardExpiry: cards.ours["expiry-wrong"],
  cardCvc: cards.ours["cvc-wrong"],
};

/** What is wrong with what was typed so far, before Stripe is asked. */
export function problemsOf(states: Record<CardFieldName, FieldState>): CardProblems {
  const problems: CardProblems = {};
  for (const name of cardFieldNames) {
    const { empty, complete, code } = states[name];
    if (empty) problems[name] = missing[name];
    else if (code) problems[name] = sentenceOf(code, name);
    else if (!complete) problems[name] = incomplete[name];
  }
  return problems;
}

/** What Stripe said of a card, in our words. */
export function problemsOfError({ type, code }: Pick<StripeError, "type" | "code">): CardProblems {
  const field = code && fieldOf(code);
  if (field) return { [field]: sentenceOf(code, field) };
  // A wrong key, too many calls, a fault of theirs or no connection: no other card would help.
  return { card: type === "card_error" ? declines.ours.declined : cards.ours.unreached };
}

/** The field that one of Stripe's codes is about (docs.stripe.com/error-codes), if it is about one. */
function fieldOf(code: string): CardFieldName | undefined {
  if (code.endsWith("_number")) return "cardNumber";
  if (code === "expired_card" || code.includes("_expiry")) return "cardExpiry";
  return code.endsWith("_cvc") ? "cardCvc" : undefined;
}

function sentenceOf(code: string, field: CardFieldName): string {
  return code === "expired_card" || code.endsWith("_past") ? cards.ours.expired : incomplete[field];
}
