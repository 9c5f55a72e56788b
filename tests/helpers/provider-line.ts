import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";

import { type CallName, calls } from "../../server/provider/wire.ts";
import type { Site } from "./site.ts";

/** The wire between a front and its provider, on which a test may meddle. */
export type ProviderLine = AsyncDisposable & {
  /** The address of the provider's site, as `API_URL` has it. */
  url: string;
  /** What was asked, in order. */
  calls: CallName[];
  /** Asked before each call reaches the provider and after it was done there. */
  meddle(how: Meddling): void;
  stop(): void;
  /** Cuts off what hangs. */
  hangUp(): void;
};

export type Moment = "before" | "after";

/** `hang-up`: the answer is lost. `hang`: none ever comes. Or what is answered in the provider's place. */
export type Meddling = (call: CallName, moment: Moment) => Trouble | undefined;
export type Trouble = "hang-up" | "hang" | { status: number; type: string; body: string };

const names = new Map<string, CallName>(Object.entries(calls).map(([name, { path }]) => [path, name as CallName]));

/** What a proxy before the provider says. */
export const gatewayPage = (status: number): Trouble => ({ status, type: "text/html", body: "<h1>Bad gateway</h1>" });

/** Meddles with a call the first time that it comes to this moment. */
export function meddleOnce(call: CallName, moment: Moment, trouble: Trouble): Meddling {
  let isOver = false;
  return (name, now) => {
    if (isOver || name !== call || now !== moment) return undefined;
    isOver = true;
    return trouble;
  };
}

/** Serves a site on a port of this machine. */
export async function openProviderLine(site: Site): Promise<ProviderLine> {
  const made: CallName[] = [];
  const leave: Meddling = () => undefined;
  let meddling = leave;
  const hanging = new Set<ServerResponse>();
  const browser = site.openBrowser();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    const body = await buffer(request);
    const isTroubled = (trouble: Trouble | undefined) => {
      if (trouble === "hang") hanging.add(response);
      return makeTrouble(trouble, response);
    };
    const call = names.get(new URL(url, "http://line.test").pathname.replace(/^\/api\//, "").replace(/\/$/, ""));
    if (call) made.push(call);
    if (call && isTroubled(meddling(call, "before"))) return;
    const headers = Object.entries(request.headers).filter(([name]) => kept.has(name)) as [string, string][];
    const answered = await browser.request(url, { method, headers, ...(body.length > 0 && { body }) });
    if (call && isTroubled(meddling(call, "after"))) return;
    response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(answered.text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    calls: made,
    meddle: (how) => void (meddling = how),
    stop: () => void (meddling = leave),
    hangUp: () => hanging.forEach((response) => response.destroy()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const kept = new Set(["x-api-key", "authorization", "content-type", "x-client-address", "accept", "if-none-match"]);

/** Answers whether nothing more is to be done. */
function makeTrouble(trouble: Trouble | undefined, response: ServerResponse): boolean {
  if (trouble === undefined) return false;
  if (trouble === "hang-up") response.destroy();
  else if (trouble !== "hang") response.writeHead(trouble.status, { "Content-Type": trouble.type }).end(trouble.body);
  return true;
}
