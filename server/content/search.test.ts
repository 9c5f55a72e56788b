import { describe, expect, test } from "vitest";

import { countOf, idsOf, openSearchApp, pageOf, tiles } from "../../tests/helpers/search-app.ts";
import type { Item } from "./item.ts";
import { type ItemKind, itemKinds } from "./kinds.ts";
import { buildSearchIndex, createEmptyIndex } from "./search-index.ts";
import { listWords } from "./search-words.ts";
import { createSearch, type SearchOrder } from "./search.ts";
import { topics } from "./suggestions.ts";

const { catalogue, find, itemOf } = await openSearchApp();

test.each(tiles)("the tile “%s” finds something to watch, to read and to learn", (term) => {
  for (const kind of itemKinds) expect(find(term).byKind[kind].length, kind).toBeGreaterThan(0);
});

test.each(topics)("the topic “%s” finds something", (topic) => {
  expect(countOf(find(topic))).toBeGreaterThan(0);
});

test.each<[term: string, kind: ItemKind, ids: number[]]>([
  ["can't sleep", "watch", [2001, 2002, 2014]],
  ["can’t sleep", "read", [1001, 1002]],
  ["cannot sleep", "read", [1001, 1002]],
  ["can not sleep", "learn", [3001, 3009]],
  ["cant sleep", "learn", [3001, 3009]],
  ["Can't get to sleep", "read", [1001]],
  ["can't fall asleep", "watch", [2002]],
  ["insomnia", "read", [1001, 1021]],
  ["sleeplessness", "learn", [3001]],
  ["insomina", "watch", [2002]],
  ["waking in the night", "watch", [2003, 2004, 2010]],
  ["waking in the night", "learn", [3002]],
  ["the waking night", "read", [1003, 1004]],
  ["I woke at night", "read", [1003]],
  ["broken sleep", "watch", [2010, 2003]],
  ["waking too early", "read", [1003]],
  ["temperature", "read", [1005, 1010, 1006]],
  ["temprature", "learn", [3003]],
  ["cool bedroom", "read", [1005]],
  ["snoring", "watch", [2007, 2008]],
  ["snores", "read", [1007, 1008, 1019]],
  ["snorring", "learn", [3004]],
  ["husband snores", "watch", [2007]],
  ["sleep apnoea", "watch", [2008, 2009]],
  ["Sleep Apnea", "read", [1008, 1009]],
  ["aponea", "learn", [3004]],
  ["CPAP", "watch", [2009]],
  ["masks", "watch", [2009]],
  ["menopause", "read", [1012, 1010]],
  ["menopuase", "read", [1012, 1010]],
  ["menopausal", "learn", [3005]],
  ["hot flush", "read", [1010]],
  ["hot flashes", "watch", [2011]],
  ["night sweats", "watch", [2006]],
  ["shift work", "learn", [3006]],
  ["night shift", "read", [1013, 1014]],
  ["nights", "learn", [3010]],
  ["shiftwork", "watch", [2012]],
  ["jet lag", "read", [1016]],
  ["jetlag", "read", [1016]],
  ["melatonine", "read", [1017]],
  ["kids", "read", [1018]],
  ["toddler", "watch", [2015]],
  ["baby", "learn", [3010]],
  ["toilet", "read", [1004]],
  ["nocturia", "read", [1004]],
  ["napping", "read", [1015]],
  ["restless leg", "read", [1022]],
  ["circadian", "learn", [3006, 3007]],
  ["ageing", "watch", [2016]],
  ["aging", "watch", [2016]],
  ["what to do", "read", [1001, 1020]],
  ["snor", "watch", [2007]],
  ["breth", "watch", [2001]],
  ["thermostat", "read", [1005]],
  ["suitcase", "read", [1016]],
  ["hoover", "watch", [2012]],
  ["gentleman", "learn", [3004]],
])("“%s” finds, to %s, %j among the first three", (term, kind, ids) => {
  expect(idsOf(find(term), kind).slice(0, 3)).toEqual(expect.arrayContaining(ids));
});

test.each(["light", "stress", "rain", "moon"])("“%s” is a word, not a misspelling", (term) => {
  for (const { hit } of pageOf(find(term))) expect(hit.tier).not.toBe("misspellings");
});

test("“nights” are work, but one who works is not told of nights", () => {
  expect(idsOf(find("nights"), "watch")).toContain(2012);
  const synonyms = find("shift work").byKind.learn.filter(({ tier }) => tier !== "text");
  expect(synonyms.map(({ id }) => id)).toEqual([3006]);
});

