import type { CardFields } from "../payments/card-gateway.ts";

/** What the payment page needs of each gateway, by the name that the API has for it (spec, section 7). */
export const cardFieldsOf: Record<CardFields["kind"], (publishableKey?: string) => CardFields> = {
  none: () => ({ kind: "none" }),
  demo: () => ({ kind: "demo" }),
  /** Its frames are on hosts below `js.stripe.com` (docs.stripe.com/security/guide). */
  stripe: (publishableKey) => ({
    kind: "stripe",
    publishableKey,
    script: {
      scripts: "https://js.stripe.com https://*.js.stripe.com",
      calls: "https://api.stripe.com",
      frames: "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    },
  }),
};
