import { describe, expect, test } from "vitest";

import { article, film, read } from "../../../tests/helpers/article-source.ts";
import { openLibrary } from "../../../tests/helpers/library.ts";
import { topicKey } from "../items/item-facts.ts";
import { type Item, type ItemTexts, listBlocks, withTexts } from "../items/item.ts";
import { itemKinds, type ItemRef, type Section, sectionNames } from "../items/kinds.ts";
import { buildSearchIndex, createEmptyIndex } from "./search-index.ts";
import { createSearch, type SearchOrder, type SearchResults } from "./search.ts";
import { createSayings } from "./sayings.ts";
import { topics } from "./topics.ts";

type Shown = ReturnType<SearchResults["toResult"]>;

async function openSearchApp() {
  const catalogue = await openLibrary({ cardsPerPage: 100 });
  const findItem = ({ kind, id }: ItemRef) => {
    const item = catalogue.findItem(kind, id) ?? catalogue.listAwake().find((piece) => piece.id === id);
    if (!item) throw new Error(`no ${kind} ${id}`);
    return item;
  };
  return {
    catalogue,
    findItem,
    find: (term: string, order: SearchOrder = "best") => catalogue.search({ term, order }),
    /** Checks that an excerpt is cut from one text of its item, is not too long, and has no empty piece. */
    expectCut({ id, kind, excerpt }: Shown): void {
      const { lead, text, transcriptHtml = "" } = withTexts(findItem({ kind, id }));
      const spoken = listBlocks(transcriptHtml).map((block) => block.text);
      const quoted = excerptText(excerpt).replace(/^…|…$/g, "");
      expect(
        [lead, text, spoken.join(" ")].some((whole) => whole.includes(quoted)),
        quoted,
      ).toBe(true);
      expect(Array.from(quoted).length).toBeLessThanOrEqual(350);
      expect(listHits({ excerpt })).not.toContain("");
    },
  };
}

const listIds = (results: SearchResults, section: Section) => results.list(section).map(({ id }) => id);
const countAll = ({ counts }: SearchResults) => sectionNames.reduce((sum, section) => sum + counts[section], 0);
const toPage = ({ list, toResult }: SearchResults) =>
  sectionNames.flatMap((section) => list(section)).map((hit) => ({ hit, result: toResult(hit) }));

function listHits({ excerpt }: Pick<Shown, "excerpt">): string[] {
  return excerpt.filter((_, place) => place % 2 === 1);
}

function excerptText(excerpt: Shown["excerpt"]): string {
  return excerpt.join("");
}

const tiles = ["can't sleep", "waking in the night", "temperature", "snoring", "menopause", "shift work"];

const { catalogue, expectCut, find, findItem } = await openSearchApp();

test.each(tiles)("the tile “%s” finds something to watch, to read and to learn", (term) => {
  for (const kind of itemKinds) expect(find(term).counts[kind], kind).toBeGreaterThan(0);
});

test.each(topics)("the topic “%s” finds something", (topic) => {
  expect(countAll(find(topic))).toBeGreaterThan(0);
});

