import { expect, test } from "vitest";

import { parseRange, readWidth } from "./answer-media.ts";

const SIZE = 10_000;
const HUGE = "9".repeat(30);

// The examples of RFC 9110, section 14.1.2, are among them.
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
