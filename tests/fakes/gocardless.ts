import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { type Clock, systemClock } from "../../server/platform/clock.ts";
import { createFaults, listen, type Fault as AnyFault } from "../helpers/loopback.ts";
import { openContract } from "../vendors/contract.ts";
import {
  answerPage,
  type Collection,
  createGoCardlessControls,
  createGoCardlessState,
  creditor,
  type EventThing,
  type GoCardlessState,
  makeId,
  notFound,
  toRefusal,
  Refused,
} from "./gocardless-state.ts";

/**
 * A fake that goes through GoCardless's states, and checks every call, answer and webhook against GoCardless's own
 * description. Closing it throws when one did not match.
 */
export type GoCardlessFake = Awaited<ReturnType<typeof startGoCardlessFake>>;

export type SeenCall = { method: string; path: string; key: string | undefined; headers: IncomingMessage["headers"] };

type Options = {
  clock?: Clock;
  webhookSecret?: string;
  accessToken?: string;
  creditors?: object[];
  onHang?: () => void;
};

const contract = openContract("gocardless-contract.json");

export async function startGoCardlessFake(options: Options = {}) {
  const { clock = systemClock, webhookSecret = "webhook-secret", accessToken = "sandbox_fake" } = options;
  const { onHang = () => undefined } = options;
  const server = createServer();
  const { url: apiBase, ...listening } = await listen(server);
  const state = createGoCardlessState({ clock, origin: apiBase });
  const faults = createFaults<Fault>();
  const calls: SeenCall[] = [];
  const breaches: string[] = [];
  const api = { state, accessToken, breaches, creditors: options.creditors ?? [creditor] };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void serve(request, response).catch((error: unknown) => {
      breaches.push(String(error));
      response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", apiBase);
    const body = await text(request);
    const { method = "GET", headers } = request;
    if (url.pathname === "/flow") {
      const visit = { method, id: url.searchParams.get("id") ?? "", form: new URLSearchParams(body) };
      const { status, location, html } = answerPage(visit, { state, clock });
      response.writeHead(status, { "Content-Type": "text/html", ...(location && { Location: location }) }).end(html);
      return;
    }
    const key = headers["idempotency-key"] as string | undefined;
    calls.push({ method, path: url.pathname, key, headers });
    const fault = faults.take(`${method} ${url.pathname}`);
    if (fault?.kind === "hang") return onHang();
    if (fault && failBefore(fault, response)) return;
    const answer = answerCall({ method, url, headers, key, body }, api);
    if (fault) return failAfter(fault, response);
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(answer.body));
  }

  let sentUntil = 0;
  /** With the events that were not sent yet. */
  function takeWebhooks(size = MAX_EVENTS_IN_WEBHOOK): Webhook[] {
    const waiting = state.events.slice(sentUntil);
    sentUntil = state.events.length;
    const count = Math.ceil(waiting.length / size);
    return Array.from({ length: count }, (_, at) =>
      toWebhook(waiting.slice(at * size, (at + 1) * size), webhookSecret),
    );
  }

  return {
    apiBase,
    accessToken,
    webhookSecret,
    fail: faults.fail,
    heal: faults.heal,
    calls,
    breaches,
    state,
    ...createGoCardlessControls(state),
    takeWebhooks,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      if (breaches.length > 0) throw new Error(`GoCardless's contract was broken:\n${breaches.join("\n")}`);
    },
  };
}

/** A payer's act on GoCardless's page; returns where the browser is sent. */
export async function visitFlow(authorisationUrl: string, intent: "agree" | "exit"): Promise<string | null> {
  const form = new URLSearchParams({ intent, account_number: "55779911", branch_code: "200000" });
  const answer = await fetch(authorisationUrl, { method: "POST", body: form, redirect: "manual" });
  return answer.headers.get("Location");
}

type Call = { method: string; url: URL; headers: IncomingMessage["headers"]; key: string | undefined; body: string };
type Api = { state: GoCardlessState; accessToken: string; breaches: string[]; creditors: object[] };
type Answer = { status: number; body: unknown };

