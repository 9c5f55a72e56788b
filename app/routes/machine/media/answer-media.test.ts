import { expect, test } from "vitest";

import { createMediaInFlight } from "../../../../server/platform/gate.ts";
import { createQuietLog } from "../../../../tests/helpers/quiet-log.ts";
import { answerMedia, parseRange, readWidth } from "./answer-media.ts";

const SIZE = 10_000;
const HUGE = "9".repeat(30);

// These include the examples of RFC 9110, section 14.1.2.
test.each([
  ["bytes=0-499", { start: 0, end: 499 }],
  ["bytes=500-999", { start: 500, end: 999 }],
  ["bytes=-500", { start: 9500, end: 9999 }],
  ["bytes=9500-", { start: 9500, end: 9999 }],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=-1", { start: 9999, end: 9999 }],
  ["bytes=0-", { start: 0, end: 9999 }],
  ["bytes=9999-9999", { start: 9999, end: 9999 }],
  ["bytes=9999-", { start: 9999, end: 9999 }],
  ["bytes=9000-10000", { start: 9000, end: 9999 }],
  ["bytes=0-9999", { start: 0, end: 9999 }],
  ["bytes=-10000", { start: 0, end: 9999 }],
  ["bytes=-10001", { start: 0, end: 9999 }],
  ["bytes=007-008", { start: 7, end: 8 }],
  [`bytes=0-${HUGE}`, { start: 0, end: 9999 }],
  [`bytes=-${HUGE}`, { start: 0, end: 9999 }],
])("%s of ten thousand bytes is a part", (header, range) => expect(parseRange(header, SIZE)).toEqual(range));

test.each(["bytes=10000-", "bytes=10000-10001", "bytes=99999-", "bytes=-0", `bytes=${HUGE}-`, "bytes=500-499"])(
  "%s of ten thousand bytes cannot be given",
  (header) => expect(parseRange(header, SIZE)).toBe("unsatisfiable"),
);

test.each([
  null,
  "",
  "bytes",
  "bytes=",
  "bytes=-",
  "bytes=--1",
  "bytes=-1-2",
  "bytes=a-b",
  "bytes=0x0-0x5",
  "bytes=1.5-2",
  "bytes=1e3-",
  "bytes=+1-2",
  "bytes=0-1x",
  "bytes=0-1\n",
  "bytes=١-٢",
  "items=0-5",
  "0-499",
  "bytes 0-499/10000",
])("the range %j means nothing: the whole file is given", (header) => expect(parseRange(header, SIZE)).toBeUndefined());

test.each(["bytes=0-0,-1", "bytes=500-600,601-999", "bytes=0-1, 3-4", `bytes=${"0-,".repeat(20)}0-`])(
  "several parts at once (%s) are answered whole",
  (header) => expect(parseRange(header, SIZE)).toBeUndefined(),
);

test.each(["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-"])("an empty file has no part %s", (header) =>
  expect(parseRange(header, 0)).toBe("unsatisfiable"),
);

test("no range reaches outside the file", () => {
  const outside: string[] = [];
  for (let size = 1; size <= 4; size += 1) {
    for (let first = 0; first <= 6; first += 1) {
      for (const header of [`bytes=${first}-`, `bytes=-${first}`, `bytes=0-${first}`, `bytes=${first}-${first + 2}`]) {
        const range = parseRange(header, size);
        const isInside =
          typeof range !== "object" || (0 <= range.start && range.start <= range.end && range.end < size);
        if (!isInside) outside.push(`${header} of ${size}`);
      }
    }
  }
  expect(outside).toEqual([]);
});

test("a width is a number of pixels, and anything else is ignored", () => {
  expect(["400", "1", "99999"].map(readWidth)).toEqual([400, 1, 99_999]);
  for (const odd of [null, "", "0", "-1", "1.5", "1e3", "100000", "04", " 4", "４"])
    expect(readWidth(odd)).toBeUndefined();
});

const bytes = new Uint8Array(100).map((_, index) => index);
const changedAt = new Date("2026-11-20T03:00:00.400Z");
const lastModified = "Fri, 20 Nov 2026 03:00:00 GMT";

