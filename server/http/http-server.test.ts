import { expect, test } from "vitest";

import { openHouse, greet, echoUrl, tellAddress, staticFiles, countBody } from "../../tests/helpers/http-house.ts";
import { ordinaryForm } from "./request-body.ts";

const MAX_BODY_BYTES = ordinaryForm.maxBytes;

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

test("slow requests are not waited for, and proxies hang up before we do", async () => {
  await using house = await openHouse(greet);
  expect(house.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 180_000,
    keepAliveTimeout: 65_000,
    maxHeadersCount: 100,
  });
});

test("the way to the base path keeps its query", async () => {
  await using house = await openHouse(async () => new Response("in"));
  expect((await house.ask({ path: "/members?q=snoring" })).headers.location).toBe("/members/?q=snoring");
});
