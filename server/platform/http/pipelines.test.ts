import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

import { openHttpApp } from "../../../tests/helpers/http-app.ts";

const ask = (path: string) => `GET /members/${path} HTTP/1.1\r\nHost: here.example\r\n\r\n`;

/** More than the kernel takes from a sender whose reader does not read. */
const ENDLESS = 64 * 1024 * 1024;

function createStream(sizeInBytes: number, onRead: () => void): ReadableStream<Uint8Array> {
  const chunk = new Uint8Array(65_536);
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        onRead();
        controller.enqueue(chunk);
        sent += chunk.byteLength;
        if (sent >= sizeInBytes) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

test("a pipelined request is not started while the answer before it is unread", async () => {
  let chunks = 0;
  await using app = await openHttpApp(
    async () =>
      new Response(
        createStream(ENDLESS, () => (chunks += 1)),
        { headers: { "Content-Type": "video/mp4", "Content-Length": String(ENDLESS) } },
      ),
  );
  const socket = connect(app.port, "127.0.0.1");
  socket.write(ask("1").repeat(8));
  await new Promise((resolve) => socket.once("readable", resolve));
  for (let round = 0; round < 5; round += 1) await app.ask({ path: "/nothing" });
  expect(app.handled).toHaveLength(1);
  expect(chunks * 65_536).toBeLessThan(ENDLESS);
  socket.destroy();
});

test("a connection with more than sixteen pipelined requests is closed, and the waiting ones are not started", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using app = await openHttpApp(async () => {
    await held;
    return new Response("late");
  });
  const socket = connect(app.port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(ask("1").repeat(100));
  await new Promise((resolve) => socket.once("close", resolve));
  release();
  expect((await app.ask()).status).toBe(200);
  expect(app.handled).toHaveLength(2);
});

test("a stream that breaks off closes its connection, and nothing else", async () => {
  let chunks = 0;
  await using app = await openHttpApp(async () => {
    const body = createStream(ENDLESS, () => {
      if (chunks++ === 1) throw new Error("the disk is gone");
    });
    return new Response(body, { headers: { "Content-Type": "video/mp4", "Content-Length": String(ENDLESS) } });
  });
  const socket = connect(app.port, "127.0.0.1");
  socket.write(ask("1"));
  expect((await text(socket)).length).toBeLessThan(ENDLESS);
  expect((await app.ask({ path: "/nothing" })).status).toBe(404);
});

test.each(["HEAD", "GET"])("a stream answers %s with its length", async (method) => {
  let chunks = 0;
  await using app = await openHttpApp(
    async () =>
      new Response(
        createStream(131_072, () => (chunks += 1)),
        { headers: { "Content-Type": "video/mp4", "Content-Length": "131072" } },
      ),
  );
  const { headers, body } = await app.ask({ method });
  expect(headers).toMatchObject({ "content-type": "video/mp4", "content-length": "131072" });
  expect([body.byteLength, chunks]).toEqual(method === "GET" ? [131_072, 2] : [0, 0]);
});

test.each([
  ["1.1", "transfer-encoding: chunked", "\r\n0\r\n\r\n"],
  ["1.0", "connection: close", "\0"],
])("a stream without a length is sent as it is read, also by HTTP/%s", async (version, header, end) => {
  let chunks = 0;
  let isBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (isBegun = resolve));
  await using app = await openHttpApp(async () => {
    const body = createStream(131_072, () => (chunks += 1));
    isBegun();
    return new Response(body, { headers: { "Content-Type": "text/csv", "Transfer-Encoding": "chunked" } });
  });
  const heard = app.send(
    `GET /members/ HTTP/${version}`,
    "Host: x",
    "Connection: close",
    "Accept-Encoding: gzip",
    "",
    "",
  );
  await begun;
  const answer = await heard;
  const [head = ""] = answer.split("\r\n\r\n");
  expect(head.toLowerCase()).toContain(header);
  expect(head.toLowerCase()).not.toMatch(/content-length|content-encoding/);
  expect(answer.endsWith(end), answer.slice(-20)).toBe(true);
  expect([chunks, answer.length > 131_072]).toEqual([2, true]);
});
