import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useCallback, useEffect, useState } from "react";

/** So long the fields may take before somebody is told that there is another way. */
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
