import { once } from "node:events";
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
} from "../../../tests/helpers/http-app.ts";
import { bodyRules } from "./request-body.ts";

afterEach(() => vi.useRealTimers());

// How much is taken

test.each([
  ["form", 256 * 1024],
  ["events", 1024 * 1024],
  ["picture", 6 * 1024 * 1024],
])("a body admitted as %s may have %i bytes, told by its length or in chunks", async (kind, most) => {
  await using app = await openBodyApp(countBody);
  const path = `/members/${kind}`;
  for (const headers of [{}, chunked]) {
    expect(await app.post(path, { headers, body: zeros(most) })).toMatchObject({ status: 200, body: String(most) });
    expect((await app.post(path, { headers, body: zeros(most + 1) })).status).toBe(413);
  }
});

test("a route that takes no body is handled without it, at once", async () => {
  await using app = await openBodyApp(countBody);
  const socket = app.begin("/members/none", ["Content-Length: 200000"]);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*\r\n\r\n0$/i);
  socket.destroy();
});

test("of a form whose picture cannot be taken the fields before it are read, and no more is waited for", async () => {
  await using app = await openBodyApp(async (request) =>
    Response.json([...(await request.formData())].map(([name]) => name)),
  );
  const fields = ["intent", "firstName"].map(
    (name) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\na\r\n`,
  );
  const picture = '--x\r\nContent-Disposition: form-data; name="picture"; filename="p"\r\n\r\n';
  const socket = app.begin("/members/fields", ["Content-Length: 6000000", `Content-Type: ${MULTIPART}`]);
  socket.write(Buffer.concat([Buffer.from(fields.join("") + picture), zeros(bodyRules.fields.maxBytes)]));
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*\["intent","firstName","picture"\]$/);
  socket.destroy();
  const whole = Buffer.from(`${fields.join("")}--x--\r\n`);
  expect((await app.post("/members/fields", { headers: multipart, body: whole })).body).toBe('["intent","firstName"]');
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
  expect(many.byteLength).toBeLessThan(bodyRules.picture.maxBytes);
  expect((await app.post("/members/picture", { headers: multipart, body: many })).status).toBe(413);

  const lines = Buffer.from("<!--\r\n-->".repeat(500));
  const one = Buffer.concat([
    ...Array.from({ length: 50 }, () => field('name="a"', "b")),
    field('name="p"; filename="p"', lines),
    end,
  ]);
  expect(await app.post("/members/picture", { headers: multipart, body: one })).toMatchObject({
    status: 200,
    body: "51",
  });
});

// How long it may take

test("a form has half a minute, one with a picture three, and none is handled before it is here", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using app = await openBodyApp(countBody);
  const length = "Content-Length: 200000";
  const [form, picture] = [app.begin("/members/form", [length]), app.begin("/members/picture", [length])];
  const [formClosed, pictureClosed] = [once(form, "close"), once(picture, "close")];
  await arrive();

  async function trickle(ms: number) {
    for (let passed = 0; passed < ms; passed += 10_000) {
      for (const socket of [form, picture]) if (!socket.closed) socket.write(zeros(1));
      await arrive();
      await vi.advanceTimersByTimeAsync(10_000);
    }
  }
  await trickle(bodyRules.form.maxMs);
  await formClosed;
  expect(picture.closed).toBe(false);
  await trickle(bodyRules.picture.maxMs - bodyRules.form.maxMs);
  await pictureClosed;
  expect(app.handled).toEqual([]);
  expect(app.faults()).toEqual([]);
});

test("a body of which nothing comes for twenty seconds is given up", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using app = await openBodyApp(countBody);
  const silent = app.begin("/members/picture", ["Content-Length: 5000000"]);
  const closed = once(silent, "close");
  silent.write(zeros(400_000));
  await arrive();
  await vi.advanceTimersByTimeAsync(19_999);
  await arrive();
  expect(silent.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});

// How many stall

async function become(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

/** Connections that send part of a form and stop; `refused` counts the 503 answers. */
function stall(
  app: Awaited<ReturnType<typeof openBodyApp>>,
  count: number,
  { bytes = 0, address = "198.51.100.1" }: { bytes?: number; address?: string } = {},
) {
  let refused = 0;
  const sockets = Array.from({ length: count }, () => {
    const socket = app.begin("/members/form", ["Content-Length: 250000", `X-Forwarded-For: ${address}`]);
    socket
      .on("error", () => undefined)
      .once("data", (answer) => {
        if (answer.toString().startsWith("HTTP/1.1 503 ")) refused += 1;
      });
    socket.write(zeros(bytes));
    return socket;
  });
  return { sockets, refused: () => refused };
}

test("of the bodies that one network does not finish 128 are waited for, the newest, and a whole form passes them", async () => {
  await using app = await openBodyApp(countBody);
  const stalled = stall(app, 200);
  await become(() => stalled.refused() >= 200 - 128);
  await arrive();
  expect(stalled.refused()).toBe(200 - 128);
  expect(app.handled).toEqual([]);
  const form = { headers: sentFrom("198.51.100.1"), body: zeros(1000) };
  expect(await app.post("/members/form", form)).toMatchObject({ status: 200, body: "1000" });
  expect(await app.post("/members/form", { ...form, headers: sentFrom("198.51.100.2") })).toMatchObject({
    status: 200,
  });
  const others = stall(app, 10, { address: "198.51.100.2" });
  await arrive();
  expect(others.refused()).toBe(0);
  for (const socket of [...stalled.sockets, ...others.sockets]) socket.destroy();
});

test("bytes that came of unfinished bodies count: 8 MiB of one network are held", async () => {
  await using app = await openBodyApp(countBody);
  const stalled = stall(app, 100, { bytes: 200_000 });
  // Each is held with the 64 KiB that its connection may hold beside, in a buffer of up to twice what came.
  await become(() => stalled.refused() >= 100 - Math.floor((8 * 1024 ** 2) / (200_000 + 65_536)));
  expect(app.handled).toEqual([]);
  for (const socket of stalled.sockets) socket.destroy();
});

test("all networks together hold 32 MiB, and the one with the most gives up first", async () => {
  await using app = await openBodyApp(countBody);
  const quiet = stall(app, 5, { address: "203.0.113.9" });
  await arrive();
  const crowds = Array.from({ length: 10 }, (_, index) =>
    stall(app, 12, { bytes: 240_000, address: `198.51.100.${index}` }),
  );
  const refused = () => crowds.reduce((sum, crowd) => sum + crowd.refused(), 0);
  const fitting = Math.floor((32 * 1024 ** 2) / (240_000 + 65_536));
  await become(() => refused() >= 10 * 12 - fitting);
  expect(quiet.refused()).toBe(0);
  for (const socket of [quiet, ...crowds].flatMap(({ sockets }) => sockets)) socket.destroy();
});

test("a client that has left counts no more", async () => {
  await using app = await openBodyApp(countBody);
  for (const socket of stall(app, 128).sockets) socket.destroy();
  await arrive();
  const next = stall(app, 128);
  await arrive();
  expect(next.refused()).toBe(0);
  for (const socket of next.sockets) socket.destroy();
});

// How many at once

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
    app.post("/members/picture", { headers: sentFrom(address), body: zeros(1_000_000) });
  return { ...app, begun, until, picture };
}

test("eight pictures are in memory at once; others wait their turn, and plain forms do not wait", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const answers = Array.from({ length: 20 }, (_, index) => picture(`member ${index % 5}`));
  await until(8);
  expect((await app.post("/members/picture", { body: zeros(900) })).body).toBe("small");
  expect(begun).toHaveLength(8);

  // A finished one frees its place for another.
  begun[0]?.resolve();
  for (const next of [9, 16, 20]) {
    await until(next);
    for (const work of begun) work.resolve();
  }
  expect((await Promise.all(answers)).map((answer) => answer.body)).toEqual(Array(20).fill("1000000"));
});

test("two of the eight places are the most that one member may take, and four more wait unread", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const flood = Array.from({ length: 9 }, () => picture("one"));
  await until(2);
  const refused = await Promise.race(flood);
  expect(refused.status).toBe(503);
  expect(refused.headers).toHaveProperty("retry-after");
  expect(begun).toHaveLength(2);
  const other = picture("other");
  await until(3);
  begun[2]?.resolve();
  expect((await other).status).toBe(200);
  for (const next of [5, 7]) {
    for (const work of begun) work.resolve();
    await until(next);
  }
  for (const work of begun) work.resolve();
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect([statuses.filter((status) => status === 200), statuses.filter((status) => status === 503)]).toEqual([
    Array(6).fill(200),
    Array(3).fill(503),
  ]);
});

test("a client that hangs up keeps its place until the work on its picture is over", async () => {
  await using app = await openBusyApp();
  const { begun, until, picture } = app;
  const leave = (address: string) => {
    const socket = app.begin("/members/picture", ["Content-Length: 1000000", `X-Forwarded-For: ${address}`]);
    socket.write(zeros(1_000_000));
    return socket;
  };
  const leaving = Array.from({ length: 8 }, (_, index) => leave(`member ${index % 4}`));
  await until(8);
  for (const socket of leaving) await once(socket.destroy(), "close");
  const patient = picture("another");
  await arrive();
  expect(begun).toHaveLength(8);
  begun[0]?.resolve();
  await until(9);
  for (const work of begun) work.resolve();
  expect((await patient).status).toBe(200);
});

test("forms and a provider's webhook events do not wait for pictures", async () => {
  await using app = await openBusyApp();
  const pictures = Array.from({ length: 8 }, (_, index) => app.picture(`member ${index}`));
  await app.until(8);
  const events = app.post("/members/events", { body: zeros(1_000_000) });
  await app.until(9);
  for (const work of app.begun) work.resolve();
  expect((await Promise.all([events, ...pictures])).map(({ status }) => status)).toEqual(Array(9).fill(200));
});

test("a client that leaves during or before its upload frees its place", async () => {
  await using app = await openBodyApp(countBody);
  const head = ["Content-Length: 5000000", "X-Forwarded-For: one"];
  const leaving = Array.from({ length: 6 }, () => app.begin("/members/picture", head));
  for (const socket of leaving) socket.on("error", () => undefined).write(zeros(400_000));
  await arrive();
  for (const socket of leaving) socket.destroy();
  const answer = await app.post("/members/picture", { headers: sentFrom("one"), body: zeros(5_000_000) });
  expect(answer).toMatchObject({ status: 200, body: "5000000" });
  expect(app.faults()).toEqual([]);
});
