import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Stripe } from "stripe";
import { openContract, type Call } from "../vendors/contract.ts";
import type { StripeBooks } from "./stripe-books.ts";
import { expand, listCalls } from "./stripe-calls.ts";
import { StripeRefusal, invalid, readForm, textOf, textsOf, unauthorised, type Params } from "./stripe-form.ts";
import { answerPage } from "./stripe-pages.ts";
import type { Fault, createFaults } from "./stripe.ts";

/** One call as it came. */
export type Seen = { call: string; params: Params; idempotencyKey: string | undefined };

type Setting = {
  books: StripeBooks;
  keys: { secretKey: string; publishableKey: string };
  faults: ReturnType<typeof createFaults>;
  violations: string[];
};

/** Calls that are in no contract file. */
const BESIDE_CONTRACT = /^GET \/v1\/disputes\/\w+$/;
/** What Stripe.js sends along that its public contract does not name. */
const OF_STRIPE_JS =
  /^(?:key|payment_user_agent|guid|muid|sid|time_on_page|referrer|pasted_fields|client_attribution_metadata|_stripe_.*)$/;
const MAX_BODY_IN_BYTES = 1024 * 1024;
/** The schema of what an event is about. */
const SCHEMAS: Record<string, string> = {
  payment_intent: "PaymentIntent",
  "checkout.session": "Checkout.Session",
  refund: "Refund",
};

/** Stripe's HTTP side: keys, faults, idempotency, and the contract that everything is held against. */
export function createAnswering({ books, keys, faults, violations }: Setting) {
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
    const asked = new URL(request.url ?? "/", url);
    const body = await readBody(request);
    const isGet = request.method === "GET" || request.method === "HEAD";
    if (asked.pathname.startsWith("/pages/")) {
      const page = answerPage(books, { path: asked.pathname, form: isGet ? undefined : readForm(body), url });
      if (page.status === 303) return void response.writeHead(303, { Location: page.location }).end();
      return void response.writeHead(page.status, { "Content-Type": "text/html; charset=utf-8" }).end(page.html);
    }
    if (request.method === "OPTIONS") return void response.writeHead(204, cors).end();
    const call = { method: request.method ?? "", path: asked.pathname };
    const name = `${call.method} ${call.path}`;
    const fault = faults.take(name);
    if (fault?.kind === "reset") return void request.socket.destroy();
    if (fault?.kind === "garbage") return void response.writeHead(200, cors).end("<html>Bad gateway</html>");
    const params = readForm(isGet ? asked.search.slice(1) : body);
    const { answered, isRepeat } = await takeCall({ call, name, params, request, fault });
    if (fault?.kind === "lost") return void request.socket.destroy();
    const headers = { "Content-Type": "application/json", "Request-Id": `req_${calls.length}`, ...cors };
    response.writeHead(answered.status, { ...headers, ...(isRepeat && { "Idempotent-Replayed": "true" }) });
    response.end(JSON.stringify(answered.body));
  }

  type Taken = { call: Call; name: string; params: Params; request: IncomingMessage; fault: Fault | undefined };

  /** Decides before the key is taken, does once, and keeps the answer. */
  async function takeCall(taken: Taken): Promise<{ answered: Answer; isRepeat: boolean }> {
    const { name, params, request, fault } = taken;
    const key = request.headers["idempotency-key"]?.toString();
    calls.push({ call: name, params, idempotencyKey: key });
    const isKept = key !== undefined && taken.call.method === "POST";
    let isHeld = false;
    try {
      authorise(name, { request, params });
      if (fault?.kind === "429") throw tooMany();
      checkRequest(taken);
      const before = isKept ? idempotency.take(key, `${name} ${JSON.stringify(params)}`) : undefined;
      if (before) return { answered: before, isRepeat: true };
      isHeld = isKept;
      if (fault?.kind === "delay") await wait(fault.delayInMs ?? 0);
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
    const given = request.headers.authorization?.replace(/^Bearer /, "") ?? textOf(params.key) ?? "";
    if (given === keys.secretKey) return;
    if (given !== keys.publishableKey) throw unauthorised(given);
    if (name === "POST /v1/payment_methods") return;
    const message = "This API call cannot be made with a publishable API key. Please use a secret API key.";
    throw new StripeRefusal(403, { type: "invalid_request_error", code: "secret_key_required", message }, true);
  }

  function checkRequest({ call, name, params }: Taken): void {
    if (BESIDE_CONTRACT.test(name)) return;
    const sent = Object.fromEntries(Object.entries(params).filter(([each]) => !OF_STRIPE_JS.test(each)));
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
      if (isHit !== undefined) return expand(books, handle({ id, params, url }), textsOf(params.expand));
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

    listen(request: IncomingMessage, response: ServerResponse): void {
      answer(request, response).catch((error: unknown) => {
        violations.push(`The fake itself failed: ${String(error)}`);
        request.socket.destroy();
      });
    },
  };
}

/** Stripe.js calls from the page's own origin. */
const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };

function tooMany(): StripeRefusal {
  const message = "Request rate limit exceeded.";
  return new StripeRefusal(429, { type: "invalid_request_error", code: "rate_limit", message }, true);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const read = chunk as Buffer;
    bytes += read.byteLength;
    if (bytes > MAX_BODY_IN_BYTES) throw new Error("A body is longer than any of Stripe's");
    chunks.push(read);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** One call as it came, and the answer that is kept for its repeats. */
export type Answer = { status: number; body: unknown };

type Kept = { call: string; at: number; answer: Answer | undefined };

const DAY_IN_SECONDS = 86_400;

/**
 * Idempotency as Stripe documents it (docs.stripe.com/api/idempotent_requests): the first answer is repeated for a day, a 500 and a
 * declined card too; other parameters under the same key are refused; two at once are refused with 409; what was refused before
 * anything began is not kept.
 */
function createKeys(nowInSeconds: () => number) {
  const kept = new Map<string, Kept>();
  return {
    /** The kept answer of a repeat; `undefined`: this is the first call, which holds the key from now on. */
    take(key: string, call: string): Answer | undefined {
      const before = kept.get(key);
      if (!before || nowInSeconds() >= before.at + DAY_IN_SECONDS) {
        kept.set(key, { call, at: nowInSeconds(), answer: undefined });
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
      const held = kept.get(key);
      if (held) held.answer = structuredClone(answer);
    },

    forget: (key: string) => void kept.delete(key),
  };
}