test.each<[term: string, section: Section, ids: number[]]>([
  ["can't sleep", "watch", [2001, 2002, 2014]],
  ["can’t sleep", "read", [1001, 1002]],
  ["cant sleep", "learn", [3001, 3009]],
  ["can't fall asleep", "watch", [2002, 2014]],
  ["insomnia", "read", [1001, 1021]],
  ["insomina", "watch", [2002]],
  ["waking in the night", "watch", [2003, 2004, 2010]],
  ["waking in the night", "learn", [3002]],
  ["the waking night", "read", [1003, 1004]],
  ["broken sleep", "watch", [2010, 2003]],
  ["temperature", "read", [1005, 1010, 1006]],
  ["cool bedroom", "read", [1005]],
  ["snoring", "watch", [2007, 2008]],
  ["snores", "read", [1007, 1008, 1019]],
  ["Sleep Apnea", "read", [1008, 1009]],
  ["aponea", "learn", [3004]],
  ["masks", "watch", [2009]],
  ["menopause", "read", [1012, 1010]],
  ["menopuase", "read", [1012, 1010]],
  ["hot flush", "read", [1010]],
  ["shift work", "learn", [3006]],
  ["nights", "learn", [3010]],
  ["jet lag", "read", [1016]],
  ["melatonine", "read", [1017]],
  ["toddler", "watch", [2015]],
  ["baby", "learn", [3010]],
  ["toilet", "read", [1004]],
  ["restless leg", "read", [1022]],
  ["circadian", "learn", [3006, 3007]],
  ["aging", "watch", [2016]],
  ["what to do", "read", [1001, 1020]],
  ["breth", "watch", [2001]],
  ["hoover", "watch", [2012]],
  ["rain", "watch", [2013]],
  ["rain", "listen", [4001]],
  ["sea", "listen", [4002]],
  ["waves", "listen", [4002]],
  ["noise", "listen", [4003]],
  ["fan", "listen", [4004]],
  ["breathing", "listen", [4005]],
  ["body scan", "watch", [2014]],
  ["body scan", "listen", [4006]],
  ["neighbors dog barking", "listen", [4003]],
  ["Heart pounding when i lie down", "learn", [3009]],
  ["2 yr old up at 5am", "read", [1018]],
  ["grief", "read", [1002]],
  ["sleep paralysis", "read", [1024]],
  ["non riesco a dormire", "read", [1001]],
])("“%s” finds, to %s, %j among the first three", (term, section, ids) => {
  expect(listIds(find(term), section).slice(0, 3)).toEqual(expect.arrayContaining(ids));
});

test.each([
  "light",
  "stress",
  "rain",
  "moon",
  "sheep",
  "york",
  "wifi",
  "leeds",
  "SIDS",
  "HTN worries",
  "WASO",
  "Nairobi",
  "Norway",
  "bed bugs",
  "counting",
  "the",
  "3am",
  "i",
])("“%s” is not put right", (term) => expect(find(term).corrected).toBeUndefined());

test.each([
  ["alchohol", "alcohol"],
  ["menopuase", "menopause"],
  ["Slep apnia", "sleep apnoea"],
  ["nihgt sweats?", "night sweats?"],
  ["todler wakes at 5", "toddler wakes at 5"],
  ["bedroom too brite", "bedroom too bright"],
  ["rsin sounds", "rain sounds"],
  ["nightsweats", "night sweats"],
  ["twiching legs", "twitching legs"],
  ["jet la", "jet lag"],
  ["tinni at night", "tinnitus at night"],
  ["jey lag", "jet lag"],
  ["too hto to sleep", "too hot to sleep"],
  ["peri and cant sleep", "perimenopause and cant sleep"],
  ["restl legs at night", "restless legs at night"],
  ["becuase of noise", "because of noise"],
  ["sinse menopause", "since menopause"],
])("“%s” is put right to “%s”, and found so", (typed, meant) => {
  const results = find(typed);
  expect(results.corrected).toBe(meant);
  expect(toPage(results)).toEqual(toPage(find(meant)));
});

test("an English word that may be a slip of another is searched for, and so is the other", () => {
  const { also, corrected, list } = find("sleep dairy");
  expect({ also, corrected, first: list("read")[0]?.id }).toEqual({
    also: "sleep diary",
    corrected: undefined,
    first: 1021,
  });
  expect(find("bright nights").also).toBeUndefined();
  expect(catalogue.search({ term: "sleep dairy", order: "best", isLiteral: true }).also).toBeUndefined();
});

test("as typed, nothing is put right", () => {
  const results = catalogue.search({ term: "alchohol", order: "best", isLiteral: true });
  expect(results.corrected).toBeUndefined();
  expect(countAll(results)).toBe(0);
});

test.each([
  ["its 29 degrees in here cant sleep", 2005],
  ["upstairs neighbours stomping at 1am", 3003],
  ["im 15 and cant fall asleep till 3", 1026],
])("“%s” is about what causes the complaint", (term, id) => {
  const { results } = find(term).explain();
  expect(results.slice(0, 5).map((each) => each.id)).toContain(id);
});

test("“nights” are work, but one who works is not told of nights", () => {
  expect(listIds(find("nights"), "watch")).toContain(2012);
  expect(find("shift work").list("learn")[0]?.id).toBe(3006);
});

