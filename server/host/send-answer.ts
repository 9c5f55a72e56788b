import type { IncomingMessage, ServerResponse } from "node:http";

import { chooseEncoding, compress } from "./encoding.ts";

/** A response, and its body beside it where that is at hand as bytes; the response is then empty. */
export type Answer = { response: Response; page?: Uint8Array | undefined };

/** Below this, the headers of an encoding cost more than it saves. */
const MIN_COMPRESSED_BYTES = 860;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json)|image\/svg)|turbo-stream|x-script/;

/** Sends an answer as one body with its length, compressed once where that pays. */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { status, headers } = answer.response;
  let body = answer.page ?? new Uint8Array(await answer.response.arrayBuffer());
  if (response.destroyed) return;
  for (const [name, value] of headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);

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
