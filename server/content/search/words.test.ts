import * as fc from "fast-check";
import { expect, test } from "vitest";

import { toStem } from "./stems.ts";
import { cleanTerm, listWords, toBeginning, type Word } from "./words.ts";

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

const characters = Array.from("abzAPm.019 _-\n\u00a0’'`´‘“”…–é×ßµ½ªſŁ🌙𝒜\u0301\u00ad");
const toText = (parts: string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 14 }).map((each) => each.join(""));

/** A soft hyphen and the like are within a word. */
const wordPattern =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]*(?:['’ʼ‘`´][\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]+)*/gu;

test("words are letters and digits with what belongs to them", () => {
  fc.assert(
    fc.property(toText(characters), (text) => {
      const written = listWords(text).map(({ start, end }) => text.slice(start, end));
      expect(written).toEqual(text.match(wordPattern) ?? []);
    }),
    { numRuns: 3000 },
  );
});

test("of a text of which only some words are wanted these are all there", () => {
  const wanted = ["a", "jet", "can"].map((word) => toBeginning(word)).reduce((all, each) => all | each);
  fc.assert(
    fc.property(toText([...characters, "can", "not", "jet lag"]), (text) => {
      const isWanted = ({ start, end }: Word) => (toBeginning(text, start, end) & ~wanted) === 0;
      expect(listWords(text, wanted).filter(isWanted)).toEqual(listWords(text).filter(isWanted));
    }),
    { numRuns: 3000 },
  );
});
