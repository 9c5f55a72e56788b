import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { randomUUID } from "node:crypto";
import { createHeaders } from "@remix-run/node-fetch-server";

import { SECOND_IN_MS } from "../clock.ts";
import type { HttpConfig } from "../../config.ts";
import type { Log } from "../log.ts";
import { api, forms, pictures } from "../../refusals.ts";
import { type Admission, bodyRules, createBodyReader } from "./request-body.ts";
import { createFindOrigin } from "./proxy.ts";
import type { MeasuredHttp } from "./metrics-page.ts";
import { readTrace } from "./trace.ts";
import { type Answer, hangUpUnread, sendAnswer } from "./answers.ts";
import type { StaticFiles } from "./static-files.ts";

export type Handler = (request: Request, address: string) => Promise<Answer>;

/** Decides by the head of a request which body it may bring: by its route, and by its sender. */
export type Admit = (request: Request) => Promise<Admission>;

/** A request refused before any route; `text` replaces the status's usual texts. */
export type Refusal = { status: number; text?: Partial<RefusalText> | undefined };
export type RefusalText = { title: string; sentence: string; action: { label: string; href: string } };

/** Answers with a page where the request accepts one. */
export type AnswerRefusal = (request: Request, refusal: Refusal) => Response;

export type HttpServerOptions = {
  http: HttpConfig;
  basePath: string;
  handler: Handler;
  admit: Admit;
  answerRefusal: AnswerRefusal;
  staticFiles: StaticFiles;
  log: Log;
  /** Only where operators watch the server. */
  metrics?: MeasuredHttp | undefined;
};

/**
 * Serves static files from memory and passes the rest to the handler. Refuses paths outside the base path, large bodies
 * and slow requests. Logs a line for each request: the path alone, without user or query.
 */
export function createHttpServer(options: HttpServerOptions): Server {
  const { answerRefusal, log, metrics } = options;
  const { answer, refuse } = createAnswers(options);

  const server = createServer({ highWaterMark: UNREAD_BYTES, connectionsCheckingInterval }, (request, response) => {
    const id = randomUUID();
    const path = readPath(request.url ?? "/");
    response.setHeader("X-Request-Id", id);
    response.setHeader("X-Content-Type-Options", "nosniff");
    const trace = readTrace(request.headers.traceparent);
    const seen: Seen = { path, route: "refused" };
    metrics?.http.began();
    onceClosed(response, (ended) => {
      const { method = "" } = request;
      log.info({ id, ...trace, method, path: path ?? "", ...ended, ms: Math.round(ended.ms) }, "request");
      metrics?.http.ended({ method, route: seen.route, ...ended });
    });
    const answerInTurn = async () => {
      if (await claimTurn(request.socket, response)) await answer(request, response, seen);
    };
    const answerFault = (error: unknown) => {
      // A visitor who has left needs no answer.
      if (response.destroyed || (request.destroyed && !request.complete)) return;
      log.error({ id, ...trace, error }, "the HTTP server failed to answer");
      return refuse(request, response, { status: 500 });
    };
    answerInTurn()
      .catch(answerFault)
      .catch(() => response.destroy());
  });

  server.on("clientError", (error, socket) => void refuseUnreadable(error, { socket, answerRefusal }));
  server.headersTimeout = 10 * SECOND_IN_MS;
  // The longest of all; each body has its own limit.
  server.requestTimeout = bodyRules.picture.maxMs;
  // Longer than the idle time-out of common proxies (60 s), so that it is they who close.
  server.keepAliveTimeout = 65 * SECOND_IN_MS;
  server.maxHeadersCount = 100;
  server.maxConnections = MAX_CONNECTIONS;
  server.on("drop", () => server.closeIdleConnections());
  return server;
}

/** `path` is `undefined` if unreadable; `route`, for metrics, is filled in later. */
type Seen = { path: string | undefined; route: string };

function createAnswers(options: HttpServerOptions) {
  const { http, basePath, handler, admit, answerRefusal, staticFiles, metrics } = options;
  const findOrigin = createFindOrigin(http.trustedProxies, http.origin);
  const readBody = createBodyReader();

  async function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): Promise<void> {
    if (response.headersSent) return void response.destroy();
    response.setHeader("Connection", "close");
    // The target may be no valid address.
    const url = URL.parse(`http://refused.invalid${request.url}`) ?? "http://refused.invalid";
    const headers = createHeaders(request);
    // A client without `Accept` is more likely a program than a browser.
    if (!headers.has("Accept")) headers.set("Accept", "text/plain");
    const head = new Request(url, { headers });
    await sendAnswer(request, response, { response: answerRefusal(head, refusal) });
  }

  async function answer(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
    const { path } = seen;
    if (path === undefined || request.method === "TRACE" || hostCount(request) > 1)
      return refuse(request, response, { status: 400 });
    if (`${path}/` === basePath) {
      return void response.writeHead(308, { Location: basePath + (request.url ?? "").slice(path.length) }).end();
    }
    if (!path.startsWith(basePath)) {
      return refuse(request, response, { status: 404, text: { sentence: api["nothing-here"] } });
    }
    if (metrics?.scrapePage && path === `${basePath}metrics`) {
      seen.route = "/metrics";
      return metrics.scrapePage(request, response);
    }
    if (staticFiles(path.slice(basePath.length), request, response)) {
      seen.route = "file";
      return hangUpUnread(response);
    }
    if (metrics) seen.route = metrics.findRoute(path);

    const { address, protocol, host } = findOrigin(request);
    const url = plainHost.test(host) ? URL.parse(`${protocol}//${host}${request.url}`) : null;
    if (!url) return refuse(request, response, { status: 400 });
    const head = { method: request.method ?? "GET", headers: createHeaders(request), signal: createSignal(response) };
    const { promise: handled, resolve: settle } = Promise.withResolvers<void>();
    try {
      const admission = bringsBody(request) ? await admit(new Request(url, head)) : ({ kind: "none" } as const);
      const read = await readBody({ incoming: request, response, address, handled }, admission);
      if (read.ok) {
        await sendAnswer(request, response, await handler(new Request(url, { ...head, body: read.body }), address));
      } else if (read.reason !== "gone") {
        await refuse(request, response, bodyRefusal(read.reason, { admission, basePath }));
      }
    } finally {
      settle();
    }
  }

  return { answer, refuse };
}