test.each(["3am", "3 a.m.", "3 AM", "3:00", "03:00", "three", "at 3", "three o'clock"])(
  "%j is an hour of the night",
  (hour) => {
    expect(listIds(find(`awake at ${hour}`), "read")).toEqual(listIds(find("awake at three"), "read"));
  },
);

test.each(["2am", "02:30", "half past two", "since half two", "2.30 a.m."])("“%s” is in the small hours", (time) => {
  const ids = listIds(find(`keep waking at ${time}`.replace("at since", "since")), "read");
  expect(ids.slice(0, 3)).toContain(1003);
});

test.each(["six hours", "8 hours sleep", "5 hrs a night"])("“%s” is a length of sleep", (length) => {
  expect(listIds(find(`only ${length}`), "learn").slice(0, 2)).toContain(3008);
});

test.each([
  ["she's three and a half and wont stay in bed", "a toddler", 1018],
  ["my 2 year old screams at bedtime", "a toddler", 1018],
  ["he is 78 and naps all day", "an older adult", 2016],
  ["32 weeks and cant get comfy", "pregnant", 1028],
  ["year 11 never in bed before 1", "a teenager", 1026],
  ["he sleeps till 2pm", "a teenager", 1026],
  ["over 60 and i am 72", "an older adult", 2016],
  ["start at 3am all week", "shift work", 3006],
  ["4am starts and no energy", "shift work", 3006],
  ["been lying here 3 hours", "sleeplessness", 1001],
  ["nodded off at the traffic lights", "driving", 3004],
])("“%s” is about %s", (term, _, id) => {
  const { results } = find(term).explain();
  expect(results.slice(0, 3).map((each) => each.id)).toContain(id);
});

test.each([
  ["only 20 minutes of sleep", "older adults"],
  ["awake for 30 weeks", "pregnant"],
  ["three years of bad nights", "toddler"],
])("“%s” says nothing of %s", (term, other) => {
  const said = find(term)
    .explain()
    .parts.map((part) => part.said);
  expect(said.join(" ")).not.toContain(other);
});

test("it takes hours to fall asleep, which is no length of sleep", () => {
  expect(find("it takes me 2 hours to fall asleep").list("read")[0]?.id).toBe(1001);
});

test("words of every question are no subject: the tablets are", () => {
  const { parts } = find("twenty years on sleeping tablets and even now they hardly work").explain();
  expect(parts.map(({ said }) => said)).toEqual(["sleeping tablets"]);
});

test.each(["how do i fall asleep fast", "best way to fall asleep", "help me fall asleep quickly please"])(
  "“%s” asks for no more than “fall asleep”",
  (term) =>
    expect(toPage(find(term)).map(({ hit }) => hit.id)).toEqual(toPage(find("fall asleep")).map(({ hit }) => hit.id)),
);

test("what has all of the words comes before what has some, in every order", () => {
  for (const order of ["best", "newest", "oldest"] as const) {
    for (const section of sectionNames) {
      const tiers = find("jet lag new york", order)
        .list(section)
        .map(({ tier }) => tier === "near");
      expect(tiers).toEqual(tiers.toSorted((a, b) => Number(a) - Number(b)));
    }
  }
  const [best] = find("jet lag new york").list("read");
  expect(best).toMatchObject({ id: 1016, tier: "near" });
});

test.each([
  ["Worry", "learn"],
  ["Naps", "read"],
  ["Restless Legs", "read"],
  ["Caffeine", "read"],
  ["Sleep and Ageing", "watch"],
])("the best hit for the topic “%s” is one to %s", (topic, section) => expect(find(topic).bestSection).toBe(section));

test.each([...tiles, "rain", "zzzz"])("the best hit of each section for “%s” is the first of its list", (term) => {
  const { findBest, list } = find(term);
  for (const section of sectionNames) expect(findBest(section), section).toEqual(list(section, 0, 1)[0]);
});

test("what has a known part of the words is offered where nothing has all of them", () => {
  const { listPerhaps } = find("duvet zzzzq qqqxz");
  const found = [...toPage(find("duvet zzzzq qqqxz")).map(({ hit }) => hit), ...listPerhaps()];
  expect(found.map(({ id }) => id)).toContain(1006);
  const { counts, listPerhaps: listNothing } = find("bunk beds for sale");
  expect([...Object.values(counts), listNothing().length]).toEqual([0, 0, 0, 0, 0]);
});

