import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { ordinaryForm, pictureForm } from "./body-limit.ts";
import { createHost } from "./host.ts";

type Handler = (request: Request) => Promise<Response>;

/** A host before a handler of the test's own. */
async function openHouse(handler: Handler, basePath = "/members/") {
  const log = createQuietLog();
  const handled: string[] = [];
  const server = createHost({
    http: { host: "127.0.0.1", port: 0, origin: undefined, trustedProxies: [] },
    basePath,
    async handler(request) {
      handled.push(request.url);
      return { response: await handler(request) };
    },
    staticFiles: () => false,
    log,
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const faults = () => log.lines.filter(({ level }) => level === "error");

  return {
    port,
    handled,
    faults,
    post: (path: string, posted: Posted) => post(port, path, posted),
    /** Says the head of a post and keeps the line open. */
    begin(path: string, headers: string[]): Socket {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.write([`POST ${path} HTTP/1.1`, "Host: here.example", ...headers, "", ""].join("\r\n"));
      return socket;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

type Posted = { headers?: OutgoingHttpHeaders; body: Buffer; agent?: Agent };

async function post(port: number, path: string, { headers = {}, body, agent }: Posted) {
  const options = { port, path, method: "POST", headers, host: "127.0.0.1", agent: agent ?? false };
  const request = httpRequest(options).end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = { status: response.statusCode, headers: response.headers, body: await text(response) };
  // What comes after the answer is no part of it: a browser has long shown it.
  request.on("error", () => undefined);
  return answer;
}

/** Lets everything arrive that is on its way within this process. */
async function arrive(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

const MULTIPART = "multipart/form-data; boundary=x";
const multipart = { "Content-Type": MULTIPART };
const chunked = { "Transfer-Encoding": "chunked" };
const zeros = (count: number) => Buffer.alloc(count);

const countBody: Handler = async (request) => {
  try {
    return new Response(String((await request.arrayBuffer()).byteLength));
  } catch (error) {
    return new Response(error instanceof Error ? error.name : "?", { status: 400 });
  }
};

afterEach(() => vi.useRealTimers());

// Where how much is taken

test.each(["/members/", "/members/_.data", "/members/dashboard", "/members/dashboard.data", "/members/?account=open"])(
  "the form with the picture, sent to %s, may have 6 MB, told by its length or in chunks",
  async (path) => {
    await using house = await openHouse(countBody);
    const body = zeros(pictureForm.maxBytes);
    const told = await house.post(path, { headers: multipart, body });
    expect(told).toMatchObject({ status: 200, body: String(6 * 1024 * 1024) });
    const streamed = await house.post(path, { headers: { ...multipart, ...chunked }, body });
    expect(streamed).toMatchObject({ status: 200, body: String(6 * 1024 * 1024) });
    for (const headers of [multipart, { ...multipart, ...chunked }]) {
      expect((await house.post(path, { headers, body: zeros(pictureForm.maxBytes + 1) })).status).toBe(413);
    }
  },
);

test("a house at the root takes it there", async () => {
  await using house = await openHouse(countBody, "/");
  const body = zeros(pictureForm.maxBytes);
  for (const path of ["/", "/_.data", "/dashboard"]) {
    expect((await house.post(path, { headers: multipart, body })).status).toBe(200);
  }
  expect((await house.post("/login", { headers: multipart, body })).status).toBe(413);
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
  await using house = await openHouse(countBody);
  const full = zeros(ordinaryForm.maxBytes);
  expect((await house.post(path, { headers, body: full })).body).toBe(String(256 * 1024));
  for (const framing of [{}, chunked]) {
    const answer = await house.post(path, { headers: { ...headers, ...framing }, body: zeros(full.byteLength + 1) });
    expect(answer).toMatchObject({ status: 413, body: "That is more than we can take.\n" });
  }
});

test("a provider's notices may have 1 MiB, and nothing beside them", async () => {
  await using house = await openHouse(countBody);
  const full = zeros(1024 * 1024);
  const json = { "Content-Type": "application/json" };
  expect((await house.post("/members/webhooks/stripe", { headers: json, body: full })).body).toBe(String(1024 * 1024));
  const more = zeros(full.byteLength + 1);
  expect((await house.post("/members/webhooks/gocardless", { headers: json, body: more })).status).toBe(413);
  expect((await house.post("/members/webhooks-too", { headers: json, body: full })).status).toBe(413);
});

test("another method has no picture", async () => {
  await using house = await openHouse(countBody);
  const options = { port: house.port, host: "127.0.0.1", path: "/members/", agent: false };
  const request = httpRequest({ ...options, method: "PUT", headers: multipart }).end(zeros(300_000));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  response.resume();
});

test("a form of a hundred thousand fields is refused for their number, and a picture may look like anything", async () => {
  await using house = await openHouse(async (request) => new Response(String([...(await request.formData())].length)));
  const field = (name: string, value: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`--x\r\nContent-Disposition: form-data; ${name}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from("\r\n"),
    ]);
  const end = Buffer.from("--x--\r\n");
  const many = Buffer.concat([...Array.from({ length: 100_000 }, () => field('name="a"', "")), end]);
  expect(many.byteLength).toBeLessThan(pictureForm.maxBytes);
  expect((await house.post("/members/", { headers: multipart, body: many })).status).toBe(413);

  const lines = Buffer.from("<!--\r\n-->".repeat(500));
  const one = Buffer.concat([
    ...Array.from({ length: 50 }, () => field('name="a"', "b")),
    field('name="p"; filename="p"', lines),
    end,
  ]);
  expect(await house.post("/members/", { headers: multipart, body: one })).toMatchObject({ status: 200, body: "51" });
});

// How it is refused

test("what says it is too large is answered at once, before it is sent", async () => {
  await using house = await openHouse(countBody);
  const socket = house.begin("/members/", [
    `Content-Type: ${MULTIPART}`,
    `Content-Length: ${pictureForm.maxBytes + 1}`,
  ]);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer.toString()).toMatch(/\r\nconnection: close\r\n/i);
  socket.end();
  expect(house.handled).toEqual([]);
});

test("who sent the form as a page is told in a page what to do, in either scheme and without a script", async () => {
  await using house = await openHouse(countBody);
  const { headers, body } = await house.post("/members/", { headers: multipart, body: zeros(7_000_000) });
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*style-src 'sha256-/);
  expect(body).toContain("<h1>File size is too big</h1><p>A picture may have 5 MB at most. Nothing was changed.</p>");
  expect(body).toContain('<a href="/members/?account=open">Back to My Account</a>');
  expect(body).not.toContain("<script");
});

test("script is told in a sentence", async () => {
  await using house = await openHouse(countBody);
  const { headers, body } = await house.post("/members/_.data", { headers: multipart, body: zeros(7_000_000) });
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(body).toBe("File size is too big. A picture may have 5 MB at most. Nothing was changed.\n");
});

test("whoever sends far more hears the answer, and the rest is nobody's", async () => {
  await using house = await openHouse(countBody);
  const body = zeros(60_000_000);
  for (const headers of [multipart, { ...multipart, ...chunked }]) {
    expect(await house.post("/members/", { headers, body })).toMatchObject({ status: 413 });
  }
  expect(house.faults()).toEqual([]);
});

test("after an answer that came early the connection is closed, however long one goes on sending", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using house = await openHouse(countBody);
  const socket = house.begin("/members/", [`Content-Type: ${MULTIPART}`, "Content-Length: 99999999"]);
  const closed = once(
    socket.on("error", () => undefined),
    "close",
  );
  await once(socket, "data");
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

test("who says nothing more after such an answer is not waited for", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using house = await openHouse(countBody);
  const socket = house.begin("/members/", [`Content-Type: ${MULTIPART}`, "Content-Length: 99999999"]);
  const closed = once(
    socket.on("error", () => undefined),
    "close",
  );
  await once(socket, "data");
  await vi.advanceTimersByTimeAsync(4999);
  await arrive();
  expect(socket.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(socket.closed).toBe(true);
});

test("a handler that fails over half a body is no fault of the house", async () => {
  await using house = await openHouse(async (request) => new Response(await request.arrayBuffer()));
  const answer = await house.post("/members/login", { headers: chunked, body: zeros(300_000) });
  expect(answer.status).toBe(413);
  expect(house.faults()).toEqual([]);
});

test("what the handler did with half a body is not told: no cookie goes out with the refusal", async () => {
  await using house = await openHouse(async (request) => {
    await request.arrayBuffer().catch(() => undefined);
    return new Response("in", { headers: { "Set-Cookie": "a=1" } });
  });
  const answer = await house.post("/members/login", { headers: chunked, body: zeros(300_000) });
  expect(answer.status).toBe(413);
  expect(answer.headers).not.toHaveProperty("set-cookie");
  expect((await house.post("/members/login", { headers: chunked, body: zeros(3) })).status).toBe(200);
});

test("a picture that nobody reads holds nothing up, not even on its own connection", async () => {
  await using house = await openHouse(async () => new Response("no", { status: 403 }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const headers of [multipart, { ...multipart, ...chunked }, multipart]) {
    expect(await house.post("/members/", { agent, headers, body: zeros(5_000_000) })).toMatchObject({ status: 403 });
  }
  agent.destroy();
});

// How long it may take

test("a plain form has half a minute, the one with the picture three", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await using house = await openHouse(countBody);
  const length = "Content-Length: 200000";
  const plain = house.begin("/members/login", [length]);
  const picture = house.begin("/members/", [length, `Content-Type: ${MULTIPART}`]);
  const [plainClosed, pictureClosed] = [once(plain, "close"), once(picture, "close")];
  for (const socket of [plain, picture]) socket.write(zeros(1000));
  while (house.handled.length < 2) await new Promise(setImmediate);

  await vi.advanceTimersByTimeAsync(ordinaryForm.maxMs - 1);
  await arrive();
  expect(plain.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await plainClosed;
  await arrive();
  expect(picture.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(pictureForm.maxMs);
  await pictureClosed;
  expect(house.faults()).toEqual([]);
});

// How many at once

test("eight pictures are in memory at once; others wait their turn, and plain forms do not wait", async () => {
  const begun: PromiseWithResolvers<void>[] = [];
  await using house = await openHouse(async (request) => {
    const { byteLength } = await request.arrayBuffer();
    if (byteLength < 1000) return new Response("small");
    const work = Promise.withResolvers<void>();
    begun.push(work);
    await work.promise;
    return new Response(String(byteLength));
  });
  const body = zeros(1_000_000);
  const answers = Array.from({ length: 20 }, () => house.post("/members/", { headers: multipart, body }));
  while (begun.length < 8) await new Promise(setImmediate);
  expect((await house.post("/members/", { headers: multipart, body: zeros(900) })).body).toBe("small");
  expect(begun).toHaveLength(8);

  // One that is done makes room for one more.
  begun[0]?.resolve();
  while (begun.length < 9) await new Promise(setImmediate);
  for (const work of begun) work.resolve();
  while (begun.length < 16) await new Promise(setImmediate);
  for (const work of begun) work.resolve();
  while (begun.length < 20) await new Promise(setImmediate);
  for (const work of begun) work.resolve();
  expect((await Promise.all(answers)).map((answer) => answer.body)).toEqual(Array(20).fill("1000000"));
});

test("who leaves in the middle of a picture, or while waiting with one, leaves the place to others", async () => {
  await using house = await openHouse(countBody);
  const head = [`Content-Type: ${MULTIPART}`, "Content-Length: 5000000"];
  const leaving = Array.from({ length: 40 }, () => house.begin("/members/", head));
  for (const socket of leaving) socket.on("error", () => undefined).write(zeros(400_000));
  while (house.handled.length < 40) await new Promise(setImmediate);
  for (const socket of leaving) socket.destroy();
  const answer = await house.post("/members/", { headers: multipart, body: zeros(5_000_000) });
  expect(answer).toMatchObject({ status: 200, body: "5000000" });
  expect(house.faults()).toEqual([]);
});
