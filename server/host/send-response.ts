import type { IncomingMessage, ServerResponse } from "node:http";

import { chooseEncoding, compress } from "./encoding.ts";

/** Below this, the headers of an encoding cost more than it saves. */
const MIN_COMPRESSED_BYTES = 860;
const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json)|image\/svg)|turbo-stream|x-script/;

/** Sends an answer as one body with its length, compressed once where that pays. */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  let body: Uint8Array = new Uint8Array(await answer.arrayBuffer());
  if (response.destroyed) return;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);

  if (compressible.test(answer.headers.get("Content-Type") ?? "") && !answer.headers.has("Content-Range")) {
    response.appendHeader("Vary", "Accept-Encoding");
    const encoding = chooseEncoding(request.headers["accept-encoding"]?.toString());
    if (encoding && body.byteLength >= MIN_COMPRESSED_BYTES) {
      body = await compress(body, encoding);
      response.setHeader("Content-Encoding", encoding);
    }
  }
  if (answer.status !== 304 && answer.status !== 204 && request.method !== "HEAD") {
    response.setHeader("Content-Length", body.byteLength);
  }
  response.writeHead(answer.status);
  response.end(request.method === "HEAD" ? undefined : body);
}
