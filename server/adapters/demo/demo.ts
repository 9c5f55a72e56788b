import type { Delivery } from "../../platform/webhooks/webhooks.ts";
import { authenticate, findPage, leaveCardPage, makeMethod, payCardPage, type Card } from "./card-pages.ts";
import { createDemoCardGateway } from "./card-gateway.ts";
import { type Decision, decidePayment, listOpenPayments } from "./decisions.ts";
import { agreeDebit, type BankAccount, findDebitPage, leaveDebit } from "./debit-pages.ts";
import { createDemoDebit, type DebitsBegin } from "./debits.ts";
import { type DemoStore, listEvents, markDelivered, signDemoWebhook } from "./store.ts";

/** `secret` signs webhook events; `pageUrl` makes addresses of our pages; `manner` and `debitsBegin` are for tests. */
export type DemoSetting = DemoStore & {
  secret: string;
  pageUrl: (path: string) => string;
  manner?: WebhookManner | undefined;
  debitsBegin?: DebitsBegin | undefined;
};

/** The demo's payment providers over one store: both gateways, their pages, and the delivery of webhook events. */
export function createDemo({ db, clock, secret, pageUrl, manner, debitsBegin }: DemoSetting) {
  const store = { db, clock };
  return {
    store,
    cardGateway: createDemoCardGateway(store, secret),
    debits: createDemoDebit({ ...store, secret, pageUrl, debitsBegin }),
    pages: openPages(store),
    payments: openPayments(store),
    createDelivery: (receive: Receive) => () => deliverEvents(store, { secret, receive, manner }),
  };
}

/** The pages of a demo's payment providers, behind a redirect. The product knows only the interfaces in `payments/`. */
export type DemoGateways = ReturnType<typeof openPages>;

function openPages(store: DemoStore) {
  return {
    makeMethod: (card: Card) => makeMethod(store, card),
    findCardPage: (paymentId: string) => findPage(store, paymentId),
    payCardPage: (paymentId: string, card: Card) => payCardPage(store, paymentId, card),
    leaveCardPage: (paymentId: string) => leaveCardPage(store, paymentId),
    findAuthentication: (paymentId: string) => findPage(store, paymentId),
    authenticate: (paymentId: string, isComplete: boolean) => authenticate(store, paymentId, isComplete),
    findDebitPage: (flowId: string) => findDebitPage(store, flowId),
    agreeDebit: (flowId: string, bank: BankAccount) => agreeDebit(store, flowId, bank),
    leaveDebit: (flowId: string) => leaveDebit(store, flowId),
  };
}

export type DemoPayments = ReturnType<typeof openPayments>;

function openPayments(store: DemoStore) {
  return {
    listOpen: () => listOpenPayments(store),
    decide: (id: string, decision: Decision) => decidePayment(store, id, decision),
  };
}

/** A demo whose pages are on another host: it only takes cards here. */
export const pagesElsewhere: Omit<DemoGateways, "makeMethod"> = {
  findCardPage: async () => undefined,
  payCardPage: refusePage,
  leaveCardPage: refusePage,
  findAuthentication: async () => undefined,
  authenticate: refusePage,
  findDebitPage: async () => undefined,
  agreeDebit: refusePage,
  leaveDebit: refusePage,
};

function refusePage(): Promise<never> {
  return Promise.reject(new Error("No pages of a demo are configured"));
}

/** How webhook events arrive: in order and once, or repeated and the latest first, as vendors may send them. */
export type WebhookManner = { copies: number; isReversed: boolean };

type Receive = (delivery: Delivery) => Promise<"kept" | "refused" | "unknown-gateway">;

type DeliverySetting = { secret: string; receive: Receive; manner?: WebhookManner | undefined };

/** As a vendor would; returns how many events there were. */
export async function deliverEvents(
  store: DemoStore,
  { secret, receive, manner = { copies: 1, isReversed: false } }: DeliverySetting,
): Promise<number> {
  const waiting = await listEvents(store);
  const once = manner.isReversed ? waiting.toReversed() : waiting;
  for (const { id, gateway, body } of Array.from({ length: manner.copies }, () => once).flat()) {
    const headers = signDemoWebhook(secret, body);
    const answer = await receive({ gateway, body, headers: { get: (name) => headers[name] ?? null } });
    if (answer === "kept") await markDelivered(store, [id]);
  }
  return waiting.length;
}
