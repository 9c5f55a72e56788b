import { Stripe } from "stripe";

import { readBounded } from "../../platform/bounded-answer.ts";
import { SECOND_IN_MS, type Clock } from "../../platform/clock.ts";
import type { GatewayPayment } from "../../money/payments/card-gateway.ts";
import { fromIntent, fromSession, intent, isHosted, session, type Intent, type Session } from "./objects.ts";

/** `apiBase`: Stripe's own by default. Without a `webhookSecret` no webhook is trusted. */
export type StripeSetting = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string | undefined;
  apiBase?: string | undefined;
  clock: Clock;
};

/** `isLive`: the keys are for real money. */
export type StripeContext = { client: Stripe; isLive: boolean; setting: StripeSetting };

/** For each try, because a visitor waits. The SDK's own limit is 80 seconds. */
const TIMEOUT_IN_MS = 12 * SECOND_IN_MS;
/** After no answer, a 409 or a 5xx, under the same key. */
export const RETRIES = 2;
/** A full page of events has some hundred kilobytes. */
const MAX_ANSWER_IN_BYTES = 4 * 1024 * 1024;

export function openStripe(setting: StripeSetting): StripeContext {
  const { secretKey, apiBase } = setting;
  const client = new Stripe(secretKey, {
    timeout: TIMEOUT_IN_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBounded),
    ...(apiBase !== undefined && toAddress(apiBase)),
  });
  return { client, isLive: isLiveKey(secretKey), setting };
}

function toAddress(apiBase: string): { host: string; port: number; protocol: "http" | "https" } {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === "http:";
  return { host: hostname, port: Number(port) || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" };
}

/** `sk_live_…`, `pk_live_…`, and the restricted `rk_live_…`. */
export function isLiveKey(key: string): boolean {
  return /^[a-z]+_live_/.test(key);
}

/** Follows no redirect, so that our key goes to Stripe alone, and limits an answer's length. */
async function fetchBounded(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  return Object.defineProperty(response, "text", { value: () => readText(response) });
}

async function readText(response: Response): Promise<string> {
  const tooLong = () => new Error(`Stripe's answer is longer than ${MAX_ANSWER_IN_BYTES} bytes`);
  return new TextDecoder().decode(await readBounded(response, { maxBytes: MAX_ANSWER_IN_BYTES, tooLong }));
}

export async function orUndefined<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    // Any other 404 is of a wrong address or a proxy.
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing") return undefined;
    throw error;
  }
}

/** @throws for an object of the other mode: test money must never count, and live money must not be overlooked. */
export function requireMode<Read extends { id: string; livemode: boolean }>(
  { isLive }: StripeContext,
  read: Read,
): Read {
  if (read.livemode !== isLive) throw new Error(`Stripe's ${read.id} is not of the mode of our keys`);
  return read;
}

export function readIntent(stripe: StripeContext, answer: unknown): GatewayPayment {
  return fromIntent(requireMode(stripe, intent.parse(answer)));
}

export function readSession(stripe: StripeContext, answer: unknown): GatewayPayment {
  return fromSession(requireMode(stripe, session.parse(answer)));
}

export async function findSession(stripe: StripeContext, id: string): Promise<Session | undefined> {
  const { sessions } = stripe.client.checkout;
  const found = await orUndefined(sessions.retrieve(id, { expand: ["payment_intent"] }));
  return found && requireMode(stripe, session.parse(found));
}

/** Our id of a PaymentIntent's payment: its session's id for Stripe's own page. */
export async function findPaymentId({ client }: StripeContext, made: Intent | null): Promise<string | undefined> {
  if (!made || !isHosted(made)) return made?.id;
  const { data } = await client.checkout.sessions.list({ payment_intent: made.id, limit: 1 });
  return data[0]?.id;
}

export async function findIntentId(stripe: StripeContext, paymentId: string): Promise<string | undefined> {
  if (!paymentId.startsWith("cs_")) return paymentId;
  const found = await findSession(stripe, paymentId);
  return found?.payment_intent?.id;
}
