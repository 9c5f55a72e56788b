import { expect, test } from "vitest";

import { stemOf } from "./search-words.ts";

test.each([
  "sleep sleeps sleeping slept asleep",
  "wake wakes waking woke woken awake",
  "snore snores snoring snored snorer",
  "nap naps napping napped",
  "baby babies",
  "dry dries dried drying",
  "breath breathe breathing breathes breaths",
  "worry worries worried worrying",
  "flush flushes flushing",
  "travel travels travelling traveling",
  "sleepy sleepiness",
  "menopause menopausal",
  "child children",
  "medicine medicines medication",
  "relax relaxing relaxation",
  "age aging aged",
])("these are one: %s", (words) => {
  expect(new Set(words.split(" ").map(stemOf)).size).toBe(1);
});

test.each(["wine win", "pill pile", "even evening", "bed need", "bus gas", "this his", "sleep sleepless", "hot hotel"])(
  "these are two: %s",
  (words) => {
    expect(new Set(words.split(" ").map(stemOf)).size).toBe(2);
  },
);

test("what is no English word is left alone", () => {
  for (const word of ["", "a", "gp", "3am", "schlaf1", "日本語", "ing", "zzz"]) expect(stemOf(word)).toBe(word);
});
