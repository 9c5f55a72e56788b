import * as fc from "fast-check";
import { expect, test } from "vitest";

import { toBytes } from "./page-bytes.ts";

test("texts become the bytes that Buffer makes of them, whatever characters they have", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const halves = fc.constantFrom("\ud83c", "\udf19", "moon \ud83c", "’", "…");
  fc.assert(
    fc.property(fc.array(fc.oneof(text, halves)), (texts) => {
      expect(Buffer.from(toBytes(texts)).equals(Buffer.from(texts.join("")))).toBe(true);
    }),
  );
});

test("a page longer than the buffer becomes the same bytes, and so does the next one", () => {
  const long = "A long night … ".repeat(200_000);
  expect(Buffer.from(toBytes([long, "end"])).equals(Buffer.from(`${long}end`))).toBe(true);
  expect(Buffer.from(toBytes(["short"])).toString()).toBe("short");
});
