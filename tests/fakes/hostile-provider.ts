import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";

import { MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { ProviderPatience } from "../../server/provider/client/client.ts";
import { listen } from "../helpers/loopback.ts";
import { createTestClock } from "../helpers/test-clock.ts";

/** Its answers: as a test decides, or bad. */
export type Manner =
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { text: string; status?: number; headers?: Record<string, string> }
  | (typeof bad)[number];

/** Every bad answer that a client meets sooner or later. */
export const bad = [
  "silence",
  "silence-in-the-middle",
  "reset",
  "html",
  "html-500",
  "empty",
  "half-json",
  "redirect",
  "huge",
  "bomb",
  "wrong-types",
  "null",
] as const;

/** A provider's server with a set manner, which records its requests. */
export type HostileProvider = AsyncDisposable & {
  url: string;
  /** For a call by its path below `/api/`, or for every other call. */
  behave(manner: Manner | ((call: SeenCall) => Manner), path?: string): void;
  /** For all later requests. */
  turn(manner: Manner): void;
  seen: SeenCall[];
  /** A client cannot have read more. */
  sentBytes(): number;
  /** For its clients. The time of a list is up once this provider is silent, and no other time passes. */
  patience: ProviderPatience;
};

export type SeenCall = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
};

export async function openHostileProvider(): Promise<HostileProvider> {
  const manners = new Map<string, Manner | ((call: SeenCall) => Manner)>();
  const seen: SeenCall[] = [];
  let sent = 0;
  const time = createTestClock();
  const fallSilent = () => time.advance(MINUTE_IN_MS);

  function meet(call: SeenCall, response: ServerResponse): void {
    seen.push(call);
    const manner = manners.get(call.path) ?? manners.get("") ?? { json: {}, status: 404 };
    answer(response, typeof manner === "function" ? manner(call) : manner, fallSilent);
  }

  const server = createServer((request, response) => {
    void readCall(request).then((call) => meet(call, response));
  });
  server.on("connection", (socket) => socket.on("close", () => (sent += socket.bytesWritten)));
  const behave: HostileProvider["behave"] = (manner, path = "") => {
    // Compressing takes a while, in which no call is answered.
    if (manner === "bomb") bomb();
    manners.set(path, manner);
  };
  const listening = await listen(server);
  return {
    ...listening,
    behave,
    turn(manner) {
      manners.clear();
      behave(manner);
    },
    seen,
    sentBytes: () => sent,
    patience: { timeOut: time.timeOut, wait: async () => undefined },
  };
}

async function readCall(request: IncomingMessage): Promise<SeenCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const url = new URL(request.url ?? "/", "http://provider.test");
  return {
    method: request.method ?? "",
    path: url.pathname.replace(/^\/api\//, "").replace(/\/$/, ""),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(parts).toString(),
  };
}

const HUGE_IN_BYTES = 100_000_000;
const page = "<!doctype html><title>Wartung</title><h1>We are down for maintenance</h1>";

function answer(response: ServerResponse, manner: Manner, fallSilent: () => void): void {
  if (typeof manner === "object") {
    const isJson = "json" in manner;
    response.writeHead(manner.status ?? 200, {
      "Content-Type": isJson ? "application/json" : "text/plain",
      ...manner.headers,
    });
    return void response.end(isJson ? JSON.stringify(manner.json) : manner.text);
  }
  switch (manner) {
    case "silence":
      return fallSilent();
    case "silence-in-the-middle":
      return void response.writeHead(200, { "Content-Type": "application/json" }).write('{"id": ', fallSilent);
    case "reset":
      return void response.socket?.resetAndDestroy();
    case "html":
      return void response.writeHead(200, { "Content-Type": "text/html" }).end(page);
    case "html-500":
      return void response.writeHead(500, { "Content-Type": "text/html" }).end(page);
    case "empty":
      return void response.writeHead(200).end();
    case "half-json":
      return void response.writeHead(200, { "Content-Type": "application/json" }).end('{"jwt_token": "abc", "data": {');
    case "redirect":
      return void response.writeHead(302, { Location: "http://127.0.0.1:9/api/stolen" }).end();
    case "huge":
      return pour(response);
    case "bomb":
      response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": "gzip" });
      return void response.end(bomb());
    case "wrong-types":
      return void response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ jwt_token: 5, id: "x", valid: "yes", data: [], message: {}, videos: 7 }));
    case "null":
      return void response.writeHead(200, { "Content-Type": "application/json" }).end("null");
  }
}

/** A hundred megabytes of a list, without a length. */
function pour(response: ServerResponse): void {
  const part = Buffer.from(`[${"1,".repeat(32_000)}`);
  let sent = 0;
  response.writeHead(200, { "Content-Type": "application/json" });
  const more = (): void => {
    while (sent < HUGE_IN_BYTES) {
      sent += part.byteLength;
      if (!response.write(part)) return void response.once("drain", more);
    }
    response.end("]");
  };
  more();
}

let packed: Buffer | undefined;

/** A hundred kilobytes on the wire. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(HUGE_IN_BYTES, " "));
  return packed;
}
