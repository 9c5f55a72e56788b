import { expect, test } from "vitest";

import { toBytes } from "./page-bytes.ts";

test.each([
  [["<p>", "plain", "</p>"], "<p>plain</p>"],
  [["Dormouse’s ", "lamp … 🌙"], "Dormouse’s lamp … 🌙"],
  [["half a \ud83c", " moon"], "half a \ufffd moon"],
  [[], ""],
])("the bytes of %j are those of its text", (texts, text) => {
  expect(Buffer.from(toBytes(texts)).toString()).toBe(text);
});
