import { once } from "node:events";
import { createServer, request as ask, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * `open`: the app answers · `refused`: nothing listens · `reset`: ends without an answer · `cut`: ends after the first
 * bytes · `silent`: no answer · `stuck`: only the first bytes come · `bad gateway`: a proxy's own page.
 */
export type LineState = "open" | "refused" | "reset" | "cut" | "silent" | "stuck" | "bad gateway";

export type Line = AsyncDisposable & {
  url: string;
  /** Paths of requested documents. */
  documents: string[];
  /** Replaces the app's service worker while it is set. */
  worker: string | undefined;
  set(state: LineState): Promise<void>;
};

const GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/** The app at another port, over a line that can fail. */
export async function openLine(app: string): Promise<Line> {
  let state: LineState = "open";
  let port = 0;
  const server = createServer((request, answer) => {
    if (request.headers.accept?.includes("text/html")) line.documents.push(request.url ?? "");
    if (state === "silent") return;
    if (state === "reset") return void request.socket.destroy();
    if (state === "bad gateway") return void answer.writeHead(502, { "Content-Type": "text/html" }).end(GATEWAY_PAGE);
    if (request.url?.startsWith("/service-worker.js") && line.worker !== undefined)
      return void answer.writeHead(200, { "Content-Type": "text/javascript" }).end(line.worker);
    const onward = ask(
      new URL(request.url ?? "", app),
      { method: request.method, headers: request.headers },
      (reply) => {
        // As a day later, when the browser's own cache has expired.
        answer.writeHead(reply.statusCode ?? 502, { ...reply.headers, "cache-control": "no-store" });
        if (state === "open") reply.pipe(answer);
        else reply.once("data", (start: Buffer) => answer.write(start.subarray(0, 100), () => cut(answer)));
      },
    );
    onward.on("error", () => answer.destroy());
    request.pipe(onward);
  });
  const cut = (answer: ServerResponse) => void (state === "cut" && answer.destroy());

  async function listen(): Promise<void> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  }

  async function stop(): Promise<void> {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }

  await listen();
  const line: Line = {
    url: `http://127.0.0.1:${port}`,
    documents: [],
    worker: undefined,
    async set(next) {
      state = next;
      if (next === "refused") await stop();
      else if (!server.listening) await listen();
    },
    [Symbol.asyncDispose]: stop,
  };
  return line;
}
