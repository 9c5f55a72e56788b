import { once } from "node:events";
import { request as httpRequest, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import { createHost } from "../../server/host/host.ts";
import { createQuietLog } from "./quiet-log.ts";

export type Handler = (request: Request) => Promise<Response>;

/** A host before a handler of the test's own, and posts to it as a browser or a script would send them. */
export async function openBodyHouse(handler: Handler, basePath = "/members/") {
  const log = createQuietLog();
  const handled: string[] = [];
  const server = createHost({
    http: { host: "127.0.0.1", port: 0, origin: undefined, trustedProxies: [] },
    basePath,
    async handler(request) {
      handled.push(request.url);
      return { response: await handler(request) };
    },
    staticFiles: () => false,
    log,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const faults = () => log.lines.filter(({ level }) => level === "error");

  return {
    port,
    handled,
    faults,
    post: (path: string, posted: Posted) => post(port, path, posted),
    /** Says the head of a post and keeps the line open. */
    begin(path: string, headers: string[]): Socket {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.write([`POST ${path} HTTP/1.1`, "Host: here.example", ...headers, "", ""].join("\r\n"));
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

type Posted = { headers?: OutgoingHttpHeaders; body: Buffer; agent?: Agent };

async function post(port: number, path: string, { headers = {}, body, agent }: Posted) {
  const options = { port, path, method: "POST", headers, host: "127.0.0.1", agent: agent ?? false };
  const request = httpRequest(options).end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = { status: response.statusCode, headers: response.headers, body: await text(response) };
  // What comes after the answer is no part of it: a browser has long shown it.
  request.on("error", () => undefined);
  return answer;
}

/** Lets everything arrive that is on its way within this process. */
export async function arrive(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

export const MULTIPART = "multipart/form-data; boundary=x";
export const multipart = { "Content-Type": MULTIPART };
export const chunked = { "Transfer-Encoding": "chunked" };
export const zeros = (count: number) => Buffer.alloc(count);

export const countBody: Handler = async (request) => {
  try {
    return new Response(String((await request.arrayBuffer()).byteLength));
  } catch (error) {
    return new Response(error instanceof Error ? error.name : "?", { status: 400 });
  }
};
