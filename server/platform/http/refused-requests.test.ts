import { expect, test } from "vitest";

import { openHttpApp, greet, echoUrl } from "../../../tests/helpers/http-app.ts";

test.each(["here.example", "here.example:8080", "HERE.example", "127.0.0.1:3000", "[::1]:3000", "a_b-c.example."])(
  "the host %s is accepted",
  async (host) => {
    await using app = await openHttpApp(echoUrl);
    const { status, body } = await app.ask({ headers: { Host: host } });
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
  "a:99999",
  "[::::]",
  "256.1.1.1",
])("the host %j is refused", async (host) => {
  await using app = await openHttpApp(greet);
  expect(await app.send("GET /members/ HTTP/1.1", `Host: ${host}`, "Connection: close", "", "")).toMatch(
    /^HTTP\/1\.1 400 /,
  );
  expect(app.handled).toEqual([]);
});

test("a request must say which host it is for", async () => {
  await using app = await openHttpApp(greet);
  expect(await app.send("GET /members/ HTTP/1.1", "Connection: close", "", "")).toMatch(/^HTTP\/1\.1 400 /);
  expect(app.handled).toEqual([]);
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
  await using app = await openHttpApp(greet);
  const answer = await app.send(`${line} HTTP/1.1`, "Host: here.example", "Connection: close", "", "");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toContain("evil.example");
  expect(app.handled).toEqual([]);
});

test("CONNECT is refused", async () => {
  await using app = await openHttpApp(greet);
  expect(await app.send("CONNECT evil.example:443 HTTP/1.1", "Host: evil.example:443", "", "")).toBe("");
  expect(app.handled).toEqual([]);
});

test.each(["//evil.example/members/", "/\\evil.example/members/", "///evil.example", "/@evil.example", "/:80//x"])(
  "the target %s is a path of this host",
  async (target) => {
    await using app = await openHttpApp(greet, { basePath: "/" });
    await app.send(`GET ${target} HTTP/1.1`, "Host: here.example", "Connection: close", "", "");
    expect(app.handled.map((url) => new URL(url).origin)).toEqual(["http://here.example"]);
  },
);

const smuggled = ["GET /members/smuggled HTTP/1.1", "Host: here.example", "", ""].join("\r\n");

test.each([
  ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
  ["two lengths", ["Content-Length: 5", "Content-Length: 0"], "abcde"],
  ["a list of lengths", ["Content-Length: 5, 5"], "abcde"],
  ["a length with a sign", ["Content-Length: +5"], "abcde"],
  ["a length beyond counting", [`Content-Length: ${"9".repeat(30)}`], "abcde"],
  ["chunks that are not last", ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"],
  ["a blank before the colon", ["Transfer-Encoding : chunked"], "0\r\n\r\n"],
  ["a line without a name", [": chunked"], ""],
  ["a carriage return alone", ["X-Ask: a\rTransfer-Encoding: chunked"], "0\r\n\r\n"],
])("%s could smuggle a second request and is refused", async (_form, framing, body) => {
  await using app = await openHttpApp(greet);
  const answer = await app.send("POST /members/ HTTP/1.1", "Host: here.example", ...framing, "", body + smuggled);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(app.handled).toEqual([]);
});

test("after a body in an unknown coding nothing on the connection is a request", async () => {
  await using app = await openHttpApp(greet);
  const headers = ["Host: here.example", "Transfer-Encoding: xchunked"];
  const answer = await app.send("POST /members/ HTTP/1.1", ...headers, "", `0\r\n\r\n${smuggled}`);
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(app.handled).not.toContain("http://here.example/members/smuggled");
});

test("a request that names two hosts is refused", async () => {
  await using app = await openHttpApp(greet);
  const hosts = ["Host: a.example", "Host: b.example"];
  const answer = await app.send("GET /members/ HTTP/1.1", ...hosts, "Connection: close", "", "");
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(app.handled).toEqual([]);
});
