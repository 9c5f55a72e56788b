import { formatDateTime } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";

/** Webhook events that could not be handled. */

const WEBHOOKS = 100;

export async function findWebhooksScreen({ webhooks, clock }: Services) {
  const failed = await webhooks.listFailed(WEBHOOKS + 1);
  return {
    name: "webhooks" as const,
    title: "Webhook events that failed",
    hasMore: failed.length > WEBHOOKS,
    webhooks: failed.slice(0, WEBHOOKS).map(({ gateway, id, kind, subject, receivedAt, attempts, nextTryAt }) => ({
      item: `${gateway} ${id}`,
      gateway,
      id,
      kind,
      about: subject,
      receivedAt: formatDateTime(receivedAt),
      attempts,
      nextTry: nextTryAt ? (nextTryAt <= clock() ? "now" : formatDateTime(nextTryAt)) : "never by itself",
    })),
  };
}

export type WebhooksScreen = Awaited<ReturnType<typeof findWebhooksScreen>>;
