import type { IncomingMessage, ServerResponse } from "node:http";

import type { FakeUpload } from "./wordpress-items.ts";

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** A file as a web server gives it, whole or the part that a range names. */
export function sendUpload(uploads: Map<string, FakeUpload>, path: string, { request, response }: Exchange): void {
  const upload = uploads.get(decodeURIComponent(path.slice("/wp-content/uploads/".length)));
  if (!upload) return void response.writeHead(404, { "Content-Type": "text/html" }).end("<p>Not found.</p>");
  const { bytes, contentType } = upload;
  const headers = { "Content-Type": contentType, "Accept-Ranges": "bytes" };
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (first === undefined) return void response.writeHead(200, headers).end(bytes);
  const end = Math.min(last ? Number(last) : Infinity, bytes.byteLength - 1);
  const range = `bytes ${first}-${end}/${bytes.byteLength}`;
  response.writeHead(206, { ...headers, "Content-Range": range }).end(bytes.subarray(Number(first), end + 1));
}
