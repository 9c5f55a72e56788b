import { z } from "zod";

import { retryWebhook } from "../../../server/desk/health-acts.ts";
import { formatDateTime } from "../../../server/format.ts";
import { deskHealth as table } from "../../../server/refusals.ts";
import type { Services } from "../../../server/services.ts";
import { defineAct, refuseAct } from "./define-act.ts";

/** Webhook events that could not be handled. */

const WEBHOOKS = 100;

export async function findWebhooksScreen({ webhooks, clock }: Services) {
  const failed = await webhooks.listFailed(WEBHOOKS + 1);
  return {
    name: "webhooks" as const,
    title: "Webhook events that failed",
    hasMore: failed.length > WEBHOOKS,
    webhooks: failed.slice(0, WEBHOOKS).map(({ gateway, id, kind, subject, receivedAt, attempts, nextTryAt }) => ({
      subject: `${gateway} ${id}`,
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

export const webhookActs = {
  "webhook-retry": defineAct({
    fields: z.object({ subject: z.string().default("") }),
    async run({ subject }, { services, by }) {
      const at = subject.indexOf(" ");
      const event = { gateway: subject.slice(0, Math.max(at, 0)), id: subject.slice(at + 1) };
      const result = await retryWebhook(services, by, event);
      if (result === "done") return { ok: true, message: `The webhook event ${event.id} is handled.` };
      return refuseAct(table.ours[result === "failed" ? "webhook-failed" : "no-webhook"]);
    },
  }),
};
