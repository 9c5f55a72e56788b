import { expect, test } from "vitest";

import { toFeaturedCard, toListCard, toNewCard, toSearchCard } from "./cards.ts";
import type { Item } from "./item.ts";
import { type ItemKind, itemKinds } from "./kinds.ts";

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
/** One word that no cut can end before. */
const letters = (count: number) => "z".repeat(count);

function anItem(changes: Partial<Item> = {}): Item {
  return {
    id: 7,
    kind: "read",
    title: "Up to the bathroom again",
    author: "Maren Holt",
    publishedAt: new Date("2026-09-30T09:00:00Z"),
    date: "2026-09-30",
    isSticky: false,
    terms: [],
    picture: { scene: 2 },
    bodyHtml: "",
    text: "",
    lead: "Once a night is ordinary.",
    transcriptHtml: undefined,
    video: undefined,
    ...changes,
  };
}

test("a card names its item, and carries no body", () => {
  const card = {
    id: 7,
    kind: "read",
    title: "Up to the bathroom again",
    text: "Once a night is ordinary.",
    author: "Maren Holt",
    date: "2026-09-30",
    picture: { scene: 2 },
    length: "1\u00a0minute\u00a0to\u00a0read",
  };
  const item = anItem({ bodyHtml: "<p>Long.</p>", text: "Long.", transcriptHtml: "<p>Said.</p>" });
  expect(toNewCard(item)).toEqual(card);
  expect(toFeaturedCard(item)).toEqual(card);
  expect(toSearchCard(item)).toEqual(card);
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

test("a list card keeps its whole title", () => {
  expect(toListCard(anItem({ title: letters(200) })).title).toBe(letters(200));
});

test("a featured card has a title of 48 characters, and the text of its list", () => {
  const card = toFeaturedCard(anItem({ title: letters(49), lead: letters(41) }));
  expect(card).toMatchObject({ title: `${letters(48)}…`, text: `${letters(40)}…` });
  expect(toFeaturedCard(anItem({ title: letters(48) })).title).toBe(letters(48));
});

test.each(itemKinds)("a search card to %s quotes 350 characters", (kind) => {
  expect(toSearchCard(anItem({ kind, lead: letters(351) })).text).toBe(`${letters(350)}…`);
  expect(toSearchCard(anItem({ kind, lead: letters(350) })).text).toBe(letters(350));
});

test.each([
  [1, "1 minute to read"],
  [200, "1 minute to read"],
  [201, "2 minutes to read"],
  [1400, "7 minutes to read"],
])("an article of %d words takes %s", (count, length) => {
  for (const toCard of [toListCard, toFeaturedCard, toNewCard, toSearchCard]) {
    expect(toCard(anItem({ text: words(count) })).length).toBe(length.replaceAll(" ", "\u00a0"));
  }
});

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [119, "119 seconds"],
  [120, "2 minutes"],
  [2530, "42 minutes"],
])("a film of %d seconds takes %s, whatever there is to read under it", (durationInSeconds, length) => {
  const video = { kind: "youtube", src: "https://x.example", orientation: "landscape", durationInSeconds } as const;
  for (const kind of ["watch", "learn"] as const) {
    expect(toListCard(anItem({ kind, video, text: words(500) }))).toMatchObject({
      isFilm: true,
      length: length.replaceAll(" ", "\u00a0"),
    });
  }
});

test("a card says that there is a film only where one plays here, and no length that is not known", () => {
  const video = { kind: "vimeo", src: "https://x.example", orientation: "landscape" } as const;
  const film = toListCard(anItem({ kind: "watch", video, text: words(500) }));
  expect([film.isFilm, film.length]).toEqual([true, undefined]);
  expect(toListCard(anItem({ kind: "watch", video: { ...video, kind: "elsewhere" } })).isFilm).toBeUndefined();
  expect(toListCard(anItem({ kind: "watch" })).isFilm).toBeUndefined();
});

test("an item without words has a card without text", () => {
  for (const toCard of [toListCard, toFeaturedCard, toNewCard, toSearchCard]) {
    expect(toCard(anItem({ lead: "" })).text).toBe("");
  }
});
