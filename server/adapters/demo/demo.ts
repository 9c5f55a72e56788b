import type { Clock } from "../../clock.ts";
import type { Queries } from "../../database/database.ts";
import type { Delivery } from "../../webhooks/webhooks.ts";
import { createDemoCardPages, type DemoCardPages } from "./card-pages.ts";
import { createDemoCards } from "./cards.ts";
import { createDemoDebitPages, type DemoDebitPages } from "./debit-pages.ts";
import { createDemoDebit, type DebitsBegin } from "./debits.ts";
import { createDemoStore, type DemoStore, signDemoWebhook } from "./store.ts";

/**
 * The pages of a demo's payment providers, which are on the far side of a redirect. The product itself only knows the interfaces in
 * `payments/`; these pages exist where no real provider is configured.
 */
export type DemoGateways = DemoCardPages & DemoDebitPages;

/** `secret` signs the webhook events; `pageUrl` makes the address of a page of ours; `manner` and `debitsBegin` are for tests. */
export type DemoSetting = {
  db: Queries;
  clock: Clock;
  secret: string;
  pageUrl: (path: string) => string;
  manner?: WebhookManner | undefined;
  debitsBegin?: DebitsBegin | undefined;
};

/** The demo's payment providers over one store: both gateways, their pages, and the delivery of their webhook events. */
export function createDemo({ db, clock, secret, pageUrl, manner, debitsBegin }: DemoSetting) {
  const store = createDemoStore({ db, clock });
  return {
    store,
    cards: createDemoCards({ store, secret }),
    debits: createDemoDebit({ store, clock, secret, pageUrl, debitsBegin }),
    pages: { ...createDemoCardPages({ store, clock }), ...createDemoDebitPages({ store, clock }) },
    createDelivery: (receive: DeliverySetting["receive"]) => createDemoDelivery({ store, secret, receive, manner }),
  };
}

/** The pages of a demo that has them on another host: only cards are handed over here. */
export function createPagesElsewhere(makeMethod: DemoGateways["makeMethod"]): DemoGateways {
  return {
    makeMethod,
    findCardPage: async () => undefined,
    payCardPage: refusePage,
    leaveCardPage: refusePage,
    findAuthentication: async () => undefined,
    authenticate: refusePage,
    findDebitPage: async () => undefined,
    agreeDebit: refusePage,
    leaveDebit: refusePage,
  };
}

function refusePage(): Promise<never> {
  return Promise.reject(new Error("No pages of a demo are configured"));
}

/** How webhook events arrive: in order and once, or as a vendor may send them, each several times and the latest first. */
export type WebhookManner = { copies: number; isReversed: boolean };

const PLAIN: WebhookManner = { copies: 1, isReversed: false };

type DeliverySetting = {
  store: DemoStore;
  secret: string;
  /** Our own webhook. */
  receive: (delivery: Delivery) => Promise<"kept" | "refused" | "unknown-gateway">;
  manner?: WebhookManner | undefined;
};

/** Sends the demo gateways' webhook events to our webhook, as a vendor would; answers how many there were. */
export function createDemoDelivery({ store, secret, receive, manner = PLAIN }: DeliverySetting): () => Promise<number> {
  return async () => {
    const waiting = await store.listEvents();
    const once = manner.isReversed ? waiting.toReversed() : waiting;
    for (const { id, gateway, body } of Array.from({ length: manner.copies }, () => once).flat()) {
      const headers = signDemoWebhook(secret, body);
      const answer = await receive({ gateway, body, headers: { get: (name) => headers[name] ?? null } });
      if (answer === "kept") await store.markDelivered([id]);
    }
    return waiting.length;
  };
}
