import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/** A proxy through which a browser reaches the app as over a slow line. */
export type SlowLine = AsyncDisposable & { url: string };

/** Several frames. The style sheet comes after the document's first half, and the second half after the style sheet. */
const LATENCY_IN_MS = 80;

/** A document arrives in two halves, cut in the middle of visible content, with its style sheets in between. */
export async function openSlowLine(): Promise<SlowLine> {
  const server = createServer((incoming, answer) => void forward(incoming, answer).catch(() => answer.destroy()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { "accept-encoding": _, ...headers } = incoming.headers;
  const onward = request(incoming.url ?? "", { method: incoming.method, headers, agent: false });
  incoming.pipe(onward);
  const [reply] = (await once(onward, "response")) as [IncomingMessage];
  const body = await buffer(reply);
  const type = reply.headers["content-type"] ?? "";
  if (type.startsWith("text/css")) await delay(LATENCY_IN_MS);
  answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders.filter(isPassedOn));
  if (!type.startsWith("text/html")) return void answer.end(body);
  const bodyAt = Math.max(body.indexOf("<body"), 0);
  const half = Math.floor((bodyAt + body.length) / 2);
  answer.write(body.subarray(0, half));
  await delay(2 * LATENCY_IN_MS);
  answer.end(body.subarray(half));
}

/** Drops the length, because the halves travel in chunks. */
function isPassedOn(_: string, index: number, headers: string[]): boolean {
  const name = headers[index - (index % 2)]?.toLowerCase() ?? "";
  return !["content-length", "transfer-encoding", "connection", "keep-alive"].includes(name);
}
