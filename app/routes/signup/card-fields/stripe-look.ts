import type { StripeElementStyle } from "@stripe/stripe-js";
import { useEffect, useState } from "react";

/**
 * How Stripe's fields look inside their frames, from the tokens of the scheme in use: a frame inherits nothing. Its letters are the
 * system's, because our own fonts are for our own pages alone and would be loaded a second time.
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
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const sizeInPx = Math.max(16, Number.parseFloat(tokens.fontSize));
  return {
    base: {
      color: token("--text"),
      iconColor: token("--muted"),
      fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif",
      fontSize: `${sizeInPx}px`,
      lineHeight: `${Math.round(sizeInPx * 1.6)}px`,
      "::placeholder": { color: token("--muted") },
      "::selection": { backgroundColor: token("--gold") },
      ":-webkit-autofill": { color: token("--text") },
    },
    invalid: { color: token("--gold"), iconColor: token("--gold") },
  };
}
