import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { toPasswordText } from "../../platform/text.ts";
import type { PasswordOwner } from "./passwords.ts";

// The real cost: the set-up of tests imports a cheap copy.
vi.resetModules();
const { checkPassword, hashPassword, verifyPassword } = await import("./passwords.ts");

test("a password is right only as it was chosen", async () => {
  const hash = await hashPassword("sleep well 🌙 tonight");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword("sleep well 🌙 tonight", hash)).toBe(true);
  expect(await verifyPassword("sleep well 🌙 tonight ", hash)).toBe(false);
  expect(await verifyPassword("Sleep well 🌙 tonight", hash)).toBe(false);
});

test.each([
  ["letters that come apart", "schläfer-in-der-nacht".normalize("NFC"), "schläfer-in-der-nacht".normalize("NFD")],
  ["the no-break space of a Mac", "sleep well tonight", "sleep\u00a0well tonight"],
  ["a soft hyphen and a zero-width space from a page", "sleep-well-tonight", "sleep-\u00adwell\u200b-tonight\ufeff"],
])("a password with %s is the same on every device", async (_, one, other) => {
  expect(other).not.toBe(one);
  expect(await verifyPassword(other, await hashPassword(one))).toBe(true);
  expect(await verifyPassword(one, await hashPassword(other))).toBe(true);
});

// Hashed as typed: NFC and NFD of the first one, and a no-break space in the second.
test.each([
  [
    "schläfer-in-der-nacht",
    "$argon2id$v=19$m=19456,t=2,p=1$QeW5nysCZuDV0YrjxuISWA$580cOpTdIY/DDGWaRBW5cDnpfdWdefESdT9d77wBCbM",
  ],
  [
    "schläfer-in-der-nacht",
    "$argon2id$v=19$m=19456,t=2,p=1$wO5adlruuAxfXQlsFZ+1Fw$4PWpK++h6oOuZb7lyPAEg/iFqNZfde6zTfwqAJZHoPU",
  ],
  [
    "sleep\u00a0well-tonight",
    "$argon2id$v=19$m=19456,t=2,p=1$vfQ827Rm99gRNHlOucYwGg$oozZuzxEXxdWCgM6mZ4QIQHMFgCOA50c/8qktcyNxGA",
  ],
])("%j opens the hash that was made before passwords were cleaned", async (password, hash) => {
  expect(await verifyPassword(password.normalize("NFC"), hash)).toBe(true);
  expect(await verifyPassword(password.normalize("NFD"), hash)).toBe(true);
  expect(await verifyPassword(`${password}!`, hash)).toBe(false);
});

test("two long passwords that differ only in their last letter are different", async () => {
  const hash = await hashPassword(`${"a".repeat(100)}b`);
  expect(await verifyPassword(`${"a".repeat(100)}c`, hash)).toBe(false);
  expect(await hashPassword(`${"a".repeat(100)}b`), "each hash has a salt of its own").not.toBe(hash);
});

test("without a hash no password is right, and an unreadable hash throws", async () => {
  expect(await verifyPassword("anything", undefined)).toBe(false);
  await expect(verifyPassword("x", "$2b$10$abcdef")).rejects.toThrow("cannot be read");
});

const list = (texts: string) => texts.split("|");
const ada: PasswordOwner = { productName: "Dormouse", email: "ada.lovell@post.example", names: ["Ada", "Lovell"] };

test.each([
  ...list("sleep-well-tonight|correct horse battery staple|        x |Schlaf gut, kleiner Bär|молоко и мёд"),
  ...list("🌙🦔🛏️🌧️🍵🕯️🧸🐁|dormouse in a teapot|ada likes dormice|lovellyness-9|k7#Qz!m2"),
  ...list("\u0000\u0001 sleepy \n tab\t"),
])("%j may be a password", (password) => expect(checkPassword(password, ada)).toBeUndefined());