/** The answer for a file of a hundred bytes. */
async function ask(
  headers: Record<string, string> = {},
  more: { changedAt?: Date | undefined; maxRangeBytes?: number } = { changedAt },
) {
  const read = async (start: number, end: number) => bytes.slice(start, end + 1);
  const media = { contentType: "video/mp4", sizeInBytes: 100, read, ...more };
  const services = { mediaInFlight: createMediaInFlight(), log: createQuietLog() };
  const request = new Request("http://here.example/media/a.mp4", { headers });
  const answer = await answerMedia(media, { request, memberId: 1, cacheControl: "private", services });
  if (answer === "busy") throw new Error("busy");
  return { status: answer.status, headers: answer.headers, length: (await answer.arrayBuffer()).byteLength };
}

const findTag = async () => (await ask()).headers.get("ETag") ?? "";

test("a file says which version it is, by a strong tag and by the second of its last change", async () => {
  const { status, headers } = await ask();
  expect(status).toBe(200);
  expect(headers.get("ETag")).toMatch(/^"[\da-z-]+"$/);
  expect(headers.get("Last-Modified")).toBe(lastModified);
  const later = await ask({}, { changedAt: new Date(changedAt.getTime() + 1) });
  expect(later.headers.get("ETag")).not.toBe(headers.get("ETag"));
});

test("a version that the browser has is a 304 without a body, by its tag first", async () => {
  const tag = await findTag();
  for (const known of [
    { "If-None-Match": tag },
    { "If-None-Match": `"other", W/${tag}` },
    { "If-None-Match": "*" },
    { "If-Modified-Since": lastModified },
    { "If-Modified-Since": "Sat, 21 Nov 2026 03:00:00 GMT" },
    { "If-None-Match": tag, "If-Modified-Since": "Thu, 19 Nov 2026 03:00:00 GMT", Range: "bytes=0-1" },
  ]) {
    const { status, headers, length } = await ask(known);
    expect([status, length], JSON.stringify(known)).toEqual([304, 0]);
    expect([headers.get("ETag"), headers.get("Cache-Control")]).toEqual([tag, "private"]);
    expect(headers.has("Content-Length")).toBe(false);
  }
  for (const unknown of [
    { "If-None-Match": '"other"' },
    { "If-None-Match": '"other"', "If-Modified-Since": lastModified },
    { "If-Modified-Since": "Thu, 19 Nov 2026 03:00:00 GMT" },
    { "If-Modified-Since": "yesterday" },
  ]) {
    expect((await ask(unknown)).status, JSON.stringify(unknown)).toBe(200);
  }
});

test("a part of another version is not mixed in: the whole comes instead, whatever an answer may carry", async () => {
  const tag = await findTag();
  const range = { Range: "bytes=10-19" };
  for (const version of [tag, lastModified]) {
    expect(await ask({ ...range, "If-Range": version })).toMatchObject({ status: 206, length: 10 });
  }
  for (const version of ['"other"', `W/${tag}`, "Thu, 19 Nov 2026 03:00:00 GMT", "Sat, 21 Nov 2026 03:00:00 GMT", ""]) {
    expect(await ask({ ...range, "If-Range": version }), version).toMatchObject({ status: 200, length: 100 });
    const large = await ask({ ...range, "If-Range": version }, { changedAt, maxRangeBytes: 20 });
    expect(large, version).toMatchObject({ status: 200, length: 100 });
  }
  expect(await ask({ "If-Range": '"other"' })).toMatchObject({ status: 200, length: 100 });
});

test("of a file whose version is not known no part is given to one who asks for a version", async () => {
  const { headers } = await ask({}, {});
  expect([headers.has("ETag"), headers.has("Last-Modified")]).toEqual([false, false]);
  expect(await ask({ Range: "bytes=0-1", "If-Range": '"any"' }, {})).toMatchObject({ status: 200 });
  expect(await ask({ "If-Modified-Since": lastModified, "If-None-Match": '"any"' }, {})).toMatchObject({ status: 200 });
});

test.each([
  ["bytes=200-", 416, "bytes */100"],
  ["bytes=-0", 416, "bytes */100"],
  ["bytes=90-500", 206, "bytes 90-99/100"],
  ["bytes=-5", 206, "bytes 95-99/100"],
  ["bytes=0-0,-1", 200, null],
])("%s of a hundred bytes is a %i", async (range, status, contentRange) => {
  const answer = await ask({ Range: range });
  expect([answer.status, answer.headers.get("Content-Range")]).toEqual([status, contentRange]);
});
