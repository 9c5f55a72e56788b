import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Stripe } from "stripe";

import { SECOND_IN_MS } from "../../platform/clock.ts";
import { toAsciiEmail } from "../../platform/email-address.ts";
import {
  PaymentNotMadeError,
  type GatewayPayment,
  type NewCustomer,
  type NewHostedPayment,
  type NewPayment,
} from "../../money/payments/card-gateway.ts";
import {
  findIntentId,
  findPaymentId,
  findSession,
  orUndefined,
  readIntent,
  readSession,
  RETRIES,
  type StripeContext,
} from "./client.ts";
import { fromSession, HOSTED, intent, intentWithMethod, isHosted } from "./objects.ts";

/** Each order has its own customer, so this is far more than its attempts. */
const LISTED = 100;
/** Stripe's limit for a customer's name. */
const NAME_LENGTH = 256;
/** As long as the SDK waits before its own first repeat. */
const REPEAT_AFTER_IN_MS = SECOND_IN_MS / 2;

export async function createCustomer({ client }: StripeContext, { key, email, name, postcode, country }: NewCustomer) {
  const wanted = {
    email: toAsciiEmail(email),
    name: name.slice(0, NAME_LENGTH),
    address: { postal_code: postcode, country },
  };
  const make = (idempotencyKey: string) => client.customers.create(wanted, { idempotencyKey });
  // Stripe repeats its own fault for a day, which would stop a payer; a second customer costs nothing.
  const made = make(key).catch((error: unknown) => (isOldFault(error) ? make(randomUUID()) : Promise.reject(error)));
  return { customerId: (await made).id };
}

export async function startPayment(stripe: StripeContext, wanted: NewPayment): Promise<GatewayPayment> {
  const { paymentIntents } = stripe.client;
  const creating = makePayment((tries) =>
    paymentIntents.create(toIntentParams(wanted), { idempotencyKey: wanted.key, ...tries }),
  );
  return readIntent(stripe, await creating.catch(readDeclined));
}

export async function startHostedPayment(stripe: StripeContext, wanted: NewHostedPayment): Promise<GatewayPayment> {
  const { sessions } = stripe.client.checkout;
  const made = await makePayment((tries) =>
    sessions.create(toSessionParams(wanted), { idempotencyKey: wanted.key, ...tries }),
  );
  return readSession(stripe, made);
}

export async function findPayment(stripe: StripeContext, id: string): Promise<GatewayPayment | undefined> {
  if (isSession(id)) {
    const found = await findSession(stripe, id);
    return found && fromSession(found);
  }
  const found = isIntent(id) ? await orUndefined(stripe.client.paymentIntents.retrieve(id)) : undefined;
  const paymentId = found && (await findPaymentId(stripe, intent.parse(found)));
  if (paymentId === undefined) return undefined;
  return paymentId === id ? readIntent(stripe, found) : findPayment(stripe, paymentId);
}

/** Read separately from the payment: a restricted key may not read methods, and no payment may fail by that. */
export async function findCardDigits(stripe: StripeContext, paymentId: string): Promise<string | undefined> {
  const id = (await findIntentId(stripe, paymentId)) ?? "";
  if (!isIntent(id)) return undefined;
  try {
    const found = await orUndefined(stripe.client.paymentIntents.retrieve(id, { expand: ["payment_method"] }));
    const { payment_method: method } = intentWithMethod.parse(found ?? { payment_method: null });
    return typeof method === "string" ? undefined : method?.card?.last4;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return undefined;
    throw error;
  }
}

export async function listPaymentsFor(
  stripe: StripeContext,
  { orderId, customerId }: { orderId: number; customerId: string },
): Promise<GatewayPayment[]> {
  const { paymentIntents, checkout } = stripe.client;
  const about = { customer: customerId, limit: LISTED };
  const intents = await paymentIntents.list(about);
  const sessions = await checkout.sessions.list({ ...about, expand: ["data.payment_intent"] });
  const ofFields = intents.data.filter((each) => !isHosted(intent.parse(each)));
  const all = [
    ...ofFields.map((each) => readIntent(stripe, each)),
    ...sessions.data.map((each) => readSession(stripe, each)),
  ];
  return all.filter((payment) => payment.orderId === orderId);
}

export async function cancelPayment(stripe: StripeContext, id: string): Promise<GatewayPayment> {
  try {
    return await end(stripe, id);
  } catch (error) {
    // Refused because of its state: it is paid, has ended, or is being charged at this moment.
    const now = error instanceof Stripe.errors.StripeInvalidRequestError ? await findPayment(stripe, id) : undefined;
    if (!now) throw error;
    return now;
  }
}

