import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { makeCode, tidyCode, toCodeKey } from "./code-text.ts";

describe("what is compared of a code", () => {
  test.each([
    ["in small letters", "dormouse-demo"],
    ["with spaces around it", "  DORMOUSE-DEMO\n"],
    ["with spaces in it", "Dormouse - Demo"],
    ["with the long dash of a phone", "DORMOUSE–DEMO"],
    ["with the hyphen of a word processor", "DORMOUSE\u2011DEMO"],
    ["with the invisible characters of a mail", "\u200BDORMOUSE\u00AD-\uFEFFDEMO\u0000"],
    ["in full-width letters", "ＤＯＲＭＯＵＳＥ－ＤＥＭＯ"],
  ])("is the same %s", (_, typed) => {
    expect(toCodeKey(typed)).toBe("DORMOUSE-DEMO");
  });

  test.each(["", " ", "AB", "-DORMOUSE", "DORMOUSE-", "DORMOUSE_ONE", "DÖRMOUSE", "A".repeat(41), "A ".repeat(10_000)])(
    "%j can be no code",
    (typed) => {
      expect(toCodeKey(typed)).toBeUndefined();
    },
  );

  test("whatever is typed, the same key comes of the tidied code, in any case", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), (typed) => {
        const key = toCodeKey(typed);
        if (key === undefined) return;
        expect(toCodeKey(tidyCode(typed))).toBe(key);
        expect(toCodeKey(key.toLowerCase())).toBe(key);
        expect(key).toMatch(/^[A-Z0-9-]{4,40}$/);
      }),
    );
  });
});

describe("a made-up code", () => {
  test("bears the product's name and two groups that can be read out", () => {
    for (let count = 0; count < 200; count += 1) {
      expect(makeCode("Dormouse")).toMatch(/^DORMOUSE-[34679CDFGHJKMNPQRTVWXY]{4}-[34679CDFGHJKMNPQRTVWXY]{4}$/);
    }
  });

  test("never comes twice in ten thousand", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => makeCode("D"))).size).toBe(10_000);
  });

  test.each(["Sleep & Co.", "睡鼠", "", "A very long name of a product that would not fit"])(
    "can be a code for a product called %j",
    (name) => {
      const code = makeCode(name);
      expect(toCodeKey(code)).toBe(code);
    },
  );
});