describe("lengths", () => {
  test.each(["\u200b".repeat(8), "a\u0308o\u0308u\u0308k7", "", "a", "sleep-w", "1234567", "k7Qzm", "🌙🦔🌧🍵🕯🧸🐁"])(
    "%j is short",
    (password) => expect(checkPassword(password, ada)).toBe("short"),
  );

  test.each(["🌙🦔🌧🍵🕯🧸🐁🐘", "  k7Qzm "])("%j is not: characters are counted, those at the edges too", (password) =>
    expect(checkPassword(password, ada)).toBeUndefined(),
  );

  test("1,024 units are enough, 1,025 are too many", () => {
    const long = "sleep well ".repeat(100);
    expect(checkPassword(`x7${long}`.slice(0, 1024), ada)).toBeUndefined();
    expect(checkPassword(`x7${long}`.slice(0, 1025), ada)).toBe("long");
    expect(checkPassword("a".repeat(1_000_000), ada)).toBe("long");
  });
});

describe("common ones", () => {
  test.each(list("password|PASSWORD|Password1|passw0rd|iloveyou|qwertyui|Qwerty123|letmein1|trustno1"))(
    "everybody guesses %s",
    (password) => expect(checkPassword(password, ada)).toBe("common"),
  );

  test.each([
    ...list(
      "aaaaaaaa|        |••••••••|🌙🌙🌙🌙🌙🌙🌙🌙|abababab|ABababAB|1212121212|abcabcabca|4711471147|sleepsleep",
    ),
    ...list("12345678|87654321|abcdefgh|ABCDEFGH|hgfedcba|abcd1234|123abc321|aaaabbbb|11112222"),
  ])("%s is a pattern", (password) => expect(checkPassword(password, ada)).toBe("common"));

  test.each(["12121213", "abcdefgz", "abcabcxy", "k1k2k3k4", "ab-cd-ef"])("%s is no such pattern", (password) =>
    expect(checkPassword(password, ada)).toBeUndefined(),
  );
});

describe("one's own words", () => {
  test.each([
    ...list("Dormouse|dormouse|Dormouse2026!|2026-DORMOUSE-2026|d.o.r.m.o.u.s.e|dormousedormouse|ada.lovell"),
    ...list("ada.lovell1|AdaLovell!!|lovell, ada|Lovell1985|ada-12345678|Dormouse Ada 1|ÁdaLovéll1|ａｄａlovell"),
  ])("%s is guessed by who knows Ada", (password) => expect(checkPassword(password, ada)).toBe("common"));

  test("the address counts with and without its tag", () => {
    const owner = { ...ada, email: "night.owl+sleep@post.example" };
    expect(checkPassword("NightOwl2026", owner)).toBe("common");
    expect(checkPassword("nightowlsleep", owner)).toBe("common");
    expect(checkPassword("post.example1", owner)).toBeUndefined();
  });

  test("parts of a double name count", () => {
    const owner = { ...ada, names: ["Mary-Jane", "O'Neill Smith"] };
    for (const password of ["maryjane1", "Jane-Smith-99", "oneill1234"]) {
      expect(checkPassword(password, owner), password).toBe("common");
    }
  });

  test("names in letters other than ours count", () => {
    const owner = { ...ada, names: ["Анна", "李明"] };
    expect(checkPassword("Анна1985!", owner)).toBe("common");
    expect(checkPassword("李明12345678", owner)).toBe("common");
  });

  test("empty and one-letter details refuse nothing", () => {
    const nobody = { productName: "", email: "", names: ["", " ", "X"] };
    expect(checkPassword("94720385", nobody)).toBeUndefined();
    expect(checkPassword("!?!-7719", nobody)).toBeUndefined();
    expect(checkPassword("X94720385", nobody)).toBeUndefined();
  });

  test("a long password of tricky letters is let through", () => {
    const owner = { ...ada, names: ["aa", "aaa", "aaaa", "a".repeat(80)] };
    expect(checkPassword(`${"a".repeat(1023)}b`, owner)).toBeUndefined();
  });
});

test("whatever is typed gets an answer, and what is refused as common stays so in capitals", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
      const refusal = checkPassword(text, ada);
      if (Array.from(toPasswordText(text)).length < 8) expect(refusal).toBe("short");
      else expect([undefined, "common"]).toContain(refusal);
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom("password", "dormouse", "abcdefgh", "sunshine1"), fc.nat(), (text, seed) => {
      const mixed = Array.from(text, (letter, place) => ((seed >> place) & 1 ? letter.toUpperCase() : letter)).join("");
      expect(checkPassword(mixed, ada)).toBe("common");
    }),
  );
});