test("the same is found in British and American words", () => {
  for (const [british = "", american = ""] of [
    ["sleep apnoea", "sleep apnea"],
    ["ageing", "aging"],
    ["colour", "color"],
    ["oestrogen", "estrogen"],
  ]) {
    expect(find(british).byKind, british).toEqual(find(american).byKind);
    expect(countOf(find(american)), american).toBeGreaterThan(0);
  }
});

test.each(["", "  ", "the", "in the", "🌙", "?!", "xyzzyq"])("%j finds nothing", (term) => {
  expect(find(term).byKind).toEqual({ watch: [], read: [], learn: [] });
});

describe("ranking", () => {
  const anItem = (id: number, changes: Partial<Item>): Item => ({
    ...itemOf({ kind: "read", id: 1001 }),
    id,
    kind: "read",
    title: "Untitled",
    terms: [],
    text: "Nothing.",
    lead: "Nothing.",
    transcriptHtml: undefined,
    publishedAt: new Date(id * 1e9),
    ...changes,
  });
  const items = [
    anItem(70, { title: "Snoring in bed" }),
    anItem(71, { title: "A talk", terms: ["Snoring in bed"] }),
    anItem(72, { title: "In bed with snoring" }),
    anItem(73, { title: "Beds for snorers" }),
    anItem(74, { title: "Snored awake", text: "Go to bed." }),
    anItem(75, { title: "A talk", text: "She snores in bed." }),
    anItem(76, { title: "A talk", transcriptHtml: '<p id="transcript-1">Bed. Snore.</p>' }),
    anItem(77, { title: "Snoring", text: "Pillow." }),
  ];

  test("the best is first, and of equals the newest", async () => {
    const search = createSearch(await buildSearchIndex(items, createEmptyIndex()));
    const found = (term: string, order: SearchOrder) => idsOf(search({ term, order }), "read");
    expect(found("snoring in bed", "best")).toEqual([71, 70, 72, 73, 76, 75, 74]);
    expect(found("snoring in bed", "newest")).toEqual([76, 75, 74, 73, 72, 71, 70]);
    expect(found("snoring in bed", "oldest")).toEqual([70, 71, 72, 73, 74, 75, 76]);
    expect(found("snorring pillow", "best")).toEqual([77]);
  });

  test("an index that follows another finds what is new, what changed, and not what is gone", async () => {
    const first = await buildSearchIndex(items, createEmptyIndex());
    const changed = anItem(71, { title: "Yodelling" });
    const second = await buildSearchIndex([...items.slice(2), changed, anItem(78, { title: "Snoring" })], first);
    const search = createSearch(second);
    expect(idsOf(search({ term: "snoring", order: "best" }), "read").slice(0, 2)).toEqual([78, 77]);
    expect(idsOf(search({ term: "yodelling", order: "best" }), "read")).toEqual([71]);
    expect(idsOf(search({ term: "bed", order: "best" }), "read")).not.toContain(70);
    expect(idsOf(createSearch(first)({ term: "yodelling", order: "best" }), "read")).toEqual([]);
    expect(idsOf(createSearch(first)({ term: "bed", order: "best" }), "read")).toContain(70);
  });
});

test.each(["sleep", "snoring", "GP", "waking in the night"])(
  "“%s” by date is in the order of dates, and all of it",
  (term) => {
    for (const kind of itemKinds) {
      const datesBy = (order: SearchOrder) =>
        find(term, order).byKind[kind].map((hit) => itemOf(hit).publishedAt.getTime());
      expect(datesBy("newest")).toEqual(datesBy("best").toSorted((a, b) => b - a));
      expect(datesBy("oldest")).toEqual(datesBy("best").toSorted((a, b) => a - b));
    }
  },
);

test("a term is no pattern", () => {
  expect(countOf(find(".*"))).toBe(0);
  expect(countOf(find("sl..p"))).toBe(0);
  expect(find("sleep*").byKind).toEqual(find("sleep").byKind);
});

test("every word of the titles finds its item", () => {
  for (const kind of itemKinds) {
    for (const { id, title } of catalogue.findPage(kind, 1)?.cards ?? []) {
      const start = listWords(title)
        .slice(0, 6)
        .map(({ text }) => text)
        .join(" ");
      expect(idsOf(find(start), kind).slice(0, 3), start).toContain(id);
    }
  }
});
