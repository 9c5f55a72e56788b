import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { ordinaryForm } from "./body-limit.ts";
import { createHost, type HostOptions } from "./host.ts";
import type { StaticFiles } from "./static-files.ts";

const MAX_BODY_BYTES = ordinaryForm.maxBytes;

type Question = { path?: string; method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer };
type Handler = (request: Request, address: string) => Promise<Response>;
type Settings = { basePath?: string; origin?: string; trustedProxies?: string[]; staticFiles?: StaticFiles };

/** A host on a free port before a handler of the test's own, which is asked through real sockets. */
async function openHouse(handler: Handler, settings: Settings = {}) {
  const log = createQuietLog();
  const handled: string[] = [];
  const options: HostOptions = {
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
    staticFiles: settings.staticFiles ?? (() => false),
    log,
  };
  const server = createHost(options);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;

  return {
    server,
    port,
    log,
    handled,

    async ask({ path = "/members/", method = "GET", headers = {}, body }: Question = {}) {
      const request = httpRequest({ port, path, method, headers, host: "127.0.0.1", agent: false }).end(body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
    },

    /** Says the very bytes, and hears what comes until the host hangs up. */
    async say(...lines: string[]): Promise<string> {
      const socket = connect(port, "127.0.0.1");
      socket.write(lines.join("\r\n"), "latin1");
      return text(socket);
    },

    /** What was logged about requests, once all of them are over. */
    async closeAndReadLog() {
      await once(server.close(), "close");
      return log.lines.filter(({ event }) => event === "request").map(({ facts }) => facts as Record<string, unknown>);
    },

    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const greet: Handler = async () => new Response("Good night.");
const echoUrl: Handler = async (request) => new Response(request.url);
const tellAddress: Handler = async (_request, address) => new Response(address);

/** The one built file. */
const staticFiles: StaticFiles = (path, _request, response) => {
  if (path === "assets/a.js") response.end("a script");
  return path === "assets/a.js";
};

async function countBody(request: Request): Promise<Response> {
  try {
    return new Response(String((await request.text()).length));
  } catch (error) {
    return new Response(error instanceof Error ? error.name : "?", { status: 400 });
  }
}

// Where the product is

test("the base path without its slash leads to the base path", async () => {
  await using house = await openHouse(greet);
  const { status, headers, body } = await house.ask({ path: "/members" });
  expect(status).toBe(308);
  expect(headers.location).toBe("/members/");
  expect(body).toHaveLength(0);
  expect(house.handled).toEqual([]);
});

test.each(["/members/", "/members/login?to=%2F", "/members//twice", "/members/a/../b"])(
  "%s is the handler's",
  async (path) => {
    await using house = await openHouse(greet);
    const { status, body } = await house.ask({ path });
    expect(status).toBe(200);
    expect(body.toString()).toBe("Good night.");
  },
);

test.each([
  "/",
  "/?/members/",
  "/member",
  "/membersonly/",
  "/MEMBERS/",
  "/other/members/",
  "//members/",
  "/\\members/",
  "/members/../",
  "/members/../other/",
  "/members/%2e%2e/",
  "/members/..\\other",
  "/%6dembers/",
])("there is nothing at %s, which is outside", async (path) => {
  await using house = await openHouse(greet);
  const { status, headers, body } = await house.ask({ path });
  expect({ status, body: body.toString() }).toEqual({ status: 404, body: "There is nothing here.\n" });
  expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  expect(house.handled).toEqual([]);
});

test("a built file goes before the handler, under its name without the base path", async () => {
  await using house = await openHouse(greet, { staticFiles });
  expect((await house.ask({ path: "/members/assets/a.js?v=1" })).body.toString()).toBe("a script");
  expect((await house.ask({ path: "/members/assets/b.js" })).body.toString()).toBe("Good night.");
  expect((await house.ask({ path: "/assets/a.js" })).status).toBe(404);
  expect(house.handled).toHaveLength(1);
});

test("a house at the root has no outside", async () => {
  await using house = await openHouse(echoUrl, { basePath: "/" });
  const { body } = await house.ask({ path: "/login?a=1", headers: { Host: "here.example" } });
  expect(body.toString()).toBe("http://here.example/login?a=1");
});

// What the handler is told

test("the handler gets the method, the headers and the body of a request", async () => {
  await using house = await openHouse(async (request) =>
    Response.json([request.method, request.headers.get("X-Ask"), await request.text()]),
  );
  const { body } = await house.ask({ method: "POST", headers: { "X-Ask": "why" }, body: "because" });
  expect(JSON.parse(body.toString())).toEqual(["POST", "why", "because"]);
});

test("a visitor's address is the socket's, or what a trusted proxy says", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.9" };
  await using alone = await openHouse(tellAddress);
  expect((await alone.ask({ headers })).body.toString()).toBe("127.0.0.1");
  await using behind = await openHouse(tellAddress, { trustedProxies: ["loopback"] });
  expect((await behind.ask({ headers })).body.toString()).toBe("203.0.113.9");
});

test("a public origin is every request's, whatever Host says", async () => {
  await using house = await openHouse(echoUrl, { origin: "https://members.example.org" });
  for (const host of ["here.example", "evil.example:80", "a@b", ""]) {
    const { body } = await house.ask({ path: "/members/login", headers: { Host: host } });
    expect(body.toString()).toBe("https://members.example.org/members/login");
  }
});

// Requests that are none

test.each(["here.example", "here.example:8080", "HERE.example", "127.0.0.1:3000", "[::1]:3000", "a_b-c.example."])(
  "the host %s is one",
  async (host) => {
    await using house = await openHouse(echoUrl);
    const { status, body } = await house.ask({ headers: { Host: host } });
    expect(status).toBe(200);
    expect(body.toString()).toBe(new URL(`http://${host}/members/`).href);
  },
);

test.each([
  "",
  "a@b",
  "user:pass@here.example",
  "a/b",
  "here.example/members",
  "a\\b",
  "a?b",
  "a#b",
  "a b",
  "a,b",
  "a%2eb",
  "a:port",
  "a:80:80",
  "a:",
  ":80",
  "[::1",
  "::1",
  "<script>",
  "caf\u00e9.example",
])("the host %j is none", async (host) => {
  await using house = await openHouse(greet);
  expect(await house.say("GET /members/ HTTP/1.1", `Host: ${host}`, "Connection: close", "", "")).toMatch(
    /^HTTP\/1\.1 400 /,
  );
  expect(house.handled).toEqual([]);
});

test("a request must say which host it is for", async () => {
  await using house = await openHouse(greet);
  expect(await house.say("GET /members/ HTTP/1.1", "Connection: close", "", "")).toMatch(/^HTTP\/1\.1 400 /);
  expect(house.handled).toEqual([]);
});

test.each([
  "TRACE /members/",
  "GET http://evil.example/members/",
  "GET http://here.example/members/",
  "GET https:/members/",
  "OPTIONS *",
  "GET members/",
  "GET ?/members/",
  "GET @evil.example/members/",
  "GET .evil.example/members/",
  "NONSENSE /members/",
  "GET /members/ extra",
  "GET /members/\u00ff",
  "GET /members/100%",
  "GET /members/%ff%fe",
])("%j is refused", async (line) => {
  await using house = await openHouse(greet);
  const answer = await house.say(`${line} HTTP/1.1`, "Host: here.example", "Connection: close", "", "");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toContain("evil.example");
  expect(house.handled).toEqual([]);
});

test("the host is nobody's tunnel", async () => {
  await using house = await openHouse(greet);
  expect(await house.say("CONNECT evil.example:443 HTTP/1.1", "Host: evil.example:443", "", "")).toBe("");
  expect(house.handled).toEqual([]);
});

test.each(["//evil.example/members/", "/\\evil.example/members/", "///evil.example", "/@evil.example", "/:80//x"])(
  "the target %s is a path of this host",
  async (target) => {
    await using house = await openHouse(greet, { basePath: "/" });
    await house.say(`GET ${target} HTTP/1.1`, "Host: here.example", "Connection: close", "", "");
    expect(house.handled.map((url) => new URL(url).origin)).toEqual(["http://here.example"]);
  },
);

const smuggled = ["GET /members/smuggled HTTP/1.1", "Host: here.example", "", ""].join("\r\n");

test.each([
  ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
  ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 5"], "0\r\n\r\n"],
  ["two lengths", ["Content-Length: 5", "Content-Length: 0"], "abcde"],
  ["one length twice", ["Content-Length: 5", "Content-Length: 5"], "abcde"],
  ["a list of lengths", ["Content-Length: 5, 5"], "abcde"],
  ["a length with a sign", ["Content-Length: +5"], "abcde"],
  ["a negative length", ["Content-Length: -5"], "abcde"],
  ["a hexadecimal length", ["Content-Length: 0x5"], "abcde"],
  ["an empty length", ["Content-Length:"], "abcde"],
  ["a length beyond counting", [`Content-Length: ${"9".repeat(30)}`], "abcde"],
  ["chunks that are not last", ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"],
  ["two codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], "0\r\n\r\n"],
  ["a blank before the colon", ["Transfer-Encoding : chunked"], "0\r\n\r\n"],
  ["a line without a name", [": chunked"], ""],
  ["a carriage return alone", ["X-Ask: a\rTransfer-Encoding: chunked"], "0\r\n\r\n"],
])("%s could hide a second request: refused", async (_form, framing, body) => {
  await using house = await openHouse(greet);
  const answer = await house.say("POST /members/ HTTP/1.1", "Host: here.example", ...framing, "", body + smuggled);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(house.handled).toEqual([]);
});

test("after a body in an unknown coding nothing on the connection is a request", async () => {
  await using house = await openHouse(greet);
  const headers = ["Host: here.example", "Transfer-Encoding: xchunked"];
  const answer = await house.say("POST /members/ HTTP/1.1", ...headers, "", `0\r\n\r\n${smuggled}`);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(house.handled).not.toContain("http://here.example/members/smuggled");
});

// Bodies

test("a body of 256 KiB is taken, told by its length or in chunks", async () => {
  await using house = await openHouse(countBody);
  const body = "a".repeat(MAX_BODY_BYTES);
  const told = await house.ask({ method: "POST", headers: { "Content-Length": MAX_BODY_BYTES }, body });
  expect(told.body.toString()).toBe(String(256 * 1024));
  const chunked = await house.ask({ method: "POST", headers: { "Transfer-Encoding": "chunked" }, body });
  expect(chunked.body.toString()).toBe(String(256 * 1024));
});

test("a body that nobody reads holds nothing up", async () => {
  await using house = await openHouse(greet);
  const body = "a".repeat(MAX_BODY_BYTES);
  expect((await house.ask({ method: "POST", body })).status).toBe(200);
  expect((await house.ask({ method: "POST", body })).status).toBe(200);
});

// Faults

test("a handler that fails is answered plainly, and the log knows why and by which id", async () => {
  await using house = await openHouse(() => Promise.reject(new Error("the password is 1234")));
  const { status, headers, body } = await house.ask();
  expect({ status, body: body.toString() }).toEqual({ status: 500, body: "Something went wrong.\n" });
  expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([
    {
      level: "error",
      event: "the host failed to answer",
      facts: { id: headers["x-request-id"], error: expect.objectContaining({ message: "the password is 1234" }) },
    },
  ]);
});

test("an answer that breaks off while it is made is a fault, never half a page", async () => {
  await using house = await openHouse(async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("<p>half a page"));
        controller.error(new Error("broken off"));
      },
    });
    return new Response(body, { headers: { "Set-Cookie": "a=1" } });
  });
  const { status, headers, body } = await house.ask();
  expect({ status, body: body.toString() }).toEqual({ status: 500, body: "Something went wrong.\n" });
  expect(headers).not.toHaveProperty("set-cookie");
});

