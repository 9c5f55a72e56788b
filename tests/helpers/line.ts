import { once } from "node:events";
import { createServer, request as ask, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The fate of a request. `open`: the app answers · `refused`: nothing listens · `reset`: the connection ends without an answer ·
 * `cut`: it ends after the first bytes of one · `silent`: no answer comes · `stuck`: the first bytes come and no more · `bad gateway`: a
 * proxy answers with a page of its own.
 */
export type LineState = "open" | "refused" | "reset" | "cut" | "silent" | "stuck" | "bad gateway";

export type Line = AsyncDisposable & {
  url: string;
  /** Each request for a document, by its path. */
  documents: string[];
  /** A service worker in place of the app's, as long as there is one. */
  worker: string | undefined;
  set(state: LineState): Promise<void>;
};

const GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";

/** The app as a browser meets it at another port, over a line that can fail. */
export async function openLine(app: string): Promise<Line> {
  let state: LineState = "open";
  let port = 0;
  const server = createServer((request, answer) => {
    if (request.headers.accept?.includes("text/html")) line.documents.push(request.url ?? "");
    if (state === "silent") return;
    if (state === "reset") return void request.socket.destroy();
    if (state === "bad gateway") return void answer.writeHead(502, { "Content-Type": "text/html" }).end(GATEWAY_PAGE);
    if (request.url === "/service-worker.js" && line.worker !== undefined)
      return void answer.writeHead(200, { "Content-Type": "text/javascript" }).end(line.worker);
    const onward = ask(
      new URL(request.url ?? "", app),
      { method: request.method, headers: request.headers },
      (reply) => {
        // As a day later: files are in the browser's own cache for as long.
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
