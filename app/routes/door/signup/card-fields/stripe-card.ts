import type { Stripe, StripeCardNumberElement, StripeElementChangeEvent, StripeError } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useCallback, useEffect, useRef, useState } from "react";

import { cardDetails, declines } from "../../../../../server/refusals.ts";
import { cardFieldNames, type CardFieldName, type CardProblems, type Payer } from "./card-fields.ts";

/** Nothing is charged by then, so giving up costs nothing. */
const ANSWER_WITHIN_IN_MS = 20_000;

export type Focusable = Pick<StripeCardNumberElement, "focus">;

const untouched: FieldState = { empty: true, complete: false, code: undefined };

/** The card as far as our page may know it: which fields are complete, and its payment method. */
export function useStripeCard(stripe: Stripe | null, onReady: () => void) {
  const elements = useRef<Partial<Record<CardFieldName, Focusable>>>({});
  const states = useRef<Record<CardFieldName, FieldState>>({
    cardNumber: untouched,
    cardExpiry: untouched,
    cardCvc: untouched,
  });

  return {
    check: () => listProblems(states.current),
    prepare: async (payer: Payer) => {
      const card = elements.current.cardNumber as StripeCardNumberElement | undefined;
      return stripe && card ? makeMethod(stripe, card, payer) : { problems: { card: cardDetails.unreached } };
    },
    onElement(name: CardFieldName, element: Focusable) {
      elements.current[name] = element;
      if (cardFieldNames.every((each) => elements.current[each])) onReady();
    },
    onChange(name: CardFieldName, { empty, complete, error }: StripeElementChangeEvent) {
      states.current[name] = { empty, complete, code: error?.code };
    },
  };
}

async function makeMethod(
  stripe: Stripe,
  card: StripeCardNumberElement,
  { name, email, postcode }: Payer,
): Promise<{ methodId: string } | { problems: CardProblems }> {
  const address = { postal_code: postcode, country: "GB" };
  try {
    const { paymentMethod, error } = await inTime(
      stripe.createPaymentMethod({ type: "card", card, billing_details: { name, email, address } }),
    );
    return error ? { problems: toProblems(error) } : { methodId: paymentMethod.id };
  } catch {
    return { problems: { card: cardDetails.unreached } };
  }
}

function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("No answer in time.")), ANSWER_WITHIN_IN_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** After this the page offers the other way to pay. */
const SLOW_AFTER_IN_MS = 6000;

/** `slow`: they may still come. `failed`: they will not. */
export type FieldsState = "loading" | "slow" | "failed" | "ready";

/**
 * Loads Stripe's script, which may only come from Stripe, and tracks the fields. Call `onReady` once every field
 * accepts text, `onFail` when one will never come.
 */
export function useStripe(publishableKey: string) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [state, setState] = useState<FieldsState>("loading");
  const onReady = useCallback(() => setState((before) => (before === "failed" ? before : "ready")), []);
  const onFail = useCallback(() => setState("failed"), []);

  useEffect(() => {
    let isGone = false;
    const unlessGone = (change: () => void) => () => {
      if (!isGone) change();
    };
    const timer = setTimeout(() => setState((before) => (before === "loading" ? "slow" : before)), SLOW_AFTER_IN_MS);
    loadStripe(publishableKey, { locale: "en-GB" }).then(
      (loaded) => unlessGone(() => (loaded ? setStripe(loaded) : setState("failed")))(),
      unlessGone(() => setState("failed")),
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [publishableKey]);

  return { stripe, state, onReady, onFail };
}

/** Never the typed text. */
export type FieldState = Pick<StripeElementChangeEvent, "empty" | "complete"> & { code: string | undefined };

const subjects = { cardNumber: "number", cardExpiry: "expiry", cardCvc: "cvc" } as const;

/** Before Stripe checks them. */
export function listProblems(states: Record<CardFieldName, FieldState>): CardProblems {
  const problems: CardProblems = {};
  for (const name of cardFieldNames) {
    const { empty, complete, code } = states[name];
    if (empty) problems[name] = cardDetails[`${subjects[name]}-missing`];
    else if (code) problems[name] = problemText(code, name);
    else if (!complete) problems[name] = cardDetails[`${subjects[name]}-wrong`];
  }
  return problems;
}

/** In our own messages. */
export function toProblems({ type, code }: Pick<StripeError, "type" | "code">): CardProblems {
  const field = code && findField(code);
  if (field) return { [field]: problemText(code, field) };
  // A wrong key, too many calls, a fault of theirs or no connection: no other card would help.
  return { card: type === "card_error" ? declines.declined : cardDetails.unreached };
}

/** By Stripe's error code (docs.stripe.com/error-codes), if it is about a field. */
function findField(code: string): CardFieldName | undefined {
  if (code.endsWith("_number")) return "cardNumber";
  if (code === "expired_card" || code.includes("_expiry")) return "cardExpiry";
  return code.endsWith("_cvc") ? "cardCvc" : undefined;
}

function problemText(code: string, field: CardFieldName): string {
  return code === "expired_card" || code.endsWith("_past")
    ? cardDetails.expired
    : cardDetails[`${subjects[field]}-wrong`];
}
