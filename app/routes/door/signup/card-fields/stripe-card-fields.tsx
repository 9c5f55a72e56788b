import { CardCvcElement, CardExpiryElement, CardNumberElement, Elements } from "@stripe/react-stripe-js";
import type { StripeElementChangeEvent, StripeElementStyle } from "@stripe/stripe-js";
import { useEffect, useImperativeHandle, useState } from "react";

import { FieldErrors } from "../../../../forms/field.tsx";
import type { CardFieldName, CardFieldsHandle, CardFieldsProps } from "./card-fields.ts";
import { type FieldsState, type Focusable, useStripe, useStripeCard } from "./stripe-card.ts";
import styles from "./stripe-card-fields.module.css";

const fields = {
  cardNumber: { label: "Card number", Element: CardNumberElement, placeholder: "1234 1234 1234 1234" },
  cardExpiry: { label: "Expiry", Element: CardExpiryElement, placeholder: "MM / YY" },
  cardCvc: { label: "CVC", Element: CardCvcElement, placeholder: "123" },
} as const;

/** Each field is a frame of Stripe's, so the card is never in our page. */
export default function StripeCardFields({ ref, setting, onElsewhere, problems, onChange }: CardFieldsProps) {
  if (setting.publishableKey === undefined) throw new Error("Stripe's fields need its publishable key.");
  const { stripe, state, onFail, onReady } = useStripe(setting.publishableKey);
  const card = useStripeCard(stripe, onReady);
  const isElsewhere = state === "slow" || state === "failed";

  useEffect(() => onElsewhere(isElsewhere), [isElsewhere, onElsewhere]);
  useImperativeHandle<CardFieldsHandle | null, CardFieldsHandle | null>(ref, () => (state === "ready" ? card : null));

  const look = useStripeLook();
  const field = (name: CardFieldName) => (
    <StripeField
      name={name}
      look={look}
      problem={problems[name]}
      isReady={state === "ready"}
      onFail={onFail}
      onElement={(element) => card.onElement(name, element)}
      onChange={(event) => {
        card.onChange(name, event);
        onChange(name);
      }}
    />
  );
  return (
    <div className={styles.stack}>
      {state !== "failed" && (
        <Elements stripe={stripe}>
          <div className={styles.fields} data-state={state} inert={state !== "ready"}>
            {field("cardNumber")}
            <div className={styles.pair}>
              {field("cardExpiry")}
              {field("cardCvc")}
            </div>
          </div>
        </Elements>
      )}
      <State state={state} />
    </div>
  );
}

type StripeFieldProps = {
  name: CardFieldName;
  look: StripeElementStyle;
  problem: string | undefined;
  isReady: boolean;
  onFail: () => void;
  onElement: (element: Focusable) => void;
  onChange: (event: StripeElementChangeEvent) => void;
};

/** Label and messages are ours; the frame, and its name for screen readers, are Stripe's. */
function StripeField({ name, look, problem, isReady, onFail, onElement, onChange }: StripeFieldProps) {
  const { label, Element, placeholder } = fields[name];
  return (
    <div className={styles.field}>
      <label id={`${name}-label`} htmlFor={name}>
        {label}
      </label>
      <div
        role="group"
        aria-labelledby={`${name}-label`}
        aria-describedby={problem && `${name}-errors`}
        className={problem ? styles.wrongBox : styles.box}
      >
        <Element
          id={name}
          options={{ style: look, placeholder, classes: { focus: styles.focus ?? "" } }}
          onReady={onElement}
          onChange={onChange}
          onLoadError={onFail}
        />
        {!isReady && name === "cardNumber" && <span className={styles.loading}>Loading...</span>}
      </div>
      {problem && <FieldErrors id={`${name}-errors`} errors={[problem]} />}
    </div>
  );
}

function State({ state }: { state: FieldsState }) {
  const sentences: Record<FieldsState, string> = {
    loading: "The card fields are loading.",
    slow: "The card fields are slow to load. You can wait, or press the button below to pay on our payment provider's page.",
    failed: "The card fields didn't load. Press the button below to pay on our payment provider's page.",
    ready: "",
  };
  return (
    <p aria-live="polite" className={state === "loading" ? "visually-hidden" : styles.state}>
      {sentences[state]}
    </p>
  );
}

/**
 * From the tokens of the present scheme, because a frame inherits nothing. The font is the system's: ours are not
 * served to other origins, and would load twice.
 */
export function useStripeLook(): StripeElementStyle {
  const [look, setLook] = useState(readLook);
  useEffect(() => {
    const read = () => setLook(readLook());
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ["data-scheme"] });
    const preference = window.matchMedia("(prefers-color-scheme: light)");
    preference.addEventListener("change", read);
    return () => {
      observer.disconnect();
      preference.removeEventListener("change", read);
    };
  }, []);
  return look;
}

function readLook(): StripeElementStyle {
  const sizeInPx = Math.max(16, Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
  const [text, muted, gold] = [readColour("--text"), readColour("--muted"), readColour("--gold")];
  return {
    base: {
      color: text,
      iconColor: muted,
      fontFamily: "system-ui, sans-serif",
      fontSize: `${sizeInPx}px`,
      lineHeight: `${Math.round(sizeInPx * 1.6)}px`,
      "::placeholder": { color: muted },
      "::selection": { backgroundColor: gold },
      ":-webkit-autofill": { color: text },
    },
    invalid: { color: gold, iconColor: gold },
  };
}

/** The colour of a token in the present scheme. */
function readColour(token: string): string {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