test("after a fault the next request is answered", async () => {
  let count = 0;
  await using house = await openHouse(async () => {
    count += 1;
    if (count === 1) throw new Error("once");
    return new Response("Good night.");
  });
  expect((await house.ask()).status).toBe(500);
  expect((await house.ask()).status).toBe(200);
});

test("a visitor who leaves before the answer is ready harms nothing", async () => {
  await using house = await openHouse(async (request) => {
    if (!request.url.endsWith("/slow")) return new Response("Good night.");
    socket.destroy();
    await once(request.signal, "abort");
    return new Response("too late".repeat(1000), { headers: { "Content-Type": "text/html" } });
  });
  const socket = connect(house.port, "127.0.0.1");
  socket.write("GET /members/slow HTTP/1.1\r\nHost: here.example\r\nAccept-Encoding: br\r\n\r\n");
  await once(socket, "close");
  expect((await house.ask()).status).toBe(200);
  const lines = await house.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/slow")).toMatchObject({ done: false });
  expect(lines.find(({ path }) => path === "/members/")).toMatchObject({ done: true });
  expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a visitor who leaves in the middle of the answer harms nothing", async () => {
  const large = new Uint8Array(50_000_000);
  await using house = await openHouse(async () => new Response(large, { headers: { "Content-Type": "image/png" } }));
  const socket = connect(house.port, "127.0.0.1");
  socket.write("GET /members/large HTTP/1.1\r\nHost: here.example\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  expect((await house.ask({ method: "HEAD" })).status).toBe(200);
  const lines = await house.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/large")).toMatchObject({ status: 200, done: false });
  expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a visitor who leaves in the middle of a body harms nothing", async () => {
  await using house = await openHouse(async (request) => {
    if (request.method === "POST") socket.destroy();
    return new Response(String((await request.text()).length));
  });
  const socket = connect(house.port, "127.0.0.1");
  socket.write("POST /members/half HTTP/1.1\r\nHost: here.example\r\nContent-Length: 100\r\n\r\nhalf");
  await once(socket, "close");
  expect((await house.ask()).status).toBe(200);
  const lines = await house.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/half")).toMatchObject({ method: "POST", done: false });
  expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

// The log

test("every request leaves one line: which, where and how it went, not who or what for", async () => {
  await using house = await openHouse(
    async (request) => {
      if (request.url.includes("/fault")) throw new Error("fault");
      return new Response("made", { status: 201 });
    },
    { staticFiles, trustedProxies: ["loopback"] },
  );
  const secret = "?q=secret-term&token=secret-token";
  const headers = { "X-Forwarded-For": "203.0.113.9", Cookie: "dormouse-session=secret-session" };
  const questions: Question[] = [
    { path: `/members/login${secret}`, method: "POST", body: "password=secret-word" },
    { path: `/members/assets/a.js${secret}` },
    { path: `/members/fault${secret}` },
    { path: `/outside${secret}` },
    { path: "/members" },
    { path: `/members/large${secret}`, method: "POST", headers: { "Content-Length": MAX_BODY_BYTES + 1 } },
    { path: `http://here.example/members/${secret}` },
  ];
  const ids: unknown[] = [];
  for (const question of questions) {
    const answer = await house.ask({ ...question, headers: { ...headers, ...question.headers } });
    ids.push(answer.headers["x-request-id"]);
  }
  const lines = await house.closeAndReadLog();
  expect(lines.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["POST", "/members/login", 201],
    ["GET", "/members/assets/a.js", 200],
    ["GET", "/members/fault", 500],
    ["GET", "/outside", 404],
    ["GET", "/members", 308],
    ["POST", "/members/large", 413],
    ["GET", "", 400],
  ]);
  expect(lines.map(({ id }) => id)).toEqual(ids);
  for (const line of lines) expect(Object.keys(line)).toEqual(["id", "method", "path", "status", "ms", "done"]);
  expect(JSON.stringify(house.log.lines)).not.toMatch(/secret|203\.0\.113\.9|127\.0\.0\.1/);
});

test("every request has an id of its own, which no visitor chooses", async () => {
  await using house = await openHouse(greet);
  const ids = new Set<unknown>();
  for (let count = 0; count < 10; count += 1) {
    ids.add((await house.ask({ headers: { "X-Request-Id": "mine" } })).headers["x-request-id"]);
  }
  expect(ids.size).toBe(10);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
});

// Answers

test("status, headers and cookies go out as the handler made them", async () => {
  await using house = await openHouse(async () => {
    const headers = new Headers({ "Content-Type": "text/html; charset=utf-8", "X-Answer": "42", Vary: "Cookie" });
    headers.append("Set-Cookie", "a=1; Expires=Sun, 20 Dec 2026 03:00:00 GMT");
    headers.append("Set-Cookie", "b=2; HttpOnly");
    headers.append("Set-Cookie", "c=3");
    return new Response("<p>No.</p>", { status: 422, headers });
  });
  const { status, headers, body } = await house.ask();
  expect({ status, body: body.toString() }).toEqual({ status: 422, body: "<p>No.</p>" });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-length": "10",
    "x-answer": "42",
    vary: "Cookie, Accept-Encoding",
    "set-cookie": ["a=1; Expires=Sun, 20 Dec 2026 03:00:00 GMT", "b=2; HttpOnly", "c=3"],
  });
});

