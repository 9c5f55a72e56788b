import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

import { chooseEncoding, compress } from "./encoding.ts";

/** A response, and its body beside it where that is at hand as bytes; the response is then empty. */
export type Answer = { response: Response; page?: Uint8Array | undefined };

/** Below this, the headers of an encoding cost more than it saves. */
const MIN_COMPRESSED_BYTES = 860;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json)|image\/svg)|turbo-stream|x-script/;

/** Sends an answer as one body with its length, compressed once where that pays. One that says its length is sent as it is read. */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
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
