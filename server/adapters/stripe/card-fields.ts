import type { CardFields } from "../../money/payments/card-gateway.ts";

/** Stripe's frames are on hosts below `js.stripe.com` (docs.stripe.com/security/guide). */
export function stripeFields(publishableKey: string | undefined): CardFields {
  return {
    kind: "stripe",
    publishableKey,
    script: {
      scripts: "https://js.stripe.com https://*.js.stripe.com",
      calls: "https://api.stripe.com",
      frames: "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    },
  };
}
