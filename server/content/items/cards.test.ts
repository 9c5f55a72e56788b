import { expect, test } from "vitest";

import {
  cutCharacters,
  cutWords,
  fillListings,
  RECOMMENDED_COUNT,
  toFeaturedCard,
  toListCard,
  toNewCard,
  toSearchCard,
} from "./cards.ts";
import type { Item } from "./item.ts";
import { type ItemKind, itemKinds } from "./kinds.ts";
import { lengthText } from "./item-facts.ts";

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
/** One word that no cut can end before. */
const letters = (count: number) => "z".repeat(count);

/** `text`: of its body, which its length is counted from. */
function anItem({ text = "", ...changes }: Partial<Item> & { text?: string } = {}): Item {
  const item: Item = {
    id: 7,
    kind: "read",
    title: "Getting up for the bathroom at night",
    author: "Maren Holt",
    publishedAt: new Date("2026-09-30T09:00:00Z"),
    date: "2026-09-30",
    isSticky: false,
    terms: [],
    picture: { scene: 2 },
    lead: "Once a night is ordinary.",
    length: undefined,
    readTexts: () => ({ bodyHtml: "<p>Long.</p>", text: "Long.", transcriptHtml: "<p>Said.</p>" }),
    video: undefined,
    sound: undefined,
    reviewed: undefined,
    isForAwakeNow: false,
    isForHelp: false,
    guideSteps: [],
    nightSteps: [],
    alsoCalled: [],
    breathing: undefined,
    ...changes,
  };
  return { ...item, length: lengthText({ ...item, text }) };
}

test("a card names its item, and carries no body", () => {
  const card = {
    id: 7,
    kind: "read",
    title: "Getting up for the bathroom at night",
    text: "Once a night is ordinary.",
    author: "Maren Holt",
    date: "2026-09-30",
    picture: { scene: 2 },
    length: "1\u00a0min\u00a0read",
  };
  const item = anItem({ text: "Long." });
  expect(toNewCard(item)).toEqual(card);
  expect(toFeaturedCard(item)).toEqual(card);
  const { text, ...others } = card;
  expect(toSearchCard(item)).toEqual({ card: others, opening: text });
  expect(toListCard({ ...item, lead: "Once a night." })).toEqual({ ...card, text: "Once a night." });
});

test("a new card has a title of 7 words and a text of 20", () => {
  const card = toNewCard(anItem({ title: words(8), lead: words(21) }));
  expect(card.title).toBe(`${words(7)}…`);
  expect(card.text).toBe(`${words(20)}…`);
  const whole = toNewCard(anItem({ title: words(7), lead: words(20) }));
  expect(whole).toMatchObject({ title: words(7), text: words(20) });
});

test.each([
  ["watch", 150],
  ["read", 40],
  ["learn", 120],
] satisfies [ItemKind, number][])("a list card to %s quotes %d characters", (kind, length) => {
  expect(toListCard(anItem({ kind, lead: letters(length + 1) })).text).toBe(`${letters(length)}…`);
  expect(toListCard(anItem({ kind, lead: letters(length) })).text).toBe(letters(length));
});

test("a featured card has a title of 48 characters, and the text of its list", () => {
  const card = toFeaturedCard(anItem({ title: letters(49), lead: letters(41) }));
  expect(card).toMatchObject({ title: `${letters(48)}…`, text: `${letters(40)}…` });
  expect(toFeaturedCard(anItem({ title: letters(48) })).title).toBe(letters(48));
});

test.each(itemKinds)("a search card to %s quotes 350 characters", (kind) => {
  expect(toSearchCard(anItem({ kind, lead: letters(351) })).opening).toBe(`${letters(350)}…`);
  expect(toSearchCard(anItem({ kind, lead: letters(350) })).opening).toBe(letters(350));
});

test.each([
  [1, "1 min read"],
  [200, "1 min read"],
  [201, "2 min read"],
  [1400, "7 min read"],
])("an article of %d words takes %s", (count, length) => {
  for (const toCard of [toListCard, toFeaturedCard, toNewCard]) {
    expect(toCard(anItem({ text: words(count) })).length).toBe(length.replaceAll(" ", "\u00a0"));
  }
});

test.each([
  [1, "1 min"],
  [90, "1 min"],
  [119, "1 min"],
  [120, "2 min"],
  [2530, "42 min"],
])("a film of %d seconds takes %s, whatever there is to read under it", (durationInSeconds, length) => {
  const video = { kind: "youtube", src: "https://x.example", orientation: "landscape", durationInSeconds } as const;
  for (const kind of ["watch", "learn"] as const) {
    expect(toListCard(anItem({ kind, video, text: words(500) }))).toMatchObject({
      isFilm: true,
      length: length.replaceAll(" ", "\u00a0"),
    });
  }
});

test("a card says of a silent film that it is one, and whether it has captions", () => {
  const video = { kind: "file", src: "/media/a.mp4", orientation: "landscape" } as const;
  const readSilence = (more: object) => toListCard(anItem({ kind: "watch", video: { ...video, ...more } })).silence;
  expect(readSilence({})).toBeUndefined();
  expect(readSilence({ isSilent: true })).toBe("silent");
  expect(readSilence({ isSilent: true, captions: "/media/a.vtt" })).toBe("silent,\u00a0with\u00a0captions");
});

