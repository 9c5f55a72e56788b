import { expect, test } from "vitest";

import { openHttpApp, greet, echoUrl, setAddress, staticFiles } from "../../../tests/helpers/http-app.ts";
import { bodyRules } from "./request-body.ts";

const MAX_BODY_BYTES = bodyRules.form.maxBytes;

test("the base path without its slash leads to the base path, with its query", async () => {
  await using app = await openHttpApp(greet);
  const { status, headers, body } = await app.ask({ path: "/members?q=snoring" });
  expect(status).toBe(308);
  expect(headers.location).toBe("/members/?q=snoring");
  expect(body).toHaveLength(0);
  expect(app.handled).toEqual([]);
});

test.each(["/members/", "/members/login?to=%2F", "/members//twice", "/members/a/../b"])(
  "%s is the handler's",
  async (path) => {
    await using app = await openHttpApp(greet);
    const { status, body } = await app.ask({ path });
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
])("%s, outside the base path, is a 404", async (path) => {
  await using app = await openHttpApp(greet);
  const { status, headers, body } = await app.ask({ path });
  expect({ status, body: body.toString() }).toEqual({ status: 404, body: "There is nothing here.\n" });
  expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" });
  expect(app.handled).toEqual([]);
});

test("a built file is served before the handler is asked, by its name below the base path", async () => {
  await using app = await openHttpApp(greet, { staticFiles });
  expect((await app.ask({ path: "/members/assets/a.js?v=1" })).body.toString()).toBe("a script");
  expect((await app.ask({ path: "/members/assets/b.js" })).body.toString()).toBe("Good night.");
  expect((await app.ask({ path: "/assets/a.js" })).status).toBe(404);
  expect(app.handled).toHaveLength(1);
});

test("at the root every path belongs to the app", async () => {
  await using app = await openHttpApp(echoUrl, { basePath: "/" });
  const { body } = await app.ask({ path: "/login?a=1", headers: { Host: "here.example" } });
  expect(body.toString()).toBe("http://here.example/login?a=1");
});

test("the handler gets the method, the headers and the body of a request", async () => {
  await using app = await openHttpApp(async (request) =>
    Response.json([request.method, request.headers.get("X-Ask"), await request.text()]),
  );
  const { body } = await app.ask({ method: "POST", headers: { "X-Ask": "why" }, body: "because" });
  expect(JSON.parse(body.toString())).toEqual(["POST", "why", "because"]);
});

test("a visitor's address is the socket's, or what a trusted proxy says", async () => {
  const headers = { "X-Forwarded-For": "203.0.113.9" };
  await using alone = await openHttpApp(setAddress);
  expect((await alone.ask({ headers })).body.toString()).toBe("127.0.0.1");
  await using behind = await openHttpApp(setAddress, { trustedProxies: ["loopback"] });
  expect((await behind.ask({ headers })).body.toString()).toBe("203.0.113.9");
});

test("a configured origin replaces the Host of every request", async () => {
  await using app = await openHttpApp(echoUrl, { origin: "https://members.example.org" });
  for (const host of ["here.example", "evil.example:80", "a@b", ""]) {
    const { body } = await app.ask({ path: "/members/login", headers: { Host: host } });
    expect(body.toString()).toBe("https://members.example.org/members/login");
  }
});

test("an unread body does not block the connection", async () => {
  await using app = await openHttpApp(greet);
  const body = "a".repeat(MAX_BODY_BYTES);
  expect((await app.ask({ method: "POST", body })).status).toBe(200);
  expect((await app.ask({ method: "POST", body })).status).toBe(200);
});

test("one connection carries many requests, answered in their order", async () => {
  await using app = await openHttpApp(async (request) => new Response(request.url.slice(-1)));
  const headers = ["Host: here.example", "Connection: keep-alive", ""];
  const answer = await app.send(
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

test("slow requests time out, and idle connections outlive a proxy's time-out", async () => {
  await using app = await openHttpApp(greet);
  expect(app.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 180_000,
    keepAliveTimeout: 65_000,
    maxHeadersCount: 100,
  });
});
