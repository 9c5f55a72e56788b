import { Stripe } from "stripe";

import { SECOND_IN_MS, type Clock } from "../../clock.ts";

/** `apiBase` is where Stripe answers; its own address when not set. Without a `webhookSecret` no webhook is believed. */
export type StripeSetting = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string | undefined;
  apiBase?: string | undefined;
  clock: Clock;
};

/** Each try; somebody waits for it. The SDK's own would be 80 seconds. */
const TIMEOUT_IN_MS = 12 * SECOND_IN_MS;
/** After no answer, a 409 or a 5xx, under the same key. */
export const RETRIES = 2;
/** A full page of events has some hundred kilobytes. */
const MAX_ANSWER_IN_BYTES = 4 * 1024 * 1024;

export function createStripeClient({ secretKey, apiBase }: StripeSetting): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_IN_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchBounded),
    ...(apiBase !== undefined && toAddress(apiBase)),
  });
}

function toAddress(apiBase: string): { host: string; port: number; protocol: "http" | "https" } {
  const { hostname, port, protocol } = new URL(apiBase);
  const isPlain = protocol === "http:";
  return { host: hostname, port: Number(port) || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" };
}

/** Whether a key is for real money: `sk_live_…`, `pk_live_…`, and `rk_live_…`, which may do less. */
export function isLiveKey(key: string): boolean {
  return /^[a-z]+_live_/.test(key);
}

/** Our key goes to Stripe alone, so no redirect is followed, and no answer may fill our memory. */
async function fetchBounded(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  return Object.defineProperty(response, "text", { value: () => readText(response) });
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an error ends the transfer.
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_IN_BYTES) throw new Error(`Stripe's answer is longer than ${MAX_ANSWER_IN_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
