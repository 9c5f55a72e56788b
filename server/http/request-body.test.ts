import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { afterEach, expect, test, vi } from "vitest";

import {
  arrive,
  chunked,
  MULTIPART,
  multipart,
  openBodyApp,
  sentFrom,
  zeros,
  countBody,
} from "../../tests/helpers/http-app.ts";
import { ordinaryForm, pictureForm } from "./request-body.ts";

afterEach(() => vi.useRealTimers());

// Where how much is taken

test.each(["/members/", "/members/_.data", "/members/dashboard", "/members/dashboard.data", "/members/?account=open"])(
  "the form with the picture, sent to %s, may have 6 MB, told by its length or in chunks",
  async (path) => {
    await using app = await openBodyApp(countBody);
    const body = zeros(pictureForm.maxBytes);
    const told = await app.post(path, { headers: multipart, body });
    expect(told).toMatchObject({ status: 200, body: String(6 * 1024 * 1024) });
    const streamed = await app.post(path, { headers: { ...multipart, ...chunked }, body });
    expect(streamed).toMatchObject({ status: 200, body: String(6 * 1024 * 1024) });
    for (const headers of [multipart, { ...multipart, ...chunked }]) {
      expect((await app.post(path, { headers, body: zeros(pictureForm.maxBytes + 1) })).status).toBe(413);
    }
  },
);

test("at the root the form with the picture may have 6 MB too", async () => {
  await using app = await openBodyApp(countBody, "/");
  const body = zeros(pictureForm.maxBytes);
  for (const path of ["/", "/_.data", "/dashboard"]) {
    expect((await app.post(path, { headers: multipart, body })).status).toBe(200);
  }
  expect((await app.post("/login", { headers: multipart, body })).status).toBe(413);
});

test.each<[string, string, OutgoingHttpHeaders]>([
  ["another screen", "/members/login", multipart],
  ["another screen, by script", "/members/login.data", multipart],
  ["the hearts", "/members/favourites", multipart],
  ["a door for other servers", "/members/api/users/login", multipart],
  ["a path that only begins like it", "/members/_.data/x", multipart],
  ["the dashboard twice", "/members//", multipart],
  ["a plain form", "/members/", { "Content-Type": "application/x-www-form-urlencoded" }],
  ["JSON", "/members/", { "Content-Type": "application/json" }],
  ["something without a type", "/members/", {}],
  ["another multipart", "/members/", { "Content-Type": "multipart/mixed; boundary=x" }],
  ["what only looks like one", "/members/", { "Content-Type": "text/plain; multipart/form-data" }],
  ["a longer name", "/members/", { "Content-Type": "multipart/form-data-x" }],
])("%s may have 256 KiB", async (_name, path, headers) => {
  await using app = await openBodyApp(countBody);
  const full = zeros(ordinaryForm.maxBytes);
  expect((await app.post(path, { headers, body: full })).body).toBe(String(256 * 1024));
  for (const framing of [{}, chunked]) {
    const answer = await app.post(path, { headers: { ...headers, ...framing }, body: zeros(full.byteLength + 1) });
    expect(answer).toMatchObject({ status: 413, body: "That is more than we can accept.\n" });
  }
});

test("a provider's webhook events may have 1 MiB, and nothing beside them", async () => {
  await using app = await openBodyApp(countBody);
  const full = zeros(1024 * 1024);
  const json = { "Content-Type": "application/json" };
  expect((await app.post("/members/webhooks/stripe", { headers: json, body: full })).body).toBe(String(1024 * 1024));
  const more = zeros(full.byteLength + 1);
  expect((await app.post("/members/webhooks/gocardless", { headers: json, body: more })).status).toBe(413);
  expect((await app.post("/members/webhooks-too", { headers: json, body: full })).status).toBe(413);
});

test("another method may not send a picture", async () => {
  await using app = await openBodyApp(countBody);
  const options = { port: app.port, host: "127.0.0.1", path: "/members/", agent: false };
  const request = httpRequest({ ...options, method: "PUT", headers: multipart }).end(zeros(300_000));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  response.resume();
});

test("a form of a hundred thousand fields is refused, and a picture may contain any bytes", async () => {
  await using app = await openBodyApp(async (request) => new Response(String([...(await request.formData())].length)));
  const field = (name: string, value: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from("\r\n"),
    ]);
  const end = Buffer.from("--x--\r\n");
  const many = Buffer.concat([...Array.from({ length: 100_000 }, () => field('name="a"', "")), end]);
  expect(many.byteLength).toBeLessThan(pictureForm.maxBytes);
  expect((await app.post("/members/", { headers: multipart, body: many })).status).toBe(413);

  const lines = Buffer.from("<!--\r\n-->".repeat(500));
  const one = Buffer.concat([
    ...Array.from({ length: 50 }, () => field('name="a"', "b")),
    field('name="p"; filename="p"', lines),
    end,
  ]);
  expect(await app.post("/members/", { headers: multipart, body: one })).toMatchObject({ status: 200, body: "51" });
});

// How long it may take

