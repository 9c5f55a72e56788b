import * as fc from "fast-check";

import { garbage } from "../helpers/garbage.ts";

const injections = [
  "' or '1'='1",
  '"; drop table members; --',
  "%' union select email, password_hash from members --",
  "1; attach database '/tmp/x' as y",
  "<svg/onload=alert(1)>",
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  "{{constructor.constructor('alert(1)')()}}",
  "$(reboot)`id`|id",
  "(a+)+$",
  "a".repeat(80) + "!",
  "*".repeat(60) + "%_[]",
  "constructor",
  "hasOwnProperty",
  "toString",
  "//evil.example/",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example/",
  "http://127.0.0.1:9/",
  "file:///etc/passwd",
  "..%2f..%2f..%2fetc%2fpasswd",
  "....//....//.env",
  ".git/config",
  "%2e%2e%5c",
  "a\r\nX-Injected: yes",
  "a@b.example\nBcc: c@d.example",
  "0",
  "-0",
  "00000001",
  "9007199254740993",
  "1e5",
  "0x10",
  "２",
  "true",
  "null",
  "undefined",
  "[]",
  '{"$ne":null}',
  "2026-02-30T25:61:61Z",
  "\u2028\u2029\ufeff\u200b",
  "𝕬𝖉𝖆",
  "i̇İıI ſS",
];

const short = [...garbage, ...injections].filter((text) => text.length < 2000);
const long = garbage.filter((text) => text.length >= 2000);

/** Long ones are rare, because a hundred prove no more than ten. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...short) },
  { weight: 20, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 10, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 10, arbitrary: fc.integer().map(String) },
  { weight: 5, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(...long) },
);

/** Names of fields that a form does not have. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "intent", "id", "role", "memberId", "price", ""),
  fc.constantFrom("hasActiveSubscription", "__proto__.isAdmin", "a[b][c]", "a[99999999]", "a[]", "_method", "csrf"),
  fc.string({ unit: "binary", maxLength: 12 }),
);

/** Text, broken UTF-8, nothing, or much. */
export const hostileBytes: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  { weight: 60, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)) },
  { weight: 40, arbitrary: hostileText.map((text) => new TextEncoder().encode(text)) },
  { weight: 20, arbitrary: fc.constant(new Uint8Array(0)) },
  {
    weight: 10,
    arbitrary: fc.constantFrom("[", "{", '{"a":', "\ufeff{}").map((text) => new TextEncoder().encode(text.repeat(50))),
  },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(250_000).fill(0x5b)) },
);

export const contentType: fc.Arbitrary<string> = fc.constantFrom(
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-16",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"x".repeat(300)}`,
  "application/json",
  "application/json; charset=latin1",
  "text/plain",
  "text/xml",
  "image/png",
  "application/octet-stream",
  "nonsense",
  "",
);

/** Any shape, with some names that the product knows. */
export function hostileJson(names: string[]): fc.Arbitrary<unknown> {
  const key = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: hostileName });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 4, arbitrary: hostileText },
      { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null)) },
      { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
      { weight: 2, arbitrary: fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(toObject) },
    ),
  }));
  return value;
}

/** As in JSON, `__proto__` is a name like any other. */
function toObject(entries: [string, unknown][]): unknown {
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join(",")}}`,
  );
}

/** With characters removed, doubled or replaced. */
export function anyMutation(text: string): fc.Arbitrary<string> {
  const at = fc.nat(Math.max(0, text.length - 1));
  return fc.oneof(
    at.map((place) => text.slice(0, place)),
    fc.tuple(at, hostileText).map(([place, other]) => text.slice(0, place) + other + text.slice(place)),
    fc
      .tuple(at, fc.constantFrom("A", "0", "-", "\0", "é"))
      .map(([place, sign]) => text.slice(0, place) + sign + text.slice(place + 1)),
    fc.constant(text + text),
  );
}

/** A header has one line of Latin-1. */
export function toHeaderText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "?").trim();
}
