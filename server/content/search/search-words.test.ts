import * as fc from "fast-check";
import { expect, test } from "vitest";

import { cleanTerm, listWords, toStem, type Word } from "./search-words.ts";
import { toBeginning } from "./word-bounds.ts";

const listTexts = (text: string) => listWords(text).map((word) => word.text);

test.each([
  ["apnoea", "apnea"],
  ["diarrhoea", "diarrhea"],
  ["oestrogen", "estrogen"],
  ["colour", "color"],
  ["behaviour", "behavior"],
  ["programme", "program"],
  ["recognise", "recognize"],
  ["analysing", "analyzing"],
  ["centre", "center"],
  ["anaemia", "anemia"],
  ["paediatric", "pediatric"],
  ["ageing", "aging"],
  ["pyjamas", "pajamas"],
  ["licence", "license"],
  ["can’t", "can't"],
  ["can't", "cannot"],
  ["cant", "cannot"],
  ["can not", "cannot"],
  ["jet lag", "jetlag"],
  ["jet-lag", "jetlag"],
  ["Café", "cafe"],
  ["CAFE\u0301", "café"],
  ["partner’s", "partner"],
])("%s and %s are one word", (one, other) => {
  expect(listTexts(one)).toEqual(listTexts(other));
  expect(listTexts(one)).toHaveLength(1);
});

test("a word knows where it stands", () => {
  const text = "Jet lag & the “Café”: can’t sleep?";
  expect(listWords(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    "Jet lag",
    "the",
    "Café",
    "can’t",
    "sleep",
  ]);
});

test.each([
  ["  Menopause ", "menopause"],
  ["can’t “sleep”", `can't "sleep"`],
  ["Crème\u0000brûlée\u202e", "creme brulee"],
  ["a\n\tb", "a b"],
  ["\ud800", ""],
  ["\u0000 \u200b", ""],
  ["x".repeat(65), "x".repeat(64)],
  ["🌙".repeat(65), "🌙".repeat(64)],
  [`${" ".repeat(500)}nap`, "nap"],
  [`${"x".repeat(63)} y`, "x".repeat(63)],
])("the term %j is cleaned to %j", (term, cleaned) => {
  expect(cleanTerm(term)).toBe(cleaned);
});

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
  expect(new Set(words.split(" ").map(toStem)).size).toBe(1);
});

test.each(["wine win", "pill pile", "even evening", "bed need", "bus gas", "this his", "sleep sleepless", "hot hotel"])(
  "these are two: %s",
  (words) => {
    expect(new Set(words.split(" ").map(toStem)).size).toBe(2);
  },
);

test("what is no English word is left alone", () => {
  for (const word of ["", "a", "gp", "3am", "schlaf1", "日本語", "ing", "zzz"]) expect(toStem(word)).toBe(word);
});

const letters = Array.from("abzAPm.019 _-\n\u00a0’'`´‘“”…–é×ßµ½ªſŁ").concat([
  "a.m",
  " p.m",
  "3",
  "can not",
  "jet lag",
  " o’clock",
]);

test("a text in plain letters has the words that any other text has", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 14 }), (parts) => {
      const text = parts.join("");
      // A picture is no part of a word, and makes a text one for the pattern.
      expect(listWords(text)).toEqual(listWords(`${text} 🌙`));
    }),
    { numRuns: 3000 },
  );
});

test("of a text of which only some words are wanted these are all there", () => {
  const wanted = ["am", "no", "jet", "can", "3", "A", "b"]
    .map((word) => toBeginning(word, 0, word.length))
    .reduce((sum, each) => sum | each);
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 14 }), (parts) => {
      const text = parts.join("");
      const isWanted = ({ start, end }: Word) => (toBeginning(text, start, end) & ~wanted) === 0;
      const [all, some] = [listWords(text), listWords(text, wanted)];
      const bare = ({ text: folded, start, end }: Word) => ({ folded, start, end });
      expect(some.filter(isWanted).map(bare)).toEqual(all.filter(isWanted).map(bare));
    }),
    { numRuns: 3000 },
  );
});