const PAGE = "<p>Sleep well, Dormouse — 🌙</p>\n".repeat(100);

function answerWith(body: string, headers: HeadersInit, status = 200): Handler {
  return async () => new Response(body, { status, headers });
}

test.each([
  ["zstd", "gzip, deflate, br, zstd"],
  ["br", "gzip, deflate, br"],
  ["gzip", "gzip, deflate"],
] as const)("a page goes out as %s to a browser that accepts %s", async (encoding, accepted) => {
  await using house = await openHouse(answerWith(PAGE, { "Content-Type": "text/html; charset=utf-8" }));
  const { headers, body } = await house.ask({ headers: { "Accept-Encoding": accepted } });
  expect(headers).toMatchObject({
    "content-encoding": encoding,
    "content-length": String(body.byteLength),
    "content-type": "text/html; charset=utf-8",
    vary: "Accept-Encoding",
  });
  const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  expect(decoders[encoding](body).toString()).toBe(PAGE);
  expect(body.byteLength).toBeLessThan(PAGE.length / 5);
});

test.each([
  "text/html",
  "text/css",
  "text/plain;charset=UTF-8",
  "text/x-script",
  "application/json",
  "application/manifest+json",
  "image/svg+xml",
])("%s is compressed", async (type) => {
  await using house = await openHouse(answerWith(PAGE, { "Content-Type": type }));
  const { headers } = await house.ask({ headers: { "Accept-Encoding": "br" } });
  expect(headers["content-encoding"]).toBe("br");
});

