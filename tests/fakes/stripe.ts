import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { Stripe } from "stripe";

import { systemClock, type Clock } from "../../server/platform/clock.ts";
import { createFaults, listen, type Fault as AnyFault } from "../helpers/loopback.ts";
import { openContract, type Call } from "../vendors/contract.ts";
import { closeDispute, createBooks, endRefund, openDispute, type StripeBooks } from "./stripe-books.ts";
import { expand, listCalls } from "./stripe-calls.ts";
import { invalid, readForm, StripeRefusal, toText, toTexts, type Params } from "./stripe-objects.ts";
import { answerPage } from "./stripe-pages.ts";

type Keys = { secretKey: string; publishableKey: string; webhookSecret: string };

/** Missing keys are made up; objects are of test mode unless it `isLive`. */
export type StripeFakeSetting = Partial<Keys> & { clock?: Clock; isLive?: boolean };

export type StripeFake = AsyncDisposable & {
  /** The value for `apiBase`; its pages are there too. */
  url: string;
  keys: Keys;
  events: Stripe.Event[];
  calls: Seen[];
  /** Breaches of the contract; `stop` throws if there are any. */
  violations: string[];
  books: StripeBooks;
  fail(fault: Fault): void;
  heal(): void;
  /** Webhooks that were not taken yet, signed now. */
  takeWebhooks(): Webhook[];
  openDispute(intentId: string, status?: Stripe.Dispute.Status): string;
  closeDispute(disputeId: string, status: Stripe.Dispute.Status): void;
  /** Of one that was pending. */
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
  const waiting: Stripe.Event[] = [];
  const faults = createFaults<Fault>();
  const violations: string[] = [];
  const books = createBooks({ now: clock, isLive, emit: (event) => emit(event) });
  const answering = createAnswering({ books, keys, faults, violations });
  const emit = (event: Stripe.Event) => {
    answering.checkEvent(event);
    waiting.push(event);
  };

  const { url, ...server } = await listen(createServer(answering.handle));
  answering.setUrl(url);

  async function stop(): Promise<void> {
    await server[Symbol.asyncDispose]();
    if (violations.length > 0) throw new Error(`Against Stripe's contract:\n${violations.join("\n")}`);
  }

  return {
    url,
    keys,
    books,
    violations,
    events: books.events,
    calls: answering.calls,
    fail: faults.fail,
    heal: faults.heal,
    takeWebhooks: () =>
      waiting.splice(0).map((event) => toWebhook(event, { secret: keys.webhookSecret, at: nowInSeconds() })),
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

/** The exact body, and its headers. */
export type Webhook = { id: string; type: string; body: string; headers: Record<string, string> };

/** As docs.stripe.com/webhooks/signature describes it; several secrets during a change. */
export function signWebhook(body: string, { secrets, at }: { secrets: string[]; at: number }): string {
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"));
  return [`t=${at}`, ...signatures.map((each) => `v1=${each}`), "v0=0000"].join(",");
}

function toWebhook(event: Stripe.Event, { secret, at }: { secret: string; at: number }): Webhook {
  const body = JSON.stringify(event, null, 2);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    "Stripe-Signature": signWebhook(body, { secrets: [secret], at }),
  };
  return { id: event.id, type: event.type, body, headers };
}

/**
 * `delay`: done once `awaited` settles. `reset`: cut before anything is done. `500`: not done, stored under the key.
 * `429`: not done or stored. `403`: a restricted key may not. `garbage`: not done, and a proxy's page comes. `lost`:
 * done, without an answer.
 */
type FaultKind = "delay" | "reset" | "500" | "429" | "403" | "garbage" | "lost";

/** The SDK tries three times, so a fault of fewer `times` passes. */
export type Fault = AnyFault<FaultKind> & { awaited?: Promise<void> };

export type Seen = { call: string; params: Params; idempotencyKey: string | undefined };

type AnsweringSetting = {
  books: StripeBooks;
  keys: { secretKey: string; publishableKey: string };
  faults: ReturnType<typeof createFaults<Fault>>;
  violations: string[];
};

/** These calls are in no contract file. */
const BESIDE_CONTRACT = /^GET \/v1\/disputes\/\w+$/;
/** By an event's type. */
const SCHEMAS: Record<string, string> = {
  payment_intent: "PaymentIntent",
  "checkout.session": "Checkout.Session",
  refund: "Refund",
};

/** Keys, faults and idempotency; checks everything against the contract. */
function createAnswering({ books, keys, faults, violations }: AnsweringSetting) {
  const contract = openContract("stripe-contract.json");
  const known = listCalls(books);
  const idempotency = createKeys(books.nowInSeconds);
  const calls: Seen[] = [];
  let url = "";

  function judge(check: () => void): boolean {
    try {
      check();
      return true;
    } catch (error) {
      violations.push((error as Error).message);
      return false;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? "/", url);
    const body = await text(request);
    const isGet = request.method === "GET" || request.method === "HEAD";
    if (address.pathname.startsWith("/pages/")) {
      const page = answerPage(books, { path: address.pathname, form: isGet ? undefined : readForm(body), url });
      if (page.status === 303) return void response.writeHead(303, { Location: page.location }).end();
      return void response.writeHead(page.status, { "Content-Type": "text/html; charset=utf-8" }).end(page.html);
    }
    const call = { method: request.method ?? "", path: address.pathname };
    const name = `${call.method} ${call.path}`;
    const fault = faults.take(name);
    if (fault?.kind === "reset") return void request.socket.destroy();
    if (fault?.kind === "garbage") return void response.writeHead(200).end("<html>Bad gateway</html>");
    const params = readForm(isGet ? address.search.slice(1) : body);
    const { answered, isRepeat } = await takeCall({ call, name, params, request, fault });
    if (fault?.kind === "lost") return void request.socket.destroy();
    const headers = { "Content-Type": "application/json", "Request-Id": `req_${calls.length}` };
    response.writeHead(answered.status, { ...headers, ...(isRepeat && { "Idempotent-Replayed": "true" }) });
    response.end(JSON.stringify(answered.body));
  }

  type Taken = { call: Call; name: string; params: Params; request: IncomingMessage; fault: Fault | undefined };

  /** Checks before it takes the key, works once, and stores the answer. */
  async function takeCall(taken: Taken): Promise<{ answered: Answer; isRepeat: boolean }> {
    const { name, params, request, fault } = taken;
    const key = request.headers["idempotency-key"]?.toString();
    calls.push({ call: name, params, idempotencyKey: key });
    const isStored = key !== undefined && taken.call.method === "POST";
    let isHeld = false;
    try {
      authorise(name, { request, params });
      if (fault?.kind === "429") throw tooMany();
      if (fault?.kind === "403") throw notAllowed();
      checkRequest(taken);
      const before = isStored ? idempotency.take(key, `${name} ${JSON.stringify(params)}`) : undefined;
      if (before) return { answered: before, isRepeat: true };
      isHeld = isStored;
      await fault?.awaited;
      if (fault?.kind === "500") throw new StripeRefusal(500, { type: "api_error", message: "Something went wrong." });
      const answered = { status: 200, body: structuredClone(perform(name, params)) };
      checkAnswer(taken.call, answered);
      if (isHeld) idempotency.keep(key ?? "", answered);
      return { answered, isRepeat: false };
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error;
      const answered = structuredClone({ status: error.status, body: error.body });
      checkAnswer(taken.call, answered);
      if (isHeld && error.isBeforehand) idempotency.forget(key ?? "");
      else if (isHeld) idempotency.keep(key ?? "", answered);
      return { answered, isRepeat: false };
    }
  }

  function authorise(name: string, { request, params }: { request: IncomingMessage; params: Params }): void {
    const given = request.headers.authorization?.replace(/^Bearer /, "") ?? toText(params.key) ?? "";
    if (given === keys.secretKey) return;
    if (given !== keys.publishableKey) {
      const message = `Invalid API Key provided: ${given.slice(0, 8)}****`;
      throw new StripeRefusal(401, { type: "invalid_request_error", message }, true);
    }
    if (name === "POST /v1/payment_methods") return;
    const message = "This API call cannot be made with a publishable API key. Please use a secret API key.";
    throw new StripeRefusal(403, { type: "invalid_request_error", code: "secret_key_required", message }, true);
  }

  function checkRequest({ call, name, params }: Taken): void {
    if (BESIDE_CONTRACT.test(name)) return;
    // Stripe.js sends its key in the form, which the contract does not name.
    const { key: _key, ...sent } = params;
    if (!contract.knows(call)) {
      violations.push(`${name} is not in the contract`);
      throw new StripeRefusal(
        404,
        { type: "invalid_request_error", message: `Unrecognized request URL (${name}).` },
        true,
      );
    }
    if (!judge(() => void contract.checkRequest(call, sent))) throw invalid(violations.at(-1) ?? "");
  }

  function checkAnswer(call: Call, answered: Answer): void {
    if (contract.knows(call)) judge(() => contract.checkAnswer(call, answered));
  }

  function perform(name: string, params: Params): unknown {
    for (const { on, handle } of known) {
      const [isHit, id = ""] = on.exec(name) ?? [];
      if (isHit !== undefined) return expand(books, handle({ id, params, url }), toTexts(params.expand));
    }
    throw new Error(`The fake does not know ${name}`);
  }

  return {
    calls,
    setUrl: (its: string) => void (url = its),

    checkEvent(event: Stripe.Event): void {
      const schema = SCHEMAS[event.data.object.object];
      judge(() => contract.checkObject("Event", event));
      if (schema) judge(() => contract.checkObject(schema, event.data.object));
    },

    handle(request: IncomingMessage, response: ServerResponse): void {
      answer(request, response).catch((error: unknown) => {
        violations.push(`The fake itself failed: ${String(error)}`);
        request.socket.destroy();
      });
    },
  };
}

function notAllowed(): StripeRefusal {
  const message = "The provided key does not have the required permissions for this endpoint.";
  return new StripeRefusal(403, { type: "invalid_request_error", message }, true);
}

function tooMany(): StripeRefusal {
  const message = "Request rate limit exceeded.";
  return new StripeRefusal(429, { type: "invalid_request_error", code: "rate_limit", message }, true);
}

/** Stored for repeats. */
type Answer = { status: number; body: unknown };

type StoredAnswer = { call: string; at: number; answer: Answer | undefined };

const DAY_IN_SECONDS = 86_400;

/**
 * Idempotency by docs.stripe.com/api/idempotent_requests: the first answer is repeated for a day, even a 500 or a
 * declined card; other parameters under the same key are refused; two calls at once get 409; a refusal before the work
 * is not stored.
 */
function createKeys(nowInSeconds: () => number) {
  const stored = new Map<string, StoredAnswer>();
  return {
    /** `undefined`: this is the first call, which holds the key from now on. */
    take(key: string, call: string): Answer | undefined {
      const before = stored.get(key);
      if (!before || nowInSeconds() >= before.at + DAY_IN_SECONDS) {
        stored.set(key, { call, at: nowInSeconds(), answer: undefined });
        return undefined;
      }
      if (before.call !== call) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`;
        throw new StripeRefusal(400, { type: "idempotency_error", message }, true);
      }
      if (!before.answer) {
        const message = "There is currently another in-progress request using this Idempotent Key.";
        throw new StripeRefusal(409, { type: "invalid_request_error", code: "idempotency_key_in_use", message }, true);
      }
      return before.answer;
    },

    keep(key: string, answer: Answer): void {
      const held = stored.get(key);
      if (held) held.answer = structuredClone(answer);
    },

    forget: (key: string) => void stored.delete(key),
  };
}
