import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expect, test } from "vitest";

import { openHttpApp, type Handler } from "../../../tests/helpers/http-app.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { listen } from "../../../tests/helpers/loopback.ts";
import { createHttpServer } from "./http-server.ts";

test("status, headers and cookies go out as the handler made them", async () => {
  await using app = await openHttpApp(async () => {
    const headers = new Headers({ "Content-Type": "text/html; charset=utf-8", "X-Answer": "42", Vary: "Cookie" });
    headers.append("Set-Cookie", "a=1; Expires=Sun, 20 Dec 2026 03:00:00 GMT");
    headers.append("Set-Cookie", "b=2; HttpOnly");
    headers.append("Set-Cookie", "c=3");
    return new Response("<p>No.</p>", { status: 422, headers });
  });
  const { status, headers, body } = await app.ask();
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
  await using app = await openHttpApp(answerWith(PAGE, { "Content-Type": "text/html; charset=utf-8" }));
  const { headers, body } = await app.ask({ headers: { "Accept-Encoding": accepted } });
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
  await using app = await openHttpApp(answerWith(PAGE, { "Content-Type": type }));
  const { headers } = await app.ask({ headers: { "Accept-Encoding": "br" } });
  expect(headers["content-encoding"]).toBe("br");
});

test.each(["image/png", "image/avif", "video/mp4", "font/woff2", "application/octet-stream", "text/event-stream"])(
  "%s is not compressed, whatever the browser accepts",
  async (type) => {
    await using app = await openHttpApp(answerWith(PAGE, { "Content-Type": type }));
    const { headers, body } = await app.ask({ headers: { "Accept-Encoding": "br" } });
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("vary");
    expect(body.toString()).toBe(PAGE);
  },
);

test("a part of a file is sent as it is", async () => {
  const part = { "Content-Type": "text/plain", "Content-Range": `bytes 0-${PAGE.length - 1}/99999` };
  await using app = await openHttpApp(answerWith(PAGE, part, 206));
  const { status, headers, body } = await app.ask({ headers: { "Accept-Encoding": "br" } });
  expect(status).toBe(206);
  expect(headers).not.toHaveProperty("content-encoding");
  expect(body.toString()).toBe(PAGE);
});

test("a page is compressed from 860 bytes, and not for a browser that cannot read it", async () => {
  await using app = await openHttpApp(async (request) => {
    const size = Number(new URL(request.url).searchParams.get("size"));
    return new Response("a".repeat(size), { headers: { "Content-Type": "text/html" } });
  });
  const headers = { "Accept-Encoding": "gzip" };
  const small = await app.ask({ path: "/members/?size=859", headers });
  expect(small.headers).not.toHaveProperty("content-encoding");
  expect(small.headers).toMatchObject({ "content-length": "859", vary: "Accept-Encoding" });
  expect((await app.ask({ path: "/members/?size=860", headers })).headers["content-encoding"]).toBe("gzip");
  const plain = await app.ask({ path: "/members/?size=5000" });
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.headers).toMatchObject({ "content-length": "5000", vary: "Accept-Encoding" });
});

test.each(["identity", "br"])("HEAD has no body (accepting %s)", async (accepted) => {
  await using app = await openHttpApp(answerWith(PAGE, { "Content-Type": "text/html" }));
  const headers = ["Host: here.example", `Accept-Encoding: ${accepted}`, "Connection: close"];
  const answer = await app.send("HEAD /members/ HTTP/1.1", ...headers, "", "");
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
  expect(answer.match(/\r\n\r\n/g)).toHaveLength(1);
  expect(answer).toMatch(/content-type: text\/html/i);
});

test.each([204, 304])("a %i has no body and no length", async (status) => {
  await using app = await openHttpApp(async () => new Response(null, { status, headers: { ETag: '"a"' } }));
  const answer = await app.send("GET /members/ HTTP/1.1", "Host: here.example", "Connection: close", "", "");
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*etag: "a"[^]*\\r\\n\\r\\n$`, "i"));
  expect(answer.match(/\r\n\r\n/g)).toHaveLength(1);
  expect(answer).not.toMatch(/content-length|transfer-encoding|content-encoding/i);
});

test("a page that exists as bytes is sent with its response's headers", async () => {
  const log = createQuietLog();
  const page = Buffer.from(`<p>${"Good night. ".repeat(200)}</p>`);
  const response = () => new Response(null, { status: 404, headers: { "Content-Type": "text/html; charset=utf-8" } });
  const server = createHttpServer({
    http: { host: "127.0.0.1", port: 0, origin: undefined, trustedProxies: [] },
    basePath: "/",
    handler: async () => ({ response: response(), page }),
    admit: async () => ({ kind: "form" }),
    answerRefusal: (_request, { status }) => new Response(null, { status }),
    staticFiles: () => false,
    log,
  });
  await using listening = await listen(server);
  const { port } = listening;
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
});