function answerCall(call: Call, api: Api): Answer {
  const described = { method: call.method, path: call.url.pathname };
  let answer: Answer;
  try {
    requireHeaders(call, api);
    const sent = call.method === "POST" ? (JSON.parse(call.body) as unknown) : nest(call.url.searchParams);
    if (!contract.knows(described)) throw notFound();
    hold(api, () => contract.checkRequest(described, sent));
    answer = { status: call.method === "POST" ? 201 : 200, body: answerWell({ ...call, sent }, api) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    answer = { status: error.status, body: toRefusal(error) };
  }
  if (contract.knows(described)) hold(api, () => contract.checkAnswer(described, answer));
  return answer;
}

function answerWell({ url, key, sent, method }: Call & { sent: unknown }, { state, creditors }: Api): unknown {
  const [, name = "", id] = url.pathname.split("/");
  if (name === "creditors") return { creditors, meta: { cursors: { before: null, after: null }, limit: 50 } };
  if (name === "events") return listEvents(url.searchParams, state);
  const collection = name as Collection;
  if (method === "GET") return { [name]: state.find(collection, id ?? "") };
  return { [name]: state.create(collection, (sent as Record<string, unknown>)[name], key) };
}

/** Newest first, page by page, as all of GoCardless's lists are. */
function listEvents(query: URLSearchParams, { events }: GoCardlessState): unknown {
  const limit = Number(query.get("limit") ?? 50);
  if (limit > 500) throw new Refused(422, "validation_failed", { field: "limit", message: "must be at most 500" });
  const since = query.get("created_at[gte]") ?? "";
  const payment = query.get("payment");
  const all = events
    .filter(({ created_at, links }) => created_at >= since && (payment === null || links["payment"] === payment))
    .toReversed();
  const start = query.has("after") ? all.findIndex(({ id }) => id === query.get("after")) + 1 : 0;
  const page = all.slice(start, start + limit);
  const hasMore = start + limit < all.length;
  return {
    events: page,
    meta: { cursors: { before: null, after: hasMore ? (page.at(-1)?.id ?? null) : null }, limit },
  };
}

function requireHeaders({ headers }: Call, { accessToken }: Api): void {
  if (headers.authorization !== `Bearer ${accessToken}`) {
    const fault = { message: "The access token you've used is not a valid", reason: "access_token_not_found" };
    throw new Refused(401, "invalid_api_usage", fault);
  }
  if (headers["gocardless-version"] !== "2015-07-06") {
    throw new Refused(400, "invalid_api_usage", {
      message: "Version header missing",
      reason: "missing_version_header",
    });
  }
}

/** `created_at[gte]=…` is one word in an address and an object in the description. */
function nest(query: URLSearchParams): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (outer && inner) nested[outer] = { ...(nested[outer] as object), [inner]: value };
    else nested[name] = value;
  }
  return nested;
}

function hold({ breaches }: Api, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    breaches.push((error as Error).message);
  }
}

/**
 * `hang`: no answer ever. `reset`: cut before anything is done; `lost`: after. `garbage`, `huge` and `redirect` replace
 * the answer; the first two after the work is done.
 */
export type FaultKind = "hang" | "reset" | "lost" | "garbage" | "huge" | "redirect" | 429 | 500 | 502;

export type Fault = AnyFault<FaultKind> & { headers?: Record<string, string> };

/** Returns whether the fault replaced the work. */
function failBefore({ kind, headers = {} }: Fault, response: ServerResponse): boolean {
  if (kind === "reset") response.destroy();
  else if (kind === "redirect") response.writeHead(302, { Location: "/elsewhere", ...headers }).end();
  else if (kind === 502)
    response.writeHead(502, { "Content-Type": "text/html", ...headers }).end("<h1>Bad gateway</h1>");
  else if (kind === 429 || kind === 500) {
    response.writeHead(kind, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(toRefusal(troubles[kind])));
  } else return false;
  return true;
}

function failAfter({ kind }: Fault, response: ServerResponse): void {
  if (kind === "garbage") response.writeHead(200, { "Content-Type": "application/json" }).end("<html>{");
  else if (kind === "huge") response.writeHead(200).end(JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) }));
  else response.destroy();
}

const troubles = {
  429: new Refused(429, "invalid_api_usage", { message: "Rate limit exceeded", reason: "rate_limit_exceeded" }),
  500: new Refused(500, "gocardless", { message: "Internal server error", reason: "internal_server_error" }),
};

type Webhook = { body: string; headers: Headers };

const MAX_EVENTS_IN_WEBHOOK = 250;

/** Its events are checked against GoCardless's own description first. */
function toWebhook(events: EventThing[], webhookSecret: string): Webhook {
  for (const event of events) contract.checkObject("Event", event);
  return signWebhook(JSON.stringify({ events, meta: { webhook_id: makeId("WB") } }), webhookSecret);
}

/** Signs any text as GoCardless would. */
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
