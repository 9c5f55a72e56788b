import { expect, test } from "vitest";

import { cleanTerm, listWords } from "./search-words.ts";

const wordsOf = (text: string) => listWords(text).map((word) => word.text);

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
  expect(wordsOf(one)).toEqual(wordsOf(other));
  expect(wordsOf(one)).toHaveLength(1);
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