type BodyContext = { admission: Admission; basePath: string };

function bodyRefusal(reason: "too-large" | "too-many", { admission, basePath }: BodyContext): Refusal {
  if (reason === "too-many") return { status: 503, text: { sentence: forms["too-many-bodies"] } };
  if (admission.kind !== "picture") return { status: 413, text: { sentence: forms["too-large"] } };
  const action = { label: "Back to My Account", href: `${basePath}?account=open` };
  return { status: 413, text: { title: pictures["too-big"], sentence: pictures["too-big-to-read"], action } };
}

/** The bytes of a connection that we hold unread; the rest waits in the network. */
const UNREAD_BYTES = 16 * 1024;
/** Each takes about 10 kB. Beyond the limit, idle ones are closed, and new ones must retry. */
const MAX_CONNECTIONS = 5000;
const connectionsCheckingInterval = 5 * SECOND_IN_MS;

/** `done`: the whole answer was sent. */
type EndedAnswer = { status: number; ms: number; done: boolean };

function onceClosed(response: ServerResponse, note: (ended: EndedAnswer) => void): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    note({ status: response.statusCode, ms, done: response.writableFinished });
  });
}

/** A name or an address, perhaps with a port, and nothing that a URL would read otherwise. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** RFC 9112, section 3.2: a request with more than one Host is refused. */
function hostCount({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
}

/** Resolved as browsers do; `undefined` for an unreadable path. */
function readPath(target: string): string | undefined {
  if (!target.startsWith("/")) return undefined;
  const path = URL.parse(`http://host${target}`)?.pathname;
  return path !== undefined && isReadable(path) ? path : undefined;
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The status of each parser error (Node's own `socketOnError`). */
const unreadable: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: { sentence: forms["headers-too-large"] } },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: { sentence: forms["too-large"] } },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: { sentence: forms["too-slow"] } },
};

type Unreadable = { socket: Duplex; answerRefusal: AnswerRefusal };

/** Ends the connection: later bytes on it cannot be trusted. */
async function refuseUnreadable(
  { code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer },
  { socket, answerRefusal }: Unreadable,
): Promise<void> {
  const answerUnderWay = (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
  if (!socket.writable || answerUnderWay?.headersSent || code === "ECONNRESET") return void socket.destroy();
  // We trust no other part of it.
  const isPage = /^accept:[^\r\n]*text\/html/im.test(rawPacket?.toString("latin1") ?? "");
  const request = new Request("http://refused.invalid", { headers: { Accept: isPage ? "text/html" : "text/plain" } });
  const { status, headers, body } = answerRefusal(request, unreadable[code ?? ""] ?? { status: 400 });
  const bytes = Buffer.from(await new Response(body).arrayBuffer().catch(() => new ArrayBuffer()));
  headers.set("Content-Length", String(bytes.byteLength));
  headers.set("Connection", "close");
  headers.set("X-Content-Type-Options", "nosniff");
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`), bytes]));
}

/** Aborts once the visitor leaves before the whole answer was sent. */
function createSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) leaving.abort();
  });
  return leaving.signal;
}

/** RFC 9112, section 6.3; the body of a GET is ignored. */
function bringsBody({ method, headers }: IncomingMessage): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Browsers and common proxies never pipeline. A client whose connection closes repeats its request on another. */
const MAX_WAITING = 16;

/** Pipelined requests (RFC 9112, section 9.3.2). */
const lines = new WeakMap<Socket, { isBusy: boolean; waiting: (() => void)[] }>();

/**
 * Waits until the answers to earlier requests of the connection were read, so that at most one answer is held for a
 * connection that does not read. False: the connection closed, or too many requests wait on it.
 */
async function claimTurn(socket: Socket, response: ServerResponse): Promise<boolean> {
  const line = findLine(socket);
  if (line.isBusy) {
    if (line.waiting.length >= MAX_WAITING) socket.destroy();
    await new Promise<void>((enter) => line.waiting.push(enter));
  }
  if (socket.destroyed) return false;
  line.isBusy = true;
  response.once("close", () => {
    const next = line.waiting.shift();
    if (next) next();
    else line.isBusy = false;
  });
  return true;
}

function findLine(socket: Socket) {
  const found = lines.get(socket);
  if (found) return found;
  const line = { isBusy: false, waiting: [] as (() => void)[] };
  lines.set(socket, line);
  socket.once("close", () => {
    for (const enter of line.waiting.splice(0)) enter();
  });
  return line;
}