async function end(stripe: StripeContext, id: string): Promise<GatewayPayment> {
  const { paymentIntents, checkout } = stripe.client;
  if (!isSession(id) && !isIntent(id)) throw new Error("Stripe has no such payment");
  // A repeat under one key would get the earlier refusal again.
  const key = { idempotencyKey: `cancel-${id}-${randomUUID()}` };
  return isSession(id)
    ? readSession(stripe, await checkout.sessions.expire(id, { expand: ["payment_intent"] }, key))
    : readIntent(stripe, await paymentIntents.cancel(id, {}, key));
}

/** Payments of an earlier gateway have ids of another form. */
function isIntent(id: string): boolean {
  return /^pi_\w+$/.test(id);
}

export function isSession(id: string): boolean {
  return /^cs_\w+$/.test(id);
}

/** A fault stored under the key, not a present one. */
function isOldFault(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && error.headers?.["idempotent-replayed"] === "true";
}

/**
 * Makes a payment with the usual repeats. The first try is a separate call, because only there does a 429 cover the
 * whole request: after a lost answer it says nothing about earlier tries.
 * @throws {PaymentNotMadeError} when the first try was refused for its rate.
 */
async function makePayment<Made>(ask: (tries: { maxNetworkRetries: number }) => Promise<Made>): Promise<Made> {
  try {
    return await ask({ maxNetworkRetries: 0 });
  } catch (error) {
    if (isRateLimited(error)) throw new PaymentNotMadeError("Stripe takes no more calls now", { cause: error });
    if (!isPassing(error)) throw error;
    await delay(REPEAT_AFTER_IN_MS);
    return ask({ maxNetworkRetries: RETRIES - 1 });
  }
}

/** A refusal for a lock does not count: that comes from work that had begun (docs.stripe.com/rate-limits). */
function isRateLimited(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeRateLimitError && error.code !== "lock_timeout";
}

/** The failures that the SDK repeats: no answer, a conflict, a fault of Stripe's. */
function isPassing(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  return status === 409 || status >= 500;
}

/** A declined card is an answer: the error contains the PaymentIntent. The outcome of any other error is unknown. */
function readDeclined(error: unknown): unknown {
  const declined = error instanceof Stripe.errors.StripeCardError ? error.payment_intent : undefined;
  if (!declined) throw error;
  return declined;
}

function toIntentParams(wanted: NewPayment): Stripe.PaymentIntentCreateParams {
  return {
    amount: wanted.amountInPence,
    currency: wanted.currency.toLowerCase(),
    customer: wanted.customerId,
    payment_method: wanted.methodId,
    allowed_payment_method_types: ["card"],
    confirm: true,
    return_url: wanted.returnUrl,
    description: wanted.description,
    metadata: toMetadata(wanted, "fields"),
  };
}

function toSessionParams(wanted: NewHostedPayment): Stripe.Checkout.SessionCreateParams {
  const currency = wanted.currency.toLowerCase();
  const metadata = toMetadata(wanted, HOSTED);
  return {
    mode: "payment",
    customer: wanted.customerId,
    client_reference_id: String(wanted.orderId),
    line_items: [
      {
        quantity: 1,
        price_data: { currency, unit_amount: wanted.amountInPence, product_data: { name: wanted.description } },
      },
    ],
    allowed_payment_method_types: ["card"],
    // The price is in pounds, even for a payer with another currency.
    adaptive_pricing: { enabled: false },
    locale: "en-GB",
    payment_intent_data: { description: wanted.description, metadata },
    metadata,
    success_url: wanted.returnUrl,
    cancel_url: wanted.cancelUrl,
    expires_at: Math.floor(wanted.expiresAt.getTime() / 1000),
    expand: ["payment_intent"],
  };
}

/** The order as the API describes it, where payment or customer do not have it at Stripe. */
function toMetadata(wanted: NewPayment | NewHostedPayment, page: "fields" | typeof HOSTED) {
  return {
    order_id: String(wanted.orderId),
    attempt: String(wanted.attempt),
    page,
    payment_method: "stripe",
    payment_method_title: "Credit Card (Stripe)",
    product_id: String(wanted.productId),
    variation_id: String(wanted.variationId),
    quantity: "1",
    email: wanted.email,
  };
}