test.each(["image/png", "image/avif", "video/mp4", "font/woff2", "application/octet-stream", "text/event-stream"])(
  "%s is not compressed, and is the same to everybody",
  async (type) => {
    await using house = await openHouse(answerWith(PAGE, { "Content-Type": type }));
    const { headers, body } = await house.ask({ headers: { "Accept-Encoding": "br" } });
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("vary");
    expect(body.toString()).toBe(PAGE);
  },
);

test("a part of a file is sent as it is", async () => {
  const part = { "Content-Type": "text/plain", "Content-Range": `bytes 0-${PAGE.length - 1}/99999` };
  await using house = await openHouse(answerWith(PAGE, part, 206));
  const { status, headers, body } = await house.ask({ headers: { "Accept-Encoding": "br" } });
  expect(status).toBe(206);
  expect(headers).not.toHaveProperty("content-encoding");
  expect(body.toString()).toBe(PAGE);
});

test("a page is compressed from 860 bytes, and not for a browser that cannot read it", async () => {
  await using house = await openHouse(async (request) => {
    const size = Number(new URL(request.url).searchParams.get("size"));
    return new Response("a".repeat(size), { headers: { "Content-Type": "text/html" } });
  });
  const headers = { "Accept-Encoding": "gzip" };
  const small = await house.ask({ path: "/members/?size=859", headers });
  expect(small.headers).not.toHaveProperty("content-encoding");
  expect(small.headers).toMatchObject({ "content-length": "859", vary: "Accept-Encoding" });
  expect((await house.ask({ path: "/members/?size=860", headers })).headers["content-encoding"]).toBe("gzip");
  const plain = await house.ask({ path: "/members/?size=5000" });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.headers).toMatchObject({ "content-length": "5000", vary: "Accept-Encoding" });
});

