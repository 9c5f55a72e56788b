import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

import { SECOND_IN_MS } from "../clock.ts";
import { chooseEncoding, compress } from "./compression.ts";
import { discardRest } from "./request-body.ts";

/** `page`: a body that is at hand as bytes; the response is then empty. */
export type Answer = { response: Response; page?: Uint8Array | undefined };

/** Below this, the headers of an encoding cost more than it saves. */
const MIN_COMPRESSED_BYTES = 860;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json)|image\/svg)|turbo-stream|x-script/;

/**
 * Sends one body with its length, compressed where that pays; a response with its own length or in chunks is streamed.
 */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { headers: given } = answer.response;
  if (!answer.page && answer.response.body && (given.has("Content-Length") || given.has("Transfer-Encoding"))) {
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
  hangUpUnread(response);
  // A connection with unread bytes is closed.
  if (!request.complete) response.setHeader("Connection", "close");
  response.writeHead(status);
  if (request.method !== "HEAD") response.write(body);
  discardRest(request, () => response.end());
}

/** An unread page holds its bytes here. A streamed file holds few, and films are paused. */
const UNREAD_IN_MS = 60 * SECOND_IN_MS;

/** Ends a connection that does not read an answer for that long. */
export function hangUpUnread(response: ServerResponse): void {
  response.setTimeout(UNREAD_IN_MS, () => response.destroy());
}

/** Streams no faster than the reader reads; a reader who leaves ends it. */
async function sendStream(request: IncomingMessage, response: ServerResponse, made: Response): Promise<void> {
  if (response.destroyed || request.method === "HEAD") await made.body?.cancel();
  if (response.destroyed) return;
  setHeaders(response, made.headers);
  response.writeHead(made.status);
  if (request.method === "HEAD" || !made.body) return void response.end();
  try {
    await pipeline(made.body, response);
  } catch (error) {
    // Half an answer cannot be repaired: the connection is closed, so that its reader sees that something is missing.
    if (!response.destroyed) throw error;
  }
}

function setHeaders(response: ServerResponse, headers: Headers): void {
  for (const [name, value] of headers) {
    // Node itself sends a body in chunks where the reader's version of HTTP has them.
    if (name !== "set-cookie" && name !== "transfer-encoding") response.setHeader(name, value);
  }
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
}
