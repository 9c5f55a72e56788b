import { expect, test } from "vitest";

import { cutCharacters, cutWords } from "./excerpt.ts";

test("short texts stay whole", () => {
  expect(cutWords("one two three", 3)).toBe("one two three");
  expect(cutCharacters("exactly ten", 11)).toBe("exactly ten");
});

test("words are counted, and a comma before the cut goes", () => {
  expect(cutWords("one, two, three, four", 2)).toBe("one, two…");
});

test("a cut falls between words where it can, else inside one", () => {
  expect(cutCharacters("the quick brown fox jumps", 17)).toBe("the quick brown…");
  expect(cutCharacters("a".repeat(30), 10)).toBe(`${"a".repeat(10)}…`);
});

test("a moon is never cut in half", () => {
  expect(cutCharacters("🌙🌙🌙🌙", 2)).toBe("🌙🌙…");
});
