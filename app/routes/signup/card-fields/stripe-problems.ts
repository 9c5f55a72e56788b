import type { StripeElementChangeEvent, StripeError } from "@stripe/stripe-js";

import { declines } from "../declines.ts";
import { UNREACHED } from "./card-fields.ts";

/** Stripe's three fields, in the order they stand in. */
export const cardFieldNames = ["cardNumber", "cardExpiry", "cardCvc"] as const;

export type CardFieldName = (typeof cardFieldNames)[number];

/** What a field tells of itself as somebody types; never what was typed. */
export type FieldState = Pick<StripeElementChangeEvent, "empty" | "complete"> & { code: string | undefined };

/** What is wrong: beside a field, or above all of them. */
export type CardProblems = Partial<Record<CardFieldName | "card", string>>;

const missing: Record<CardFieldName, string> = {
  cardNumber: "Please enter your card number.",
  cardExpiry: "Please enter the expiry date that stands on the card.",
  cardCvc: "Please enter the CVC, the three or four digits on the card.",
};

const incomplete: Record<CardFieldName, string> = {
  cardNumber: "The card number is not right. Please check its digits.",
  cardExpiry: "The expiry date is not right. Please check month and year.",
  cardCvc: "The CVC is not right. Please check the three or four digits on the card.",
};

const EXPIRED = "This card has expired. Please check the date, or use another card.";

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
  return { card: type === "card_error" ? declines.declined : UNREACHED };
}

/** The field that one of Stripe's codes is about (docs.stripe.com/error-codes), if it is about one. */
function fieldOf(code: string): CardFieldName | undefined {
  if (code.endsWith("_number")) return "cardNumber";
  if (code === "expired_card" || code.includes("_expiry")) return "cardExpiry";
  return code.endsWith("_cvc") ? "cardCvc" : undefined;
}

function sentenceOf(code: string, field: CardFieldName): string {
  return code === "expired_card" || code.endsWith("_past") ? EXPIRED : incomplete[field];
}
