import { z } from "zod";

import { MINUTE_IN_MS } from "../../platform/clock.ts";
import { parseJson } from "../../platform/text.ts";
import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { WebhookEvent } from "../../money/payments/card-gateway.ts";
import type { StripeContext } from "./client.ts";

/** In both directions: Stripe's SDK checks only the past. */
const TOLERANCE_IN_MS = 5 * MINUTE_IN_MS;
const PAGE = 100;
/** A month of a far larger site. More is a fault, and an error is better than an incomplete list. */
const MOST_LISTED = 50_000;

/** Events for the webhook endpoint, also fetched when they were not delivered. Stripe takes 20 kinds at most. */
const EVENT_TYPES = [
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.requires_action",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "checkout.session.completed",
  "checkout.session.expired",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
];

const event = z.object({
  id: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ object: z.string(), id: z.string() }) }),
});

/** By the object to look up; the older `charge.refund.updated` is about a refund too. */
const kinds = new Map<string, WebhookEvent["kind"]>([
  ["payment_intent", "payment"],
  ["checkout.session", "payment"],
  ["refund", "refund"],
  ["dispute", "dispute"],
]);

type Delivered = { body: string; headers: WebhookHeaders };

/** `undefined` when the signature is wrong, or the event is of the other mode. */
export function readWebhook(stripe: StripeContext, delivered: Delivered): WebhookEvent[] | undefined {
  return isSigned(stripe, delivered) ? toEvents(stripe, parseJson(delivered.body)) : undefined;
}

/** The oldest first. */
export async function listEventsSince(stripe: StripeContext, since: Date): Promise<WebhookEvent[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const webhooks: WebhookEvent[] = [];
  for await (const stripeEvent of stripe.client.events.list({ created, types: EVENT_TYPES, limit: PAGE })) {
    webhooks.push(...(toEvents(stripe, stripeEvent) ?? []));
    if (webhooks.length > MOST_LISTED) throw new Error(`Stripe has more than ${MOST_LISTED} events since then`);
  }
  return webhooks.toReversed();
}

/** `undefined`: of the other mode, so for another installation. An unreadable signed event is ignored. */
function toEvents({ isLive }: StripeContext, given: unknown): WebhookEvent[] | undefined {
  const read = event.safeParse(given);
  if (!read.success) return [];
  const { id, livemode, data } = read.data;
  if (livemode !== isLive) return undefined;
  return [{ id, kind: kinds.get(data.object.object) ?? "other", subject: data.object.id }];
}

/** One valid signature of several is enough: during a change of secrets Stripe signs with both. */
function isSigned({ client, setting }: StripeContext, { body, headers }: Delivered): boolean {
  const { webhookSecret } = setting;
  if (webhookSecret === undefined) return false;
  const now = setting.clock();
  const header = headers.get("Stripe-Signature") ?? "";
  const toleranceInSeconds = TOLERANCE_IN_MS / 1000;
  try {
    const { signature } = client.webhooks;
    const isRight = signature?.verifyHeader(body, header, webhookSecret, toleranceInSeconds, undefined, now.getTime());
    return isRight === true && !isFromAhead(header, now);
  } catch {
    return false;
  }
}

function isFromAhead(header: string, now: Date): boolean {
  const times = header.matchAll(/(?:^|,)\s*t=(\d+)/g);
  return [...times].some(([, seconds]) => Number(seconds) * 1000 > now.getTime() + TOLERANCE_IN_MS);
}
