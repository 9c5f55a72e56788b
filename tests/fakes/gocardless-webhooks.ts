import { createHmac } from "node:crypto";

import { openContract } from "../vendors/contract.ts";
import { makeId, type EventThing } from "./gocardless-things.ts";

export type Webhook = { body: string; headers: Headers };

const contract = openContract("gocardless-contract.json");

export const MAX_EVENTS_IN_WEBHOOK = 250;

/** A webhook as GoCardless sends it. Its events are held against GoCardless's own description first. */
export function toWebhook(events: EventThing[], webhookSecret: string): Webhook {
  for (const event of events) contract.checkObject("Event", event);
  return signWebhook(JSON.stringify({ events, meta: { webhook_id: makeId("WB") } }), webhookSecret);
}

/** Any text, signed as if GoCardless had sent it. */
export function signWebhook(body: string, webhookSecret: string): Webhook {
  const signature = createHmac("sha256", webhookSecret).update(body).digest("hex");
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": "gocardless-webhook-service/1.1",
    Origin: "https://api.gocardless.com",
    "Webhook-Signature": signature,
  };
  return { body, headers: new Headers(headers) };
}
