import { expect, test } from "vitest";

import { escapeHtml, greet, oneLine, shortName, wrap } from "./layout.ts";

test.each([
  ["ada", "Hello Ada,"],
  ["McDonald", "Hello McDonald,"],
  ["  Zoë  ", "Hello Zoë,"],
  ["Mary Ann", "Hello Mary Ann,"],
  ["St. John", "Hello St. John,"],
  ["J.", "Hello J.,"],
  ["夜子", "Hello 夜子,"],
  ["", "Hello,"],
  [" \r\n\0", "Hello,"],
])("%j is greeted with %j", (name, greeting) => expect(greet(name)).toBe(greeting));

test.each([
  "win at evil.example",
  "https://evil.example",
  "evil.example/now",
  "WWW.evil",
  "a@evil.example",
  "пример.рф",
  "1.2.3.44",
  "x\r\nevil.example",
])("the name %j adds no link to an email", (name) => expect(greet(name)).toBe("Hello,"));

test("a name is cut at eighty whole characters", () => {
  expect(Array.from(shortName("\u{1f319}".repeat(200)))).toHaveLength(80);
  expect(greet("a".repeat(500))).toHaveLength("Hello ,".length + 80);
});

test("typed text is on one line and cannot reverse the writing direction", () => {
  expect(oneLine("a\r\nb\tc\0d\u2028e\u202ef \u2066g  h")).toBe("a b c d e f g h");
});

test("lines end before the 77th character, between words where that is possible", () => {
  const text = `${"short words ".repeat(30)}${"x".repeat(200)} the end`;
  const wrapped = wrap(text);
  expect(Math.max(...wrapped.split("\n").map((line) => line.length))).toBe(76);
  expect(wrapped.replaceAll("\n", "").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  expect(wrap(`${"a".repeat(70)} ${"b".repeat(5)}`)).toBe(`${"a".repeat(70)} bbbbb`);
  expect(wrap(`${"a".repeat(70)} ${"b".repeat(6)}`)).toBe(`${"a".repeat(70)}\nbbbbbb`);
});

test("addresses are never broken", () => {
  const email = `${"a".repeat(90)}@dormouse.example`;
  expect(wrap(`Write to ${email} now`)).toBe(`Write to\n${email}\nnow`);
});

test("HTML is escaped", () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;`)).toBe("&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;amp;");
});
