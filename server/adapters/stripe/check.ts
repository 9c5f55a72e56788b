import { Stripe } from "stripe";

import { SECOND_IN_MS } from "../../clock.ts";
import type { PartCheck } from "../../part-check.ts";
import { isLiveKey, type StripeSetting } from "./client.ts";

/** Somebody waits at a terminal. */
const ONE_TRY = { timeout: 8 * SECOND_IN_MS, maxNetworkRetries: 0 };
const KEYS_AT = "https://dashboard.stripe.com/apikeys";

/** Asks for what is needed most: a key may be good and still not be allowed to see payments. */
export function createStripeCheck(client: Stripe, setting: StripeSetting): () => Promise<PartCheck> {
  return async () => {
    const mistake = findMistake(setting);
    if (mistake !== undefined) return { isWell: false, says: mistake };
    try {
      await client.paymentIntents.list({ limit: 1 }, ONE_TRY);
    } catch (error) {
      return { isWell: false, says: explain(error) };
    }
    const mode = isLiveKey(setting.secretKey) ? "live mode: cards are charged" : "test mode: no card is charged";
    return { isWell: true, says: `Stripe answers, in ${mode}` };
  };
}

/** What is seen without asking. */
function findMistake({ secretKey, publishableKey, webhookSecret }: StripeSetting): string | undefined {
  if (!/^[sr]k_(?:test|live)_\w+$/.test(secretKey)) {
    return `STRIPE_SECRET_KEY is no secret key: it starts with sk_ or rk_; take it from ${KEYS_AT}`;
  }
  if (!/^pk_(?:test|live)_\w+$/.test(publishableKey)) {
    return `STRIPE_PUBLISHABLE_KEY is no publishable key: it starts with pk_; take it from ${KEYS_AT}`;
  }
  if (isLiveKey(secretKey) !== isLiveKey(publishableKey)) {
    return `STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: take both from one page of ${KEYS_AT}`;
  }
  if (webhookSecret === undefined) {
    return "STRIPE_WEBHOOK_SECRET is missing: add an endpoint at https://dashboard.stripe.com/webhooks and copy its signing secret";
  }
  if (!/^whsec_\S+$/.test(webhookSecret)) {
    return "STRIPE_WEBHOOK_SECRET is no signing secret: it starts with whsec_; copy it from the endpoint's page at Stripe";
  }
  return undefined;
}

function explain(error: unknown): string {
  const { StripeAuthenticationError, StripePermissionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError) {
    return `STRIPE_SECRET_KEY is refused by Stripe: copy it anew from ${KEYS_AT}`;
  }
  if (error instanceof StripePermissionError) {
    return `STRIPE_SECRET_KEY may not see payments: let it read and write them at ${KEYS_AT}`;
  }
  if (error instanceof StripeRateLimitError) return "Stripe is asked too often at the moment: try again in a minute";
  // Its words are for developers, and may repeat what they were asked with.
  return "Stripe cannot be reached: look at https://status.stripe.com, at this machine's way to api.stripe.com, and at STRIPE_API_BASE if it is set";
}