test.each(["insomnio", "no puedo dormir", "ich kann nicht schlafen", "neend nahi aati", "nie moge spac"])(
  "%j finds what “can’t sleep” finds first",
  (term) => expect(toPage(find(term))[0]?.hit.id).toBe(toPage(find("insomnia"))[0]?.hit.id),
);

test("another language is noticed and not put right, and English is not noticed", () => {
  for (const term of ["ich kann nicht schlafen", "mon mari ronfle", "raat ko neend khul jati hai"])
    expect(find(term), term).toMatchObject({ isForeign: true, corrected: undefined });
  expect(find("mon mari ronfle").list("watch")[0]).toMatchObject({ id: 2007, tier: "all" });
  for (const term of topics) expect(find(term).isForeign, term).toBe(false);
});

test.each(["", "  ", "the", "in the", "🌙", "?!", "xyzzyq"])("%j finds nothing", (term) => {
  expect(toPage(find(term))).toEqual([]);
});

describe("ranking", () => {
  const anItem = (id: number, { text = "Nothing.", transcriptHtml, ...changes }: Partial<Item & ItemTexts>): Item => ({
    ...findItem({ kind: "read", id: 1001 }),
    id,
    kind: "read",
    title: "Untitled",
    terms: [],
    lead: "Nothing.",
    readTexts: () => ({ bodyHtml: "", text, transcriptHtml }),
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
    const found = (term: string, order: SearchOrder) => listIds(search({ term, order }), "read");
    expect(found("snoring in bed", "best")).toEqual([70, 71, 73, 72, 74, 77, 76, 75]);
    expect(found("snoring in bed", "newest")).toEqual([74, 73, 72, 71, 70, 77, 76, 75]);
    expect(found("snoring in bed", "oldest")).toEqual([70, 71, 72, 73, 74, 75, 76, 77]);
    expect(found("snorring pillow", "best")[0]).toBe(77);
  });

  test("an item is found by what it is also called, as by a topic", async () => {
    const called = [...items, anItem(79, { title: "A quilt", alsoCalled: ["doona", "bed warmer"] })];
    const search = createSearch(await buildSearchIndex(called, createEmptyIndex()));
    expect(listIds(search({ term: "doonas", order: "best" }), "read")).toEqual([79]);
    expect(search({ term: "bed warmer", order: "best" }).list("read")[0]).toMatchObject({ id: 79, tier: "phrase" });
  });

  test.each([
    { term: "steals all the covers", title: "Sizes of covers" },
    { term: "heatwave", text: "Close the blinds in hot weather." },
    { term: "missus", title: "Husband and wife" },
    { term: "muddled", text: "New confusion at night." },
    { term: "j'ai trop chaud la nuit", text: "Close the blinds in hot weather." },
  ])("where no title has what is said, its words or what else people say find something: $term", async (said) => {
    const { term, ...changes } = said;
    const other = anItem(80, { title: "Foot care", text: "Ask a partner." });
    const search = createSearch(await buildSearchIndex([anItem(79, changes), other], createEmptyIndex()));
    const { list, listPerhaps } = search({ term, order: "best" });
    expect([...list("read"), ...listPerhaps()].map(({ id }) => id)[0]).toBe(79);
  });

  test("“at night” beside something else only says when", async () => {
    const library = [anItem(79, { text: "Heartburn hurts." }), anItem(80, { title: "Dinner for the night" })];
    const search = createSearch(await buildSearchIndex(library, createEmptyIndex()));
    expect(search({ term: "heartburn at night", order: "best" }).list("read")[0]?.id).toBe(79);
    expect(search({ term: "at night", order: "best" }).list("read")[0]?.id).toBe(80);
  });

  test("an operator's words are found as ours are, and a word that no text has is explained as unknown", async () => {
    const sayings = createSayings([{ words: "pillow", typed: "bolster bag" }]);
    const search = createSearch(await buildSearchIndex(items, createEmptyIndex(sayings)));
    const { list, explain } = search({ term: "bolster bag", order: "best" });
    expect(list("read").map(({ id }) => id)).toEqual([77]);
    expect(explain()).toMatchObject({
      parts: [{ said: "bolster bag", alsoCalled: ["pillow"], isKnown: true }],
      results: [{ id: 77, tier: "all", has: [["text"]] }],
    });
    expect(search({ term: "xyzzyq", order: "best" }).explain()).toEqual({
      parts: [{ said: "xyzzyq", alsoCalled: [], isKnown: false }],
      results: [],
    });
  });

  test("an index that follows another finds what is new, what changed, and not what is gone", async () => {
    const first = await buildSearchIndex(items, createEmptyIndex());
    const changed = anItem(71, { title: "Yodelling" });
    const second = await buildSearchIndex([...items.slice(2), changed, anItem(78, { title: "Snoring" })], first);
    const search = createSearch(second);
    expect(listIds(search({ term: "snoring", order: "best" }), "read").slice(0, 2)).toEqual([78, 77]);
    expect(listIds(search({ term: "yodelling", order: "best" }), "read")).toEqual([71]);
    expect(listIds(search({ term: "bed", order: "best" }), "read")).not.toContain(70);
    expect(listIds(createSearch(first)({ term: "yodelling", order: "best" }), "read")).toEqual([]);
    expect(listIds(createSearch(first)({ term: "bed", order: "best" }), "read")).toContain(70);
  });
});

