import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stripe } from "stripe";
import { systemClock, type Clock } from "../../server/clock.ts";
import { createAnswering, type Seen } from "./stripe-answering.ts";
import { closeDispute, createBooks, endRefund, openDispute, type StripeBooks } from "./stripe-books.ts";

export type StripeFakeSetting = {
  clock?: Clock;
  /** Test keys are made up when none are given; what it makes is of test mode unless it `isLive`. */
  secretKey?: string;
  publishableKey?: string;
  webhookSecret?: string;
  /** Where webhooks are sent; without it a test fetches them. */
  webhookUrl?: string;
  isLive?: boolean;
  port?: number;
};

/** A Stripe on the loopback, which keeps what it is told and behaves as Stripe documents it. */
export type StripeFake = AsyncDisposable & {
  /** What `apiBase` is set to; its pages are there too. */
  url: string;
  keys: { secretKey: string; publishableKey: string; webhookSecret: string };
  /** All that happened, oldest first. */
  events: Stripe.Event[];
  /** The calls that came, oldest first. */
  calls: Seen[];
  /** What the calls and answers did wrong by the contract; `stop` throws if there is anything. */
  violations: string[];
  books: StripeBooks;
  fail(fault: Fault): void;
  heal(): void;
  /** Webhooks that nobody has taken yet, signed now. */
  takeWebhooks(): Webhook[];
  sendAgain(): void;
  /** Resolves when no webhook is on its way. */
  settle(): Promise<void>;
  /** A payer's bank disputes a charge; answers the dispute's id. */
  openDispute(intentId: string, status?: Stripe.Dispute.Status): string;
  closeDispute(disputeId: string, status: Stripe.Dispute.Status): void;
  /** Ends a refund that was on its way. */
  endRefund(refundId: string, status: "succeeded" | "failed"): void;
  stop(): Promise<void>;
};

export async function startStripeFake(setting: StripeFakeSetting = {}): Promise<StripeFake> {
  const clock = setting.clock ?? systemClock;
  const isLive = setting.isLive ?? false;
  const keys = {
    secretKey: setting.secretKey ?? makeKey("sk", isLive),
    publishableKey: setting.publishableKey ?? makeKey("pk", isLive),
    webhookSecret: setting.webhookSecret ?? `whsec_${randomBytes(16).toString("hex")}`,
  };
  const nowInSeconds = () => Math.floor(clock().getTime() / 1000);
  const webhooks = createWebhooks({ secret: keys.webhookSecret, url: setting.webhookUrl, nowInSeconds });
  const faults = createFaults();
  const violations: string[] = [];
  const books = createBooks({ now: clock, isLive, tell: (event) => tell(event) });
  const answering = createAnswering({ books, keys, faults, violations });
  const tell = (event: Stripe.Event) => {
    answering.checkEvent(event);
    webhooks.add(event);
  };

  const server = createServer(answering.listen);
  await new Promise<void>((resolve) => server.listen(setting.port ?? 0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answering.setUrl(url);

  async function stop(): Promise<void> {
    await webhooks.settle();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (violations.length > 0) throw new Error(`Against Stripe's contract:\n${violations.join("\n")}`);
  }

  return {
    url,
    keys,
    books,
    violations,
    events: books.events,
    calls: answering.calls,
    fail: faults.add,
    heal: faults.clear,
    takeWebhooks: webhooks.take,
    sendAgain: webhooks.sendAgain,
    settle: webhooks.settle,
    openDispute: (intentId, status = "needs_response") => openDispute(books, books.requireIntent(intentId), status),
    closeDispute: (disputeId, status) => closeDispute(books, disputeId, status),
    endRefund: (refundId, status) => endRefund(books, refundId, status),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function makeKey(prefix: "sk" | "pk", isLive: boolean): string {
  return `${prefix}_${isLive ? "live" : "test"}_${randomBytes(12).toString("hex")}`;
}

/** A webhook as it is sent: the body to the byte, and its headers. */
export type Webhook = { id: string; type: string; body: string; headers: Record<string, string> };

/** Signs as docs.stripe.com/webhooks/signature describes it; several secrets while one is changed. */
export function signWebhook(body: string, { secrets, at }: { secrets: string[]; at: number }): string {
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"));
  return [`t=${at}`, ...signatures.map((each) => `v1=${each}`), "v0=0000"].join(",");
}

type Setting = { secret: string; url: string | undefined; nowInSeconds: () => number };

/** Sends webhooks one behind the other, or keeps them for a test to fetch; what is not taken with 2xx is kept too. */
function createWebhooks({ secret, url, nowInSeconds }: Setting) {
  const waiting: Stripe.Event[] = [];
  let sending = Promise.resolve();

  function write(event: Stripe.Event): Webhook {
    const body = JSON.stringify(event, null, 2);
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "Stripe-Signature": signWebhook(body, { secrets: [secret], at: nowInSeconds() }),
    };
    return { id: event.id, type: event.type, body, headers };
  }

  async function send(event: Stripe.Event, to: string): Promise<void> {
    const { body, headers } = write(event);
    const answer = await fetch(to, { method: "POST", body, headers, redirect: "manual" }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (!answer?.ok) waiting.push(event);
  }

  function add(event: Stripe.Event): void {
    if (url === undefined) waiting.push(event);
    else sending = sending.then(() => send(event, url));
  }

  return {
    add,
    /** Those that nobody has taken yet, signed now; they count as taken. */
    take: (): Webhook[] => waiting.splice(0).map(write),
    /** Sends again what was not taken, as Stripe does for three days. */
    sendAgain: () => waiting.splice(0).forEach(add),
    /** Resolves when nothing is on its way. */
    settle: () => sending,
  };
}

/**
 * What can go wrong on the way. `delay`: late, and done. `reset`: the line is cut before anything is done. `500`: nothing is done, and
 * the answer is kept under the key. `429`: nothing is done or kept. `garbage`: nothing is done, and a proxy's page comes back. `lost`:
 * it is done, and the answer does not arrive.
 */
export type FaultKind = "delay" | "reset" | "500" | "429" | "garbage" | "lost";

export type Fault = {
  kind: FaultKind;
  /** `POST /v1/refunds`, or a part of it; every call if there is none. */
  on?: RegExp;
  /** How often; for ever if not said. The SDK tries three times. */
  times?: number;
  /** For `delay`. */
  delayInMs?: number;
};

export function createFaults() {
  const faults: { fault: Fault; left: number }[] = [];
  return {
    add: (fault: Fault) => void faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => void faults.splice(0),
    /** The fault that strikes this call, used up by one. */
    take(call: string): Fault | undefined {
      const found = faults.find(({ fault, left }) => left > 0 && (fault.on?.test(call) ?? true));
      if (found) found.left -= 1;
      return found?.fault;
    },
  };
}
