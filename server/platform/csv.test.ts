import { expect, test } from "vitest";

import { toCsv } from "./csv.ts";

test("quotes what a reader would take apart, and nothing else (RFC 4180)", () => {
  expect(toCsv([["a", 'b "c"', "d,e", "f\r\ng", " h", ""]])).toBe('\uFEFFa,"b ""c""","d,e","f\r\ng"," h",\r\n');
});

test.each([
  "=1+1",
  "+44",
  "-2",
  "@SUM(A1)",
  "\t=1",
  "\r=1",
  "|cmd",
  "%0",
  "＝1",
  "＋1",
  "－1",
  "＠x",
  "\u200B=1",
  " =1",
])("%j is no formula", (text) => {
  const cell = toCsv([[text]]).slice(1, -2);
  const shown = cell.startsWith('"') ? cell.slice(1, -1) : cell;
  expect(shown).toBe(`'${text}`);
});