test.each(["identity", "br"])("HEAD has no body (accepting %s)", async (accepted) => {
  await using house = await openHouse(answerWith(PAGE, { "Content-Type": "text/html" }));
  const headers = ["Host: here.example", `Accept-Encoding: ${accepted}`, "Connection: close"];
  const answer = await house.say("HEAD /members/ HTTP/1.1", ...headers, "", "");
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
  expect(answer.match(/\r\n\r\n/g)).toHaveLength(1);
  expect(answer).toMatch(/content-type: text\/html/i);
});

test.each([204, 304])("a %i has no body and no length", async (status) => {
  await using house = await openHouse(async () => new Response(null, { status, headers: { ETag: '"a"' } }));
  const answer = await house.say("GET /members/ HTTP/1.1", "Host: here.example", "Connection: close", "", "");
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*etag: "a"[^]*\\r\\n\\r\\n$`, "i"));
  expect(answer.match(/\r\n\r\n/g)).toHaveLength(1);
  expect(answer).not.toMatch(/content-length|transfer-encoding|content-encoding/i);
});

test("one connection carries many requests, answered in their order", async () => {
  await using house = await openHouse(async (request) => new Response(request.url.slice(-1)));
  const headers = ["Host: here.example", "Connection: keep-alive", ""];
  const answer = await house.say(
    "GET /members/1 HTTP/1.1",
    ...headers,
    "GET /members/2 HTTP/1.1",
    ...headers,
    "GET /members/3 HTTP/1.1",
    "Host: here.example",
    "Connection: close",
    "",
    "",
  );
  expect(answer.split("HTTP/1.1 200 OK").map((part) => part.at(-1))).toEqual([undefined, "1", "2", "3"]);
});

// Patience

test("slow requests are not waited for, and proxies hang up before we do", async () => {
  await using house = await openHouse(greet);
  expect(house.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 180_000,
    keepAliveTimeout: 65_000,
    maxHeadersCount: 100,
  });
});

test("a handler that reads a form and then fails is answered, and the log knows", async () => {
  await using house = await openHouse(async (request) => {
    await request.text();
    throw new Error("after the form");
  });
  const answer = await house.ask({ method: "POST", body: "a=b" });
  expect(answer.status).toBe(500);
  expect(house.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
});

test.each(["a:99999", "[::::]", "1.2.3.4.5", "256.1.1.1"])("the Host %s is no host", async (host) => {
  await using house = await openHouse(async () => new Response("in"));
  expect((await house.ask({ headers: { Host: host } })).status).toBe(400);
});

test("a request that names two hosts is refused", async () => {
  await using house = await openHouse(async () => new Response("in"));
  const answer = await house.say(
    "GET /members/ HTTP/1.1",
    "Host: a.example",
    "Host: b.example",
    "Connection: close",
    "",
    "",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

test("the way to the base path keeps its query", async () => {
  await using house = await openHouse(async () => new Response("in"));
  expect((await house.ask({ path: "/members?q=snoring" })).headers.location).toBe("/members/?q=snoring");
});

test("a page that is at hand as bytes goes out as such, under its response's headers", async () => {
  const log = createQuietLog();
  const page = Buffer.from(`<p>${"Good night. ".repeat(200)}</p>`);
  const response = () => new Response(null, { status: 404, headers: { "Content-Type": "text/html; charset=utf-8" } });
  const server = createHost({
    http: { host: "127.0.0.1", port: 0, origin: undefined, trustedProxies: [] },
    basePath: "/",
    handler: async () => ({ response: response(), page }),
    staticFiles: () => false,
    log,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const ask = async (method: string, headers: OutgoingHttpHeaders) => {
    const request = httpRequest({ port, method, headers, host: "127.0.0.1", agent: false }).end();
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  };
  const plain = await ask("GET", {});
  expect(plain).toMatchObject({ status: 404, headers: { "content-length": String(page.byteLength) }, body: page });
  const zipped = await ask("GET", { "Accept-Encoding": "zstd" });
  expect(zstdDecompressSync(zipped.body)).toEqual(page);
  expect((await ask("HEAD", {})).body).toHaveLength(0);
  await once(server.close(), "close");
});
