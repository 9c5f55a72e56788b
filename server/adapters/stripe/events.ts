import type { Stripe } from "stripe";
import { z } from "zod";

import { MINUTE_IN_MS } from "../../clock.ts";
import type { CardGateway, GatewayNotice } from "../../payments/card-gateway.ts";
import type { NoticeHeaders } from "../../notices/notices.ts";
import { isLiveKey, type StripeSetting } from "./client.ts";

type Noticing = Pick<CardGateway, "readNotices" | "listNoticesSince">;

/** How far a webhook's own time may lie from ours, before or behind: Stripe's SDK asks only about the past. */
const TOLERANCE_IN_MS = 5 * MINUTE_IN_MS;
const PAGE = 100;
/** A month of a house far larger than ours; more is a fault, and better told than cut off. */
const MOST_LISTED = 50_000;

/** What a webhook endpoint should be sent, and what is asked for when it was not. Stripe takes 20 kinds at most. */
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

/** What an event is about says what to look up; the older `charge.refund.updated` is about a refund too. */
const kinds = new Map<string, GatewayNotice["kind"]>([
  ["payment_intent", "payment"],
  ["checkout.session", "payment"],
  ["refund", "refund"],
  ["dispute", "dispute"],
]);

export function createStripeNotices(client: Stripe, { secretKey, webhookSecret, clock }: StripeSetting): Noticing {
  const isLive = isLiveKey(secretKey);

  /** `undefined`: of the other mode, and so not for this house. What is signed and says nothing to us is nothing to do. */
  function toNotices(told: unknown): GatewayNotice[] | undefined {
    const read = event.safeParse(told);
    if (!read.success) return [];
    const { id, livemode, data } = read.data;
    if (livemode !== isLive) return undefined;
    return [{ id, kind: kinds.get(data.object.object) ?? "other", subject: data.object.id }];
  }

  return {
    readNotices(body, headers) {
      if (webhookSecret === undefined) return undefined;
      const isSigned = isStripes(client, { body, headers, webhookSecret, now: clock() });
      return isSigned ? toNotices(parseJson(body)) : undefined;
    },

    async listNoticesSince(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      const notices: GatewayNotice[] = [];
      for await (const told of client.events.list({ created, types: EVENT_TYPES, limit: PAGE })) {
        notices.push(...(toNotices(told) ?? []));
        if (notices.length > MOST_LISTED) throw new Error(`Stripe has more than ${MOST_LISTED} events since then`);
      }
      return notices.toReversed();
    },
  };
}

type Delivered = { body: string; headers: NoticeHeaders; webhookSecret: string; now: Date };

/** Any of several signatures will do: while a secret is changed Stripe signs with both. */
function isStripes({ webhooks }: Stripe, { body, headers, webhookSecret, now }: Delivered): boolean {
  const header = headers.get("Stripe-Signature") ?? "";
  const toleranceInSeconds = TOLERANCE_IN_MS / 1000;
  try {
    const { signature } = webhooks;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