test("a plain form has half a minute, the one with the picture three", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using app = await openBodyApp(countBody);
  const length = "Content-Length: 200000";
  const plain = app.begin("/members/login", [length]);
  const picture = app.begin("/members/", [length, `Content-Type: ${MULTIPART}`]);
  const [plainClosed, pictureClosed] = [once(plain, "close"), once(picture, "close")];
  for (const socket of [plain, picture]) socket.write(zeros(1000));
  while (app.handled.length < 2) await new Promise(setImmediate);

  await vi.advanceTimersByTimeAsync(ordinaryForm.maxMs - 1);
  await arrive();
  expect(plain.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await plainClosed;
  await arrive();
  expect(picture.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(pictureForm.maxMs);
  await pictureClosed;
  expect(app.faults()).toEqual([]);
});

// How many at once

/** An app whose work on large bodies goes on until the test ends it, in the order in which it began. */
async function openBusyApp() {
  const begun: PromiseWithResolvers<void>[] = [];
  const app = await openBodyApp(async (request) => {
    const { byteLength } = await request.arrayBuffer();
    if (byteLength < 1000) return new Response("small");
    const work = Promise.withResolvers<void>();
    begun.push(work);
    await work.promise;
    return new Response(String(byteLength));
  });
  const until = async (count: number) => {
    while (begun.length < count) await new Promise(setImmediate);
  };
  const picture = (address: string) =>
    app.post("/members/", { headers: { ...multipart, ...sentFrom(address) }, body: zeros(1_000_000) });
  return { ...app, begun, until, picture };
}

test("eight pictures are in memory at once; others wait their turn, and plain forms do not wait", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const answers = Array.from({ length: 20 }, (_, index) => picture(`198.51.100.${index % 5}`));
  await until(8);
  expect((await app.post("/members/", { headers: multipart, body: zeros(900) })).body).toBe("small");
  expect(begun).toHaveLength(8);

  // One that is done makes room for one more.
  begun[0]?.resolve();
  for (const next of [9, 16, 20]) {
    await until(next);
    for (const work of begun) work.resolve();
  }
  expect((await Promise.all(answers)).map((answer) => answer.body)).toEqual(Array(20).fill("1000000"));
});

test("four of the eight places are the most that one address may take", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const flood = Array.from({ length: 9 }, () => picture("198.51.100.1"));
  await until(4);
  await arrive();
  expect(begun).toHaveLength(4);
  const other = picture("198.51.100.2");
  await until(5);
  begun[4]?.resolve();
  expect((await other).status).toBe(200);
  for (const next of [4, 9, 10]) {
    await until(next);
    for (const work of begun) work.resolve();
  }
  expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(9).fill(200));
});

test("a client that hangs up keeps its place until the work on its picture is over", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const leave = (address: string) => {
    const socket = app.begin("/members/", [
      `Content-Type: ${MULTIPART}`,
      "Content-Length: 1000000",
      `X-Forwarded-For: ${address}`,
    ]);
    socket.write(zeros(1_000_000));
    return socket;
  };
  const leaving = Array.from({ length: 8 }, (_, index) => leave(`198.51.100.${index % 2}`));
  await until(8);
  for (const socket of leaving) await once(socket.destroy(), "close");
  const patient = picture("198.51.100.9");
  while (app.handled.length < 9) await new Promise(setImmediate);
  await arrive();
  expect(begun).toHaveLength(8);
  begun[0]?.resolve();
  await until(9);
  for (const work of begun) work.resolve();
  expect((await patient).status).toBe(200);
});

test("a picture that stops coming is given up after twenty seconds, and a provider's webhook events do not wait for any", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const large = new Set<Request>();
  await using app = await openBodyApp(async (request) => {
    let size = 0;
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > ordinaryForm.maxBytes) large.add(request);
    }
    return new Response(String(size));
  });
  const head = [`Content-Type: ${MULTIPART}`, "Content-Length: 5000000"];
  const stalled = Array.from({ length: 8 }, (_, index) =>
    app.begin("/members/", [...head, `X-Forwarded-For: 198.51.100.${index % 2}`]),
  );
  const closed = Promise.all(
    stalled.map((socket) =>
      once(
        socket.on("error", () => undefined),
        "close",
      ),
    ),
  );
  for (const socket of stalled) socket.write(zeros(400_000));
  while (large.size < 8) await new Promise(setImmediate);
  const webhooks = { headers: { "Content-Type": "application/json" }, body: zeros(1_000_000) };
  expect(await app.post("/members/webhooks/gocardless", webhooks)).toMatchObject({ status: 200 });
  const waiting = app.post("/members/", { headers: multipart, body: zeros(5_000_000) });
  await vi.advanceTimersByTimeAsync(20_000);
  await closed;
  expect(await waiting).toMatchObject({ status: 200, body: "5000000" });
  expect(app.faults()).toEqual([]);
});

test("a client that leaves during or before its upload frees its place", async () => {
  await using app = await openBodyApp(countBody);
  const head = [`Content-Type: ${MULTIPART}`, "Content-Length: 5000000"];
  const leaving = Array.from({ length: 40 }, () => app.begin("/members/", head));
  for (const socket of leaving) socket.on("error", () => undefined).write(zeros(400_000));
  while (app.handled.length < 40) await new Promise(setImmediate);
  for (const socket of leaving) socket.destroy();
  const answer = await app.post("/members/", { headers: multipart, body: zeros(5_000_000) });
  expect(answer).toMatchObject({ status: 200, body: "5000000" });
  expect(app.faults()).toEqual([]);
});
