import { once } from "node:events";
import { request as httpRequest, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";

import { createAnswerRefusal } from "../../app/frame/refusal-page.tsx";
import { type Admit, createHttpServer, type HttpServerOptions } from "../../server/platform/http/http-server.ts";
import type { Admission } from "../../server/platform/http/request-body.ts";
import type { StaticFiles } from "../../server/platform/http/static-files.ts";
import { listen } from "./loopback.ts";
import { createQuietLog } from "./quiet-log.ts";

export type Question = {
  path?: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  agent?: Agent;
};
export type Handler = (request: Request, address: string) => Promise<Response>;
type Settings = {
  basePath?: string;
  origin?: string;
  trustedProxies?: string[];
  staticFiles?: StaticFiles;
  admit?: Admit;
};

/** A handler of a test behind an HTTP server on a free port, with real sockets. */
export async function openHttpApp(handler: Handler, settings: Settings = {}) {
  const log = createQuietLog();
  const handled: string[] = [];
  const options: HttpServerOptions = {
    http: {
      host: "127.0.0.1",
      port: 0,
      origin: settings.origin,
      trustedProxies: settings.trustedProxies ?? [],
    },
    basePath: settings.basePath ?? "/members/",
    async handler(request, address) {
      handled.push(request.url);
      return { response: await handler(request, address) };
    },
    admit: settings.admit ?? admitForms,
    answerRefusal: createAnswerRefusal([]),
    staticFiles: settings.staticFiles ?? (() => false),
    log,
  };
  const server = createHttpServer(options);
  const listening = await listen(server);
  const { port } = listening;

  return {
    ...listening,
    server,
    log,
    handled,

    async ask({ path = "/members/", method = "GET", headers = {}, body, agent }: Question = {}) {
      const call = { port, path, method, headers, host: "127.0.0.1", agent: agent ?? false };
      const request = httpRequest(call).end(body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const answer = { status: response.statusCode, headers: response.headers, body: await buffer(response) };
      // Work after the answer does not count: a browser has long shown it.
      request.on("error", () => undefined);
      return answer;
    },

    /** Sends exact bytes, and reads until the server hangs up. */
    async send(...lines: string[]): Promise<string> {
      const socket = connect(port, "127.0.0.1");
      socket.write(lines.join("\r\n"), "latin1");
      return text(socket);
    },

    async closeAndReadLog() {
      await once(server.close(), "close");
      return log.lines.filter(({ event }) => event === "request").map(({ facts }) => facts as Record<string, unknown>);
    },
  };
}

const admitForms: Admit = async () => ({ kind: "form" });

/** Admits the body that the path names (`/members/events`); a picture's sender is the address. */
const admitByPath: Admit = async ({ url, headers }) => {
  const kind = /(none|form|fields|events|picture)(?:\.data)?$/.exec(new URL(url).pathname)?.[1] as Admission["kind"];
  return kind === "picture" ? { kind, sender: headers.get("X-Forwarded-For") ?? "" } : { kind };
};

/** Fixed answers, and a record of requests. */
export const greet: Handler = async () => new Response("Good night.");
export const echoUrl: Handler = async (request) => new Response(request.url);
export const setAddress: Handler = async (_request, address) => new Response(address);

export const staticFiles: StaticFiles = (path, _request, response) => {
  if (path === "assets/a.js") response.end("a script");
  return path === "assets/a.js";
};

export const countBody: Handler = async (request) => new Response(String((await request.arrayBuffer()).byteLength));

/** Behind a trusted proxy, where a path names the admitted body; posts as a browser or a script sends them. */
export async function openBodyApp(handler: Handler) {
  const app = await openHttpApp(handler, { trustedProxies: ["127.0.0.1"], admit: admitByPath });
  const { ask, log, port } = app;
  return {
    ...app,
    faults: () => log.lines.filter(({ level }) => level === "error"),
    async post(path: string, posted: Pick<Question, "headers" | "body" | "agent">) {
      const { body, ...answer } = await ask({ path, method: "POST", ...posted });
      return { ...answer, body: body.toString() };
    },
    /** Sends the head of a post and leaves the line open. */
    begin(path: string, headers: string[]): Socket {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.write([`POST ${path} HTTP/1.1`, "Host: here.example", ...headers, "", ""].join("\r\n"));
      return socket;
    },
  };
}

/** Waits for everything that is on its way within this process. */
export async function arrive(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

export const MULTIPART = "multipart/form-data; boundary=x";
export const multipart = { "Content-Type": MULTIPART };
export const chunked = { "Transfer-Encoding": "chunked" };
export const zeros = (count: number) => Buffer.alloc(count);
/** A client's address, from the proxy. */
export const sentFrom = (address: string) => ({ "X-Forwarded-For": address });
