import { once } from "node:events";
import { Agent } from "node:http";
import { afterEach, expect, test, vi } from "vitest";

import { schemeCookie, type Scheme } from "../../../app/frame/cookies.ts";
import { readWords } from "../../../tests/helpers/page.ts";
import { arrive, chunked, openBodyApp, zeros, countBody } from "../../../tests/helpers/http-app.ts";
import { bodyRules } from "./request-body.ts";

afterEach(() => vi.useRealTimers());

/** A client whose body was too large, and whose connection is still open. */
async function beginRefused(app: Awaited<ReturnType<typeof openBodyApp>>) {
  const socket = app.begin("/members/picture", ["Content-Length: 99999999"]);
  const closed = once(
    socket.on("error", () => undefined),
    "close",
  );
  await once(socket, "data");
  return { socket, closed };
}

test("a body announced as too large is refused before it is sent", async () => {
  await using app = await openBodyApp(countBody);
  const socket = app.begin("/members/picture", [`Content-Length: ${bodyRules.picture.maxBytes + 1}`]);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer.toString()).toMatch(/\r\nconnection: close\r\n/i);
  socket.end();
  expect(app.handled).toEqual([]);
});

const html = { Accept: "text/html,*/*;q=0.8" };

test("a form sent without script gets a page that says what to do, in either scheme", async () => {
  await using app = await openBodyApp(countBody);
  const { headers, body } = await app.post("/members/picture", { headers: html, body: zeros(7_000_000) });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
  expect(readWords(body)).toContain(
    "File size is too big This picture is larger than 5 MB. Please choose a smaller one.",
  );
  expect(body).toContain('href="/members/?account=open">Back to My Account</a>');
  expect(body).not.toContain("<script");
});

test.each([
  ["night", "dark"],
  ["dawn", "light"],
  ["noon", "dark light"],
])("the page is painted in the scheme that was chosen: %s", async (scheme, painted) => {
  await using app = await openBodyApp(countBody);
  const cookie = schemeCookie(new URL("http://here.example/"), scheme as Scheme).split(";")[0];
  const headers = { ...html, Cookie: `first=1; ${cookie}; last=1` };
  const { body } = await app.post("/members/picture", { headers, body: zeros(7_000_000) });
  expect(body).toContain(`<meta name="color-scheme" content="${painted}"/>`);
});

test("a form sent by script gets a sentence", async () => {
  await using app = await openBodyApp(countBody);
  const { headers, body } = await app.post("/members/picture.data", { body: zeros(7_000_000) });
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body).toBe("File size is too big. This picture is larger than 5 MB. Please choose a smaller one.\n");
});

test("a client that sends far more still receives the answer, and the rest is discarded", async () => {
  await using app = await openBodyApp(countBody);
  const body = zeros(60_000_000);
  for (const headers of [{}, chunked]) {
    expect(await app.post("/members/picture", { headers, body })).toMatchObject({ status: 413 });
  }
  expect(app.faults()).toEqual([]);
});

test("after an early answer the connection is closed, however long the client goes on sending", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using app = await openBodyApp(countBody);
  const { socket, closed } = await beginRefused(app);
  for (let second = 0; second < 28; second += 4) {
    socket.write(zeros(1000));
    await arrive();
    await vi.advanceTimersByTimeAsync(4000);
    await arrive();
    expect(socket.closed).toBe(false);
  }
  socket.write(zeros(1000));
  await arrive();
  await vi.advanceTimersByTimeAsync(2000);
  await closed;
  expect(socket.closed).toBe(true);
});

test("a client that goes silent after such an answer is not waited for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using app = await openBodyApp(countBody);
  const { socket, closed } = await beginRefused(app);
  await vi.advanceTimersByTimeAsync(4999);
  await arrive();
  expect(socket.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(socket.closed).toBe(true);
});

test("what is refused is not handled", async () => {
  await using app = await openBodyApp(countBody);
  const answer = await app.post("/members/form", { headers: chunked, body: zeros(300_000) });
  expect(answer).toMatchObject({ status: 413, body: "That's too large for us to accept.\n" });
  expect(app.handled).toEqual([]);
  expect((await app.post("/members/form", { headers: chunked, body: zeros(3) })).status).toBe(200);
  expect(app.faults()).toEqual([]);
});

test("an unread picture does not block even its own connection", async () => {
  await using app = await openBodyApp(async () => new Response("no", { status: 403 }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const headers of [{}, chunked, {}]) {
    expect(await app.post("/members/picture", { agent, headers, body: zeros(5_000_000) })).toMatchObject({
      status: 403,
    });
  }
  agent.destroy();
});
