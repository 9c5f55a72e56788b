import { Stripe } from "stripe";

import { SECOND_IN_MS } from "../../platform/clock.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import type { CardDashboard, CardGateway } from "../../money/payments/card-gateway.ts";
import { stripeFields } from "./card-fields.ts";
import * as charging from "./charging.ts";
import { isLiveKey, openStripe, type StripeContext, type StripeSetting } from "./client.ts";
import { listEventsSince, readWebhook } from "./events.ts";
import * as refunds from "./refunds.ts";

/**
 * Card payments by Stripe. Card fields make a PaymentIntent, which we confirm. A bank authenticates the payer after a
 * redirect, which needs no script of Stripe's. On Stripe's own page a payment is a Checkout Session; we know its
 * PaymentIntent by the session's id.
 */
export function createStripe(setting: StripeSetting): CardGateway {
  const stripe = openStripe(setting);
  return {
    name: "stripe",
    fields: stripeFields(setting.publishableKey),
    dashboard: createDashboard(stripe),
    createCustomer: (customer) => charging.createCustomer(stripe, customer),
    startPayment: (payment) => charging.startPayment(stripe, payment),
    startHostedPayment: (payment) => charging.startHostedPayment(stripe, payment),
    findPayment: (id) => charging.findPayment(stripe, id),
    listPaymentsFor: (order) => charging.listPaymentsFor(stripe, order),
    cancelPayment: (id) => charging.cancelPayment(stripe, id),
    refund: (wanted) => refunds.refundPayment(stripe, wanted),
    findRefund: (id) => refunds.findRefund(stripe, id),
    findPartRefund: (part) => refunds.findPartRefund(stripe, part),
    findRefunded: (paymentId) => refunds.findRefunded(stripe, paymentId),
    findCardDigits: (paymentId) => charging.findCardDigits(stripe, paymentId),
    findDispute: (id) => refunds.findDispute(stripe, id),
    readEvents: (body, headers) => readWebhook(stripe, { body, headers }),
    listEventsSince: (since) => listEventsSince(stripe, since),
    check: () => check(stripe),
  };
}

/** A payment on Stripe's own page has the id of its session, which only the search there finds. */
function createDashboard({ isLive }: StripeContext): CardDashboard {
  const root = `https://dashboard.stripe.com/${isLive ? "" : "test/"}`;
  const toUrl = (folder: string, id: string) => `${root}${folder}/${encodeURIComponent(id)}`;
  return {
    title: "Stripe",
    paymentUrl: (id) =>
      charging.isSession(id) ? `${root}search?query=${encodeURIComponent(id)}` : toUrl("payments", id),
    disputeUrl: (id) => toUrl("disputes", id),
  };
}

/** An operator waits at a terminal. */
const ONE_TRY = { timeout: 8 * SECOND_IN_MS, maxNetworkRetries: 0 };
const KEYS_AT = "https://dashboard.stripe.com/apikeys";

/** Lists payments: a valid key may still lack that permission. */
async function check({ client, isLive, setting }: StripeContext): Promise<PartCheck> {
  const mistake = findMistake(setting);
  if (mistake !== undefined) return { isWell: false, message: mistake };
  try {
    await client.paymentIntents.list({ limit: 1 }, ONE_TRY);
  } catch (error) {
    return { isWell: false, message: explain(error) };
  }
  const mode = isLive ? "live mode: cards are charged" : "test mode: no card is charged";
  return { isWell: true, message: `Stripe answers, in ${mode}` };
}

function findMistake({ secretKey, publishableKey, webhookSecret }: StripeSetting): string | undefined {
  if (!/^[sr]k_(?:test|live)_\w+$/.test(secretKey)) {
    return `STRIPE_SECRET_KEY isn't a secret key, which starts with sk_ or rk_: copy it from ${KEYS_AT}`;
  }
  if (!/^pk_(?:test|live)_\w+$/.test(publishableKey)) {
    return `STRIPE_PUBLISHABLE_KEY isn't a publishable key, which starts with pk_: copy it from ${KEYS_AT}`;
  }
  if (isLiveKey(secretKey) !== isLiveKey(publishableKey)) {
    return `STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY have different modes: copy both from one page of ${KEYS_AT}`;
  }
  if (webhookSecret === undefined) {
    return "STRIPE_WEBHOOK_SECRET is missing: add an endpoint at https://dashboard.stripe.com/webhooks and copy its signing secret";
  }
  if (!/^whsec_\S+$/.test(webhookSecret)) {
    return "STRIPE_WEBHOOK_SECRET isn't a signing secret, which starts with whsec_: copy it from the endpoint's page at Stripe";
  }
  return undefined;
}

function explain(error: unknown): string {
  const { StripeAuthenticationError, StripePermissionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeAuthenticationError) {
    return `Stripe refuses STRIPE_SECRET_KEY: copy it again from ${KEYS_AT}`;
  }
  if (error instanceof StripePermissionError) {
    return `STRIPE_SECRET_KEY can't see payments: let it read and write them at ${KEYS_AT}`;
  }
  if (error instanceof StripeRateLimitError) return "We're asking Stripe too often: try again in a minute";
  // Its message is for developers, and may quote the request.
  return "We can't reach Stripe: check https://status.stripe.com, this machine's way to api.stripe.com, and STRIPE_API_BASE if it's set";
}