test.each(["sleep", "snoring", "GP", "waking in the night"])(
  "“%s” by date is in the order of dates, and all of it",
  (term) => {
    for (const section of sectionNames) {
      const datesBy = (order: SearchOrder) =>
        find(term, order)
          .list(section)
          .map((hit) => findItem(hit).publishedAt.getTime());
      expect(datesBy("newest")).toEqual(datesBy("best").toSorted((a, b) => b - a));
      expect(datesBy("oldest")).toEqual(datesBy("best").toSorted((a, b) => a - b));
    }
  },
);

describe("invisible characters", () => {
  const title = { rendered: "Meno&shy;pause and Night&#8203;mares" };
  const content = { rendered: "<p>Melato&shy;nin, the o&#64259;ce and the no&#8288;cturia of older people.</p>" };
  const tags = [[], [{ name: "Start&nbsp;here:&#8203; Can&#8217;t get to &shy;sleep" }, { name: "Hot Flu&#173;shes" }]];
  const source = { ...article, title, content, _embedded: { "wp:term": tags } };
  const prepared = read(source);
  const titles = async (term: string) => {
    const search = createSearch(await buildSearchIndex([prepared], createEmptyIndex()));
    return toPage(search({ term, order: "best" })).map(({ result }) => result.title);
  };

  test.each([
    "menopause",
    "nightmares",
    "melatonin",
    "office",
    "nocturia",
    "hot flushes",
    "men\u00adopause",
    "night\u200bmares\ufeff",
    "mela\u2060ton\u200din",
    "ｍｅｌａｔｏｎｉｎ",
    "o\ufb03ce",
  ])("%j is found where either side has them", async (term) => {
    expect(await titles(term)).toEqual(["Menopause and Nightmares"]);
  });

  test("a tag is known by what it looks like", () => {
    expect(prepared.guideSteps.map(({ topic }) => topicKey(topic))).toEqual([topicKey("Can't get to sleep")]);
    expect(prepared.terms).toEqual(["Hot Flushes"]);
  });

  test.each(["&nbsp;", "&#8203;", "&shy;&#8288;", "&#12644;"])("a text of %s alone is none", (nothing) => {
    const acf = { transcript: `<p>${nothing}</p>` };
    expect(read({ ...film, title: { rendered: nothing }, acf })).toMatchObject({
      title: "Untitled",
      transcriptHtml: undefined,
    });
    expect(read({ ...source, _embedded: { author: [{ name: "\u200b\u00ad" }] } }).author).toBe("Dormouse Team");
  });
});

test("a term is no pattern", () => {
  expect(countAll(find(".*"))).toBe(0);
  expect(countAll(find("sl..p"))).toBe(0);
  expect(toPage(find("sleep*"))).toEqual(toPage(find("sleep")));
});