test("a card announces a film only where one plays here, and a length only where it is known", () => {
  const video = { kind: "vimeo", src: "https://x.example", orientation: "landscape" } as const;
  const film = toListCard(anItem({ kind: "watch", video, text: words(500) }));
  expect([film.isFilm, film.length]).toEqual([true, undefined]);
  expect(toListCard(anItem({ kind: "watch", video: { ...video, kind: "elsewhere" } })).isFilm).toBeUndefined();
  expect(toListCard(anItem({ kind: "watch" })).isFilm).toBeUndefined();
});

test("a card is a recording's where there is sound and nothing to watch or to read first", () => {
  const sound = { src: "/media/rain.opus", type: "audio/ogg; codecs=opus", durationInSeconds: 90 };
  const rain = toListCard(anItem({ kind: "watch", sound: { ...sound, playMinutes: 45 } }));
  expect([rain.isRecording, rain.length]).toEqual([true, "45\u00a0min"]);
  expect(toListCard(anItem({ kind: "learn", sound }))).toMatchObject({ isRecording: true, length: "1\u00a0min" });
  const video = { kind: "vimeo", src: "https://x.example", orientation: "landscape" } as const;
  const both = toListCard(anItem({ kind: "watch", sound, video }));
  expect([both.isRecording, both.isFilm, both.length]).toEqual([undefined, true, undefined]);
  const article = toListCard(anItem({ kind: "read", sound, text: words(300) }));
  expect([article.isRecording, article.length]).toEqual([undefined, "2\u00a0min\u00a0read"]);
});

test("words are counted, and a comma before the cut goes", () => {
  expect(cutWords("one, two, three, four", 2)).toBe("one, two…");
});

test("a cut falls between words where it can, else inside one", () => {
  expect(cutCharacters("the quick brown fox jumps", 17)).toBe("the quick brown…");
  expect(cutCharacters("a".repeat(30), 10)).toBe(`${"a".repeat(10)}…`);
});

test("a surrogate pair is never cut in half", () => {
  expect(cutCharacters("🌙🌙🌙🌙", 2)).toBe("🌙🌙…");
});

function published({ day, ...changes }: Partial<Item> & { id: number; day: number }): Item {
  return anItem({ ...changes, publishedAt: new Date(Date.UTC(2026, 10, day)) });
}

const listIds = (cards: { id: number }[]) => cards.map(({ id }) => id);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("every section has an empty listing from the start", () => {
  const empty = { listed: [], featured: [], newest: [], latest: undefined };
  expect(fillListings([])).toEqual({ watch: empty, listen: empty, read: empty, learn: empty });
});

test.each(itemKinds)("the newest to %s comes first, in whatever order they arrive", (kind) => {
  const items = [2, 9, 4, 30, 1].map((day) => published({ id: 100 - day, day, kind }));
  expect(listIds(fillListings(items)[kind].listed)).toEqual([70, 91, 96, 98, 99]);
});

test("of two published at the same moment the one with the higher id comes first", () => {
  const items = [3, 11, 2, 7].map((id) => published({ id, day: 5 }));
  expect(listIds(fillListings(items).read.listed)).toEqual([11, 7, 3, 2]);
  expect(listIds(fillListings(items.toReversed()).read.listed)).toEqual([11, 7, 3, 2]);
});

test("each kind has a listing of its own", () => {
  const listings = fillListings([
    published({ id: 1, day: 1, kind: "learn" }),
    published({ id: 2, day: 2, kind: "watch" }),
    published({ id: 3, day: 3, kind: "read" }),
  ]);
  expect(itemKinds.map((kind) => listIds(listings[kind].listed))).toEqual([[2], [3], [1]]);
  expect(itemKinds.map((kind) => listings[kind].latest?.id)).toEqual([2, 3, 1]);
});

test("sticky articles are featured, and not listed again", () => {
  const { read } = fillListings([
    published({ id: 1, day: 1, isSticky: true }),
    published({ id: 2, day: 2 }),
    published({ id: 3, day: 3, isSticky: true }),
    published({ id: 4, day: 4 }),
  ]);
  expect(listIds(read.featured)).toEqual([3, 1]);
  expect(listIds(read.listed)).toEqual([4, 2]);
});

test("sticky articles past the twelfth come first in the list, and none is lost", () => {
  const sticky = range(1, 14).map((id) => published({ id, day: id, isSticky: true }));
  const others = range(20, 22).map((id) => published({ id, day: id }));
  const { read } = fillListings([...others, ...sticky]);
  expect(listIds(read.featured)).toEqual(range(3, 14).toReversed());
  expect(listIds(read.listed)).toEqual([2, 1, 22, 21, 20]);
});

test("the newest are seven: six to recommend, and one for the item that is open", () => {
  const { watch } = fillListings(range(1, 10).map((id) => published({ id, day: id, kind: "watch" })));
  expect(listIds(watch.newest)).toEqual([10, 9, 8, 7, 6, 5, 4]);
  expect(watch.newest).toHaveLength(RECOMMENDED_COUNT + 1);
});
