import type { z } from "zod";

import type { Clock } from "../../platform/clock.ts";
import type { CardGateway } from "../../money/payments/card-gateway.ts";
import { httpUrl, listMistakes, matching, text } from "../../platform/setting-checks.ts";
import { stripeFields } from "./card-fields.ts";

const settings = {
  STRIPE_SECRET_KEY: matching(/^[sr]k_(test|live)_/, "must start with sk_test_ or sk_live_ (rk_ for a restricted key)"),
  STRIPE_PUBLISHABLE_KEY: matching(/^pk_(test|live)_/, "must start with pk_test_ or pk_live_"),
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: httpUrl.optional(),
};

type Settings = z.infer<z.ZodObject<typeof settings>> & { DEMO: boolean };

/** Without a `webhookSecret` no webhook is trusted, and payments are looked up. `apiBase`: Stripe's own by default. */
type StripeConfig = {
  kind: "stripe";
  secretKey: string;
  publishableKey: string;
  webhookSecret: string | undefined;
  apiBase: string | undefined;
};

/** `test` or `live`: whether a key moves money. */
function readMode(key: string): string | undefined {
  return key.split("_")[1];
}

function findMistakes(set: Settings): string[] {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable, STRIPE_WEBHOOK_SECRET: webhook } = set;
  if (!secret) {
    return listMistakes([
      publishable || webhook || set.STRIPE_API_BASE,
      "STRIPE_SECRET_KEY is missing: the other Stripe settings need it",
    ]);
  }
  return listMistakes(
    [!publishable, "STRIPE_PUBLISHABLE_KEY is missing: the card fields need it as well as STRIPE_SECRET_KEY"],
    [
      publishable && readMode(publishable) !== readMode(secret),
      "STRIPE_PUBLISHABLE_KEY has a different mode from STRIPE_SECRET_KEY: use both live or both test",
    ],
    [
      !webhook && !set.DEMO,
      "STRIPE_WEBHOOK_SECRET is missing: Stripe shows it beside the webhook endpoint, as whsec_…",
    ],
    [set.DEMO && readMode(secret) === "live", "STRIPE_SECRET_KEY is a live key: a demo only takes test keys"],
  );
}

function readConfig(set: Settings): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = set;
  if (!secretKey || !publishableKey) return undefined;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: apiBase } = set;
  return { kind: "stripe", secretKey, publishableKey, webhookSecret, apiBase };
}

/** Importing Stripe's client takes a third of a start. */
async function open(config: StripeConfig, clock: Clock): Promise<CardGateway> {
  const { createStripe } = await import("./stripe.ts");
  return createStripe({ ...config, clock });
}

export const stripe = {
  kind: "stripe",
  settings,
  addresses: ["STRIPE_API_BASE"],
  chosenBy: "STRIPE_SECRET_KEY",
  findMistakes,
  readConfig,
  fields: stripeFields,
  open,
};
