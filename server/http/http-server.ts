import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import { createRequest } from "@remix-run/node-fetch-server";

import { SECOND_IN_MS } from "../clock.ts";
import type { HttpConfig } from "../config.ts";
import type { Log } from "../log.ts";
import { api as words } from "../refusals.ts";
import { bodyRuleFor, createBodyLimit, discardRest, pictureForm, refuseBody } from "./request-body.ts";
import { createFindOrigin } from "./proxy.ts";
import { chooseEncoding, compress } from "./compression.ts";
import type { StaticFiles } from "./static-files.ts";

/** What answers a request, whatever it is made of. */
export type Handler = (request: Request, address: string) => Promise<Answer>;

export type HttpServerOptions = {
  http: HttpConfig;
  basePath: string;
  handler: Handler;
  staticFiles: StaticFiles;
  log: Log;
};

/**
 * The HTTP server of the product: static files from memory, everything else through the handler. It refuses what is not
 * under the base path, bodies that are too large and requests that are too slow, and logs a line for each without
 * saying who asked or what for (the path alone: search terms and tokens stay out).
 */
export function createHttpServer({ http, basePath, handler, staticFiles, log }: HttpServerOptions): Server {
  const findOrigin = createFindOrigin(http.trustedProxies, http.origin);
  const limitBody = createBodyLimit();

  async function answer(request: IncomingMessage, response: ServerResponse, path: string | undefined): Promise<void> {
    if (path === undefined || request.method === "TRACE" || hostCount(request) > 1)
      return refuse(response, 400, "Bad request.");
    if (`${path}/` === basePath) {
      return void response.writeHead(308, { Location: basePath + (request.url ?? "").slice(path.length) }).end();
    }
    if (!path.startsWith(basePath)) return refuse(response, 404, words.ours["nothing-here"]);
    if (staticFiles(path.slice(basePath.length), request, response)) return;

    const rule = bodyRuleFor(request, path.slice(basePath.length));
    const refuseSize = () => refuseBody(request, response, { rule, path, basePath });
    if (Number(request.headers["content-length"] ?? 0) > rule.maxBytes) return refuseSize();
    const { address, protocol, host } = findOrigin(request);
    if (!plainHost.test(host) || !URL.canParse(`${protocol}//${host}`)) return refuse(response, 400, "Bad request.");
    let isTooLarge = false;
    const { promise: handled, resolve: settle } = Promise.withResolvers<void>();
    const webRequest = limitBody(createRequest(request, response, { protocol, host }), {
      rule,
      incoming: request,
      response,
      address,
      handled,
      onTooLarge: () => (isTooLarge = true),
    });
    const made = await handler(webRequest, address)
      .catch((error: unknown) => {
        if (!isTooLarge) throw error;
      })
      .finally(settle);
    // Whatever becomes of half a body, it was too large.
    if (isTooLarge || !made) return refuseSize();
    await sendAnswer(request, response, made);
    discardRest(request);
  }

  const server = createServer((request, response) => {
    const id = randomUUID();
    const path = pathOf(request.url ?? "/");
    response.setHeader("X-Request-Id", id);
    response.setHeader("X-Content-Type-Options", "nosniff");
    logOnceClosed(log, response, { id, method: request.method, path: path ?? "" });
    const answerInTurn = async () => {
      if (await claimTurn(request.socket, response)) await answer(request, response, path);
    };
    answerInTurn().catch((error: unknown) => {
      // A visitor who left in the middle of their own form wants no answer.
      if (response.destroyed || (request.destroyed && !request.complete)) return;
      log.error({ id, error }, "the HTTP server failed to answer");
      refuse(response, 500, "Something went wrong.");
    });
  });

  server.headersTimeout = 10 * SECOND_IN_MS;
  // The longest of all; each body has a time of its own.
  server.requestTimeout = pictureForm.maxMs;
  // Longer than the idle time-out of common proxies (60 s), so that it is they who close.
  server.keepAliveTimeout = 65 * SECOND_IN_MS;
  server.maxHeadersCount = 100;
  return server;
}

function logOnceClosed(log: Log, response: ServerResponse, facts: Record<string, unknown>): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const ms = Math.round(performance.now() - startedAt);
    const { statusCode: status, writableFinished: done } = response;
    log.info({ ...facts, status, ms, done }, "request");
  });
}

/** A name or an address with perhaps a port, and nothing that a URL would read otherwise. */
const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** RFC 9112, section 3.2: a request with more than one Host is refused. */
function hostCount({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
}

/** The path of a request line, resolved as browsers do; `undefined` for what is no path, or one that cannot be read. */
function pathOf(target: string): string | undefined {
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

function refuse(response: ServerResponse, status: number, sentence: string): void {
  if (response.headersSent) return void response.destroy();
  response
    .writeHead(status, {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(`${sentence}\n`);
}

/** Browsers and common proxies send no second one. A client whose connection closes asks again on another. */
const MAX_WAITING = 16;

/** The requests that connections bring without waiting for answers (RFC 9112, section 9.3.2). */
const lines = new WeakMap<Socket, { isBusy: boolean; waiting: (() => void)[] }>();

/**
 * Waits until the connection has taken in the answers to its earlier requests, so that they are worked on one at a time and one answer
 * at most is held for a connection that does not read. False: the connection has closed, or was closed because too many requests wait
 * on it.
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

/** A response, and its body beside it where that is at hand as bytes; the response is then empty. */
export type Answer = { response: Response; page?: Uint8Array | undefined };

/** Below this, the headers of an encoding cost more than it saves. */
const MIN_COMPRESSED_BYTES = 860;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json)|image\/svg)|turbo-stream|x-script/;

/** Sends an answer as one body with its length, compressed once where that pays. One that says its length is sent as it is read. */
async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  if (!answer.page && answer.response.body && answer.response.headers.has("Content-Length")) {
    return sendStream(request, response, answer.response);
  }
  const { status, headers } = answer.response;
  let body = answer.page ?? new Uint8Array(await answer.response.arrayBuffer());
  if (response.destroyed) return;
  setHeaders(response, headers);
  if (compressible.test(headers.get("Content-Type") ?? "") && !headers.has("Content-Range")) {
    response.appendHeader("Vary", "Accept-Encoding");
    const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString());
    if (encoding && body.byteLength >= MIN_COMPRESSED_BYTES) {
      body = await compress(body, encoding);
      response.setHeader("Content-Encoding", encoding);
    }
  }
  if (status !== 304 && status !== 204 && request.method !== "HEAD") {
    response.setHeader("Content-Length", body.byteLength);
  }
  response.writeHead(status);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A file, no faster than its reader takes it in; a reader who has left ends it. */
async function sendStream(request: IncomingMessage, response: ServerResponse, made: Response): Promise<void> {
  if (response.destroyed || request.method === "HEAD") await made.body?.cancel();
  if (response.destroyed) return;
  setHeaders(response, made.headers);
  response.writeHead(made.status);
  if (request.method === "HEAD" || !made.body) return void response.end();
  try {
    await pipeline(made.body, response);
  } catch (error) {
    // Half an answer cannot be mended: the connection is closed, and its reader sees that something is missing.
    if (!response.destroyed) throw error;
  }
}

function setHeaders(response: ServerResponse, headers: Headers): void {
  for (const [name, value] of headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
}
