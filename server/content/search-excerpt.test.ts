import { describe, expect, test } from "vitest";

import { openSearchApp, pageOf, textOf, tiles } from "../../tests/helpers/search-app.ts";
import { itemKinds } from "./kinds.ts";
import { topics } from "./suggestions.ts";
import { listBlocks } from "./transcript.ts";

const { expectCut, find, itemOf } = await openSearchApp();

describe("excerpts", () => {
  test("what is in the title is quoted from the beginning", () => {
    const { byKind, toResult } = find("snoring");
    const [hit] = byKind.watch;
    const { excerpt, anchor, title } = toResult(hit ?? { kind: "watch", id: 0, tier: "text", place: -1 });
    expect(title).toBe("Snoring and the way you lie");
    expect(anchor).toBeUndefined();
    expect(excerpt[0]).toEqual({ text: "Snoring", isHit: true });
    expect(itemOf({ kind: "watch", id: 2007 }).lead.startsWith(textOf(excerpt).slice(0, -1))).toBe(true);
  });

  test("what is late in a body is quoted from there", () => {
    const [found] = pageOf(find("thermostat"));
    expect(textOf(found?.result.excerpt ?? [])).toMatch(/^….*thermostat.*$/i);
    expect(found?.result.anchor).toBeUndefined();
  });

  test("what is only said is quoted from the transcript, with the paragraph to go to", () => {
    const [found] = pageOf(find("hoover"));
    const { transcriptHtml = "" } = itemOf({ kind: "watch", id: 2012 });
    expect(found?.result.anchor).toBe("transcript-10");
    expect(listBlocks(transcriptHtml).find(({ id }) => id === "transcript-10")?.text).toMatch(/hoover/);
    expect(found?.result.excerpt.filter(({ isHit }) => isHit)).toEqual([
      { text: expect.stringMatching(/^hoover/i), isHit: true },
    ]);
  });

  test.each([...tiles, "doctor", "kids", "hot flash", "snorring", "aponea", "colour", "toilet", "gasp", "sleep apnea"])(
    "an excerpt for “%s” is a cut of the text, no longer than it may be",
    (term) => {
      const page = pageOf(find(term));
      expect(page.length).toBeGreaterThan(0);
      for (const { result } of page) expectCut(result);
    },
  );

  /** A word, its forms and its synonyms; and what the last word of the term is the beginning of. */
  const families: Record<string, RegExp> = {
    "can't sleep": /^(?:can[’']t|cannot|can not|insomnia|sleep.*|slept|asleep)$/i,
    "hot flash": /^(?:hot|flash(?:es)?|flush(?:es)?)$/i,
    kids: /^(?:kids?|child(?:ren)?|toddlers?)(?:['’]s)?$/i,
    snorring: /^snor(?:es?|ing|ed|ers?)$/i,
    "sleep apnea": /^(?:sleep(?:s|ing|ers?)?|slept|asleep|apno?ea)$/i,
  };

  test.each(Object.entries(families))("what is marked for “%s” is it, or means it", (term, family) => {
    const marked = pageOf(find(term)).flatMap(({ result }) => result.excerpt.filter(({ isHit }) => isHit));
    expect(marked.length).toBeGreaterThan(0);
    for (const { text } of marked) expect(text).toMatch(family);
  });
});

const nasty = [
  "(a+)+$",
  ".*",
  "[",
  "\\",
  "' OR 1=1 --",
  "; DROP TABLE members;",
  "<script>alert(1)</script>",
  "<b>sleep</b>",
  "&lt;sleep&gt;",
  "\ud800",
  "sleep\udc00",
  "\0",
  "sleep\0night",
  "نوم جيد",
  "\u202esleep\u202c",
  "🌙",
  "👩‍👩‍👧‍👦 family",
  "   ",
  "\n\t",
  "sleep ".repeat(1700),
  "a".repeat(10_000),
  "é".repeat(10_000),
  "__proto__",
  "constructor",
  "toString",
  "-sleep",
  '"sleep"',
  "sleep*",
  "=1+1",
  "睡眠",
  "ﬁ",
  "İ",
  "ß",
  "'''",
  "can''t",
  "1e9",
  "../../etc/passwd",
  "%00",
  "{{7*7}}",
];

/** By chance that is no chance: the minimal standard generator (Park and Miller, 1988). */
function createChance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 16_807) % 2_147_483_647;
    return state % limit;
  };
}

test("a thousand terms that nobody means well are answered, and what is quoted stays text", () => {
  const chance = createChance(7);
  const pieces = [...nasty, ...topics, " ", "the", "sleep", "snorring"];
  const compose = () =>
    Array.from({ length: 1 + chance(4) }, () => pieces[chance(pieces.length)]).join(chance(2) ? " " : "");
  const terms = [...nasty, ...Array.from({ length: 1000 - nasty.length }, compose)];
  for (const term of terms) {
    const results = find(term);
    expect(Array.from(results.term).length).toBeLessThanOrEqual(64);
    for (const { result } of pageOf(results).slice(0, 3)) expectCut(result);
    const hits = itemKinds.flatMap((kind) => results.byKind[kind].map(({ id }) => `${kind} ${id}`));
    expect(new Set(hits).size).toBe(hits.length);
  }
});