describe("excerpts", () => {
  test("what is in the title is quoted from the beginning", () => {
    const { list, toResult } = find("snoring");
    const [hit] = list("watch");
    const { excerpt, anchor, title } = toResult(
      hit ?? { kind: "watch", id: 0, title: "", path: "", tier: "near", score: 0, place: -1 },
    );
    expect(title).toBe("Snoring and the way you lie");
    expect(anchor).toBeUndefined();
    expect(excerpt.slice(0, 2)).toEqual(["", "Snoring"]);
    expect(findItem({ kind: "watch", id: 2007 }).lead.startsWith(excerptText(excerpt).slice(0, -1))).toBe(true);
  });

  test("what is late in a body is quoted from there, though another word for it is in the title", () => {
    const found = toPage(find("thermostat")).filter(({ hit }) => findItem(hit).readTexts().text.includes("thermostat"));
    expect(found.map(({ result }) => result.title)).toContain("How cool should a bedroom be?");
    for (const { result } of found) {
      expect(excerptText(result.excerpt)).toMatch(/thermostat/i);
      expect(result.anchor).toBeUndefined();
    }
  });

  test("what is only said is quoted from the transcript, with the paragraph to go to", () => {
    const [found] = toPage(find("hoover"));
    const { transcriptHtml = "" } = findItem({ kind: "watch", id: 2012 }).readTexts();
    expect(found?.result.anchor).toBe("transcript-10");
    expect(listBlocks(transcriptHtml).find(({ id }) => id === "transcript-10")?.text).toMatch(/hoover/);
    expect(found && listHits(found.result)).toEqual([expect.stringMatching(/^hoover/i)]);
  });

  test.each([...tiles, "doctor", "kids", "hot flash", "snorring", "aponea", "colour", "toilet", "gasp", "sleep apnea"])(
    "an excerpt for “%s” is a cut of the text, no longer than it may be",
    (term) => {
      const page = toPage(find(term));
      expect(page.length).toBeGreaterThan(0);
      for (const { result } of page) expectCut(result);
    },
  );

  /** A word, its forms and synonyms, and what the term's last word may begin. */
  const families: Record<string, RegExp> = {
    "can't sleep": /^(?:can[’']t|cannot|can not|insomnia|fall(?:ing|s)?|fell|sleep.*|slept|asleep)$/i,
    "hot flash": /^(?:hot|flash(?:es)?|flush(?:es)?)$/i,
    kids: /^(?:kids?|child(?:ren)?|toddlers?)(?:['’]s)?$/i,
    snorring: /^snor(?:es?|ing|ed|ers?)$/i,
    "sleep apnea": /^(?:sleep(?:s|ing|ers?)?|slept|asleep|apno?ea)$/i,
  };

  test.each(Object.entries(families))("what is marked for “%s” is it, or means it", (term, family) => {
    const marked = toPage(find(term)).flatMap(({ result }) => listHits(result));
    expect(marked.length).toBeGreaterThan(0);
    for (const text of marked) expect(text).toMatch(family);
  });
});

const nastyWords = `
  (a+)+$ .* [ \\ ' -- ; <script>alert(1)</script> <b>sleep</b> &lt;sleep&gt; sleep* -sleep "sleep" __proto__ constructor
  toString =1+1 'can''t' 1e9 ../../etc/passwd %00 {{7*7}} نوم \u202esleep\u202c 🌙 👩‍👩‍👧‍👦 睡眠 ﬁ İ ß \ud800 sleep\udc00 \0 sleep\0night`;
const nasty = [
  ...nastyWords.trim().split(/ +|\n +/),
  "' OR 1=1 --",
  "   ",
  "\n\t",
  "sleep ".repeat(1700),
  "a".repeat(10_000),
  "é".repeat(10_000),
];

/** Deterministic: the minimal standard generator (Park and Miller, 1988). */
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
    for (const { result } of toPage(results).slice(0, 3)) expectCut(result);
    const hits = sectionNames.flatMap((section) => results.list(section).map(({ kind, id }) => `${kind} ${id}`));
    expect(new Set(hits).size).toBe(hits.length);
  }
});
