import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";

import { openHttpApp, type Question, greet, staticFiles } from "../../../tests/helpers/http-app.ts";
import { bodyRules } from "./request-body.ts";

const MAX_BODY_BYTES = bodyRules.form.maxBytes;

test("a failing handler is answered with a plain 500 and logged with the request's id", async () => {
  await using app = await openHttpApp(() => Promise.reject(new Error("the password is 1234")));
  const { status, headers, body } = await app.ask();
  expect({ status, body: body.toString() }).toEqual({
    status: 500,
    body: expect.stringMatching(/^Something went wrong\. /),
  });
  expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([
    {
      level: "error",
      event: "the HTTP server failed to answer",
      facts: { id: headers["x-request-id"], error: expect.objectContaining({ message: "the password is 1234" }) },
    },
  ]);
});

test("an answer that fails while it is made is a 500, never half a page", async () => {
  await using app = await openHttpApp(async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("<p>half a page"));
        controller.error(new Error("broken off"));
      },
    });
    return new Response(body, { headers: { "Set-Cookie": "a=1" } });
  });
  const { status, headers, body } = await app.ask();
  expect({ status, body: body.toString() }).toEqual({
    status: 500,
    body: expect.stringMatching(/^Something went wrong\. /),
  });
  expect(headers).not.toHaveProperty("set-cookie");
});

test("after a fault the next request is answered", async () => {
  let count = 0;
  await using app = await openHttpApp(async () => {
    count += 1;
    if (count === 1) throw new Error("once");
    return new Response("Good night.");
  });
  expect((await app.ask()).status).toBe(500);
  expect((await app.ask()).status).toBe(200);
});

test("a visitor who leaves before the answer is ready causes no fault", async () => {
  await using app = await openHttpApp(async (request) => {
    if (!request.url.endsWith("/slow")) return new Response("Good night.");
    socket.destroy();
    await once(request.signal, "abort");
    return new Response("too late".repeat(1000), { headers: { "Content-Type": "text/html" } });
  });
  const socket = connect(app.port, "127.0.0.1");
  socket.write("GET /members/slow HTTP/1.1\r\nHost: here.example\r\nAccept-Encoding: br\r\n\r\n");
  await once(socket, "close");
  expect((await app.ask()).status).toBe(200);
  const lines = await app.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/slow")).toMatchObject({ done: false });
  expect(lines.find(({ path }) => path === "/members/")).toMatchObject({ done: true });
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a visitor who leaves in the middle of the answer causes no fault", async () => {
  const large = new Uint8Array(50_000_000);
  await using app = await openHttpApp(async () => new Response(large, { headers: { "Content-Type": "image/png" } }));
  const socket = connect(app.port, "127.0.0.1");
  socket.write("GET /members/large HTTP/1.1\r\nHost: here.example\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  expect((await app.ask({ method: "HEAD" })).status).toBe(200);
  const lines = await app.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/large")).toMatchObject({ status: 200, done: false });
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a visitor who leaves in the middle of a body causes no fault", async () => {
  await using app = await openHttpApp(async () => new Response("Good night."), {
    // The head is here by then, and the body is not.
    async admit({ method }) {
      if (method === "POST") socket.destroy();
      return { kind: "form" };
    },
  });
  const socket = connect(app.port, "127.0.0.1");
  socket.write("POST /members/half HTTP/1.1\r\nHost: here.example\r\nContent-Length: 100\r\n\r\nhalf");
  await once(socket, "close");
  expect((await app.ask()).status).toBe(200);
  const lines = await app.closeAndReadLog();
  expect(lines.find(({ path }) => path === "/members/half")).toMatchObject({ method: "POST", done: false });
  expect(app.handled).toHaveLength(1);
  expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a handler that reads a form and then fails is answered and logged", async () => {
  await using app = await openHttpApp(async (request) => {
    await request.text();
    throw new Error("after the form");
  });
  const answer = await app.ask({ method: "POST", body: "a=b" });
  expect(answer.status).toBe(500);
  expect(app.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
});

test("every request is logged in one line with its method, path and outcome, without address or query", async () => {
  await using app = await openHttpApp(
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
    const answer = await app.ask({ ...question, headers: { ...headers, ...question.headers } });
    ids.push(answer.headers["x-request-id"]);
  }
  const lines = await app.closeAndReadLog();
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
  expect(JSON.stringify(app.log.lines)).not.toMatch(/secret|203\.0\.113\.9|127\.0\.0\.1/);
});

test("every request has its own id, which a visitor cannot choose", async () => {
  await using app = await openHttpApp(greet);
  const ids = new Set<unknown>();
  for (let count = 0; count < 10; count += 1) {
    ids.add((await app.ask({ headers: { "X-Request-Id": "mine" } })).headers["x-request-id"]);
  }
  expect(ids.size).toBe(10);
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
});
