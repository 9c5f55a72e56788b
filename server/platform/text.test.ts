import * as fc from "fast-check";
import { expect, test } from "vitest";

import { cleanText, tidyCode, tidyDigits, toPasswordText, toTextKey } from "./text.ts";

const invisible = "\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u202e\u2060\u2066\u3164\ufeff\uffa0\ufffb";
const spaces = "\u00a0\u2000\u2007\u202f\u205f\u3000\u2800";

test.each(Array.from(invisible, (sign) => [sign.codePointAt(0)?.toString(16), sign]))(
  "U+%s within a word and around it makes no difference",
  (_, sign) => {
    expect(cleanText(`${sign}no${sign}cturia${sign}`)).toBe("nocturia");
    expect(toTextKey(`no${sign}cturia`)).toBe(toTextKey("nocturia"));
    expect(toPasswordText(`sleep${sign}-well`)).toBe("sleep-well");
    expect(tidyCode(`DORMOUSE${sign}-DEMO`)).toBe("DORMOUSE-DEMO");
    expect(cleanText(sign)).toBe("");
  },
);

test.each(Array.from(spaces, (sign) => [sign.codePointAt(0)?.toString(16), sign]))("U+%s is a space", (_, sign) => {
  expect(cleanText(`${sign}jet${sign}lag${sign}`)).toBe("jet lag");
  expect(toTextKey(`jet${sign}lag`)).toBe("jet lag");
  expect(toPasswordText(`jet${sign}lag`)).toBe("jet lag");
  expect(tidyDigits(`123${sign}456`)).toBe("123456");
});

test.each([
  ["an accent that is a code point of its own", "Zoë".normalize("NFC"), "Zoë".normalize("NFD")],
  ["capitals", "SNORING", "snoring"],
  ["a ligature", "hot \ufb02ushes", "hot flushes"],
  ["full-width letters", "ｓｎｏｒｉｎｇ", "snoring"],
  ["a joiner", "sno\u200dring", "snoring"],
])("texts that differ in %s have one key", (_, one, other) => expect(toTextKey(one)).toBe(toTextKey(other)));

test.each([
  "می\u200cخواهم",
  "👩\u200d👧",
  "❤️",
  "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
  "two\nlines",
])("%j looks the same after it was cleaned", (text) => expect(cleanText(text)).toBe(text));

test.each(["", " \t\n", "\u200d\u200c", "\ufe0f", "\u0000\ud800"])("%j shows nothing", (text) => {
  expect(cleanText(text)).toBe("");
  expect(toTextKey(text)).toBe("");
});

test("cleaning a clean text changes nothing, and neither does taking a key of a key", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      for (const clean of [cleanText, toPasswordText, tidyCode]) expect(clean(clean(text))).toBe(clean(text));
      expect(toTextKey(toTextKey(text))).toBe(toTextKey(text));
      expect(toTextKey(text.normalize("NFD"))).toBe(toTextKey(text));
    }),
  );
});
