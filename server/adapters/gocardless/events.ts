import { createHmac } from "node:crypto";
import { z } from "zod";

import { parseJson } from "../../platform/text.ts";
import type { WebhookHeaders } from "../../platform/webhooks/webhooks.ts";
import type { DebitEvent } from "../../money/payments/debit-gateway.ts";
import { isSameSecret } from "../../platform/seal.ts";
import { find, type GoCardlessContext } from "./client.ts";

/** Events have the same shape in webhooks and in the list of events. */

const links = z
  .object({
    billing_request: z.string().optional(),
    mandate: z.string().optional(),
    payment: z.string().optional(),
  })
  .optional()
  .catch(undefined);

/** Storing an event needs only its id; one with other unreadable fields gets the kind `other`. */
const event = z.object({
  id: z.string().min(1),
  resource_type: z.string().catch(""),
  action: z.string().catch(""),
  created_at: z.string().catch(""),
  links,
  details: z
    .object({ will_attempt_retry: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

type Event = z.infer<typeof event>;

const webhook = z.object({ events: z.array(z.unknown()) });

const page = z.object({
  events: z.array(z.unknown()),
  meta: z.object({ cursors: z.object({ after: z.string().nullish() }) }),
});

/**
 * `undefined` when a webhook was not signed with the endpoint's secret; without a secret no webhook is trusted. One
 * unreadable event does not lose the others (D10).
 */
export function readWebhook(
  webhookSecret: string | undefined,
  { body, headers }: { body: string; headers: WebhookHeaders },
): DebitEvent[] | undefined {
  if (!webhookSecret || !isSigned(body, { webhookSecret, signature: headers.get("Webhook-Signature") })) {
    return undefined;
  }
  const batch = webhook.safeParse(parseJson(body)).data;
  return batch && readEvents(batch.events).map(toEvent);
}

type Signing = { webhookSecret: string; signature: string | null };

/** https://developer.gocardless.com/api-reference, "Signing webhooks": a hex HMAC-SHA-256 of the raw body. */
function isSigned(body: string, { webhookSecret, signature }: Signing): boolean {
  const expected = createHmac("sha256", webhookSecret).update(body).digest("hex");
  return isSameSecret(signature?.toLowerCase() ?? "", expected);
}

/** At most 500. 250 events fill a third of an answer's limit, which leaves space for large metadata. */
const PAGE_SIZE = 250;
/** A hundred thousand events. */
const MAX_PAGES = 400;

/** The oldest first. Throws beyond `MAX_PAGES` pages. */
export async function listEventsSince(ctx: GoCardlessContext, since: Date): Promise<DebitEvent[]> {
  const found: Event[] = [];
  let cursor: string | null | undefined;
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const query = {
      "created_at[gte]": since.toISOString(),
      limit: String(PAGE_SIZE),
      ...(cursor && { after: cursor }),
    };
    const { events, meta } = page.parse(await find(ctx, "/events", query));
    found.push(...readEvents(events));
    cursor = meta.cursors.after;
    if (!cursor) return found.toSorted(byAge).map(toEvent);
  }
  throw new Error(`GoCardless has more than ${MAX_PAGES * PAGE_SIZE} events since ${since.toISOString()}`);
}

/** GoCardless will collect a failed payment once more, as its last failure tells (D8). */
export async function isTriedAgain(ctx: GoCardlessContext, paymentId: string): Promise<boolean> {
  const { events } = page.parse(await find(ctx, "/events", { payment: paymentId, limit: String(PAGE_SIZE) }));
  const failure = readEvents(events)
    .filter(({ resource_type, action }) => resource_type === "payments" && action === "failed")
    .toSorted(byAge)
    .at(-1);
  return failure?.details?.will_attempt_retry === true;
}

function readEvents(all: unknown[]): Event[] {
  return all.flatMap((each) => event.safeParse(each).data ?? []);
}

/** ISO 8601 text in UTC sorts as it reads. */
function byAge(one: Event, other: Event): number {
  if (one.created_at === other.created_at) return 0;
  return one.created_at < other.created_at ? -1 : 1;
}

function toEvent({ id, resource_type, links: about = {} }: Event): DebitEvent {
  const { billing_request, mandate, payment } = about;
  if (resource_type === "billing_requests" && billing_request) {
    return { id, kind: "billing-request", subject: billing_request };
  }
  if (resource_type === "mandates" && mandate) return { id, kind: "mandate", subject: mandate };
  if (resource_type === "payments" && payment) return { id, kind: "debit", subject: payment };
  return { id, kind: "other", subject: id };
}
