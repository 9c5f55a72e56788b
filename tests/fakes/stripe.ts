import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stripe } from "stripe";

import { systemClock, type Clock } from "../../server/clock.ts";
import { createAnswering, type Seen } from "./stripe-answering.ts";
import { createBooks, type StripeBooks } from "./stripe-books.ts";
import { closeDispute, endRefund, openDispute } from "./stripe-charging.ts";
import { createFaults, type Fault } from "./stripe-faults.ts";
import { createWebhooks, type Webhook } from "./stripe-webhooks.ts";

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
