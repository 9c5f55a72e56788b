import type { Stripe, StripeCardNumberElement, StripeElementChangeEvent } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useCallback, useEffect, useRef, useState } from "react";

import { cards } from "../../../../server/refusals.ts";
import type { CardFieldsHandle, Payer } from "./card-fields.ts";
import {
  type CardFieldName,
  cardFieldNames,
  type CardProblems,
  type FieldState,
  problemsOf,
  problemsOfError,
} from "./stripe-problems.ts";

/** So long Stripe may take to answer. It has not charged anything by then, so giving up costs nothing. */
const ANSWER_WITHIN_IN_MS = 20_000;

/** What an element of Stripe's is used for here. */
type Focusable = Pick<StripeCardNumberElement, "focus">;

export type StripeCard = {
  problems: CardProblems;
  prepare: CardFieldsHandle["prepare"];
  onElement: (name: CardFieldName, element: Focusable) => void;
  onChange: (name: CardFieldName, event: StripeElementChangeEvent) => void;
};

const untouched: FieldState = { empty: true, complete: false, code: undefined };

type Setting = { stripe: Stripe | null; onReady: () => void };

/** The card that is being typed, as far as a page may know it: what is complete, what is wrong, and the method it becomes. */
export function useStripeCard({ stripe, onReady }: Setting): StripeCard {
  const [problems, setProblems] = useState<CardProblems>({});
  const elements = useRef<Partial<Record<CardFieldName, Focusable>>>({});
  const states = useRef<Record<CardFieldName, FieldState>>({
    cardNumber: untouched,
    cardExpiry: untouched,
    cardCvc: untouched,
  });

  function show(found: CardProblems): void {
    setProblems(found);
    const first = cardFieldNames.find((name) => found[name]);
    if (first) elements.current[first]?.focus();
  }

  return {
    problems,
    async prepare(payer) {
      const wrong = problemsOf(states.current);
      const card = elements.current.cardNumber as StripeCardNumberElement | undefined;
      const isWrong = !stripe || !card || Object.keys(wrong).length > 0;
      const answer = isWrong ? wrong : await makeMethod(stripe, card, payer);
      if (!("methodId" in answer)) {
        show(answer);
        return undefined;
      }
      setProblems({});
      return answer;
    },
    onElement(name, element) {
      elements.current[name] = element;
      if (cardFieldNames.every((each) => elements.current[each])) onReady();
    },
    onChange(name, { empty, complete, error }) {
      states.current[name] = { empty, complete, code: error?.code };
      setProblems((before) => (before[name] ? { ...before, [name]: undefined } : before));
    },
  };
}

async function makeMethod(
  stripe: Stripe,
  card: StripeCardNumberElement,
  { name, email, postcode }: Payer,
): Promise<{ methodId: string } | CardProblems> {
  const address = { postal_code: postcode, country: "GB" };
  try {
    const { paymentMethod, error } = await inTime(
      stripe.createPaymentMethod({ type: "card", card, billing_details: { name, email, address } }),
    );
    return error ? problemsOfError(error) : { methodId: paymentMethod.id };
  } catch {
    return { card: cards.ours.unreached };
  }
}

function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("No answer in time.")), ANSWER_WITHIN_IN_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** After this time without fields the page offers the other way to pay. */
const SLOW_AFTER_IN_MS = 6000;

/** `slow`: they may still come. `failed`: they will not. */
export type FieldsState = "loading" | "slow" | "failed" | "ready";

type StripeFields = {
  /** Stripe's script, once it is here. */
  stripe: Stripe | null;
  state: FieldsState;
  /** Every field can be typed in. */
  onReady: () => void;
  /** One of them will never come. */
  onFail: () => void;
};

/** Fetches Stripe's script from Stripe, which is the only place it may come from, and follows what becomes of the fields. */
export function useStripe(publishableKey: string): StripeFields {
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
