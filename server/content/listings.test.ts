import { expect, test } from "vitest";

import { fillListings, RECOMMENDED_COUNT } from "./cards.ts";
import type { Item } from "./item.ts";
import { itemKinds } from "./kinds.ts";

/** An item published on a day of November; a later day is newer. */
function anItem({ day, ...changes }: Partial<Item> & { id: number; day: number }): Item {
  return {
    kind: "read",
    title: `Item ${changes.id}`,
    author: "Maren Holt",
    publishedAt: new Date(Date.UTC(2026, 10, day)),
    date: `2026-11-${String(day).padStart(2, "0")}`,
    isSticky: false,
    terms: [],
    picture: { scene: 0 },
    bodyHtml: "",
    text: "",
    lead: "Something short.",
    transcriptHtml: undefined,
    video: undefined,
    ...changes,
  };
}

const idsOf = (cards: { id: number }[]) => cards.map(({ id }) => id);
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test("empty listings stand ready for every kind", () => {
  const empty = { listed: [], featured: [], newest: [], latest: undefined };
  expect(fillListings([])).toEqual({ watch: empty, read: empty, learn: empty });
});

test.each(itemKinds)("the newest to %s stands first, whatever order they came in", (kind) => {
  const items = [2, 9, 4, 30, 1].map((day) => anItem({ id: 100 - day, day, kind }));
  expect(idsOf(fillListings(items)[kind].listed)).toEqual([70, 91, 96, 98, 99]);
});

test("of two published at the same moment the one with the higher id stands first", () => {
  const items = [3, 11, 2, 7].map((id) => anItem({ id, day: 5 }));
  expect(idsOf(fillListings(items).read.listed)).toEqual([11, 7, 3, 2]);
  expect(idsOf(fillListings(items.toReversed()).read.listed)).toEqual([11, 7, 3, 2]);
});

test("each kind has a listing of its own", () => {
  const listings = fillListings([
    anItem({ id: 1, day: 1, kind: "learn" }),
    anItem({ id: 2, day: 2, kind: "watch" }),
    anItem({ id: 3, day: 3, kind: "read" }),
  ]);
  expect(itemKinds.map((kind) => idsOf(listings[kind].listed))).toEqual([[2], [3], [1]]);
  expect(itemKinds.map((kind) => listings[kind].latest?.id)).toEqual([2, 3, 1]);
});

test("sticky articles are featured, and not listed again", () => {
  const { read } = fillListings([
    anItem({ id: 1, day: 1, isSticky: true }),
    anItem({ id: 2, day: 2 }),
    anItem({ id: 3, day: 3, isSticky: true }),
    anItem({ id: 4, day: 4 }),
  ]);
  expect(idsOf(read.featured)).toEqual([3, 1]);
  expect(idsOf(read.listed)).toEqual([4, 2]);
});

test("a featured article counts among the newest too", () => {
  const { read } = fillListings([anItem({ id: 1, day: 1 }), anItem({ id: 2, day: 2, isSticky: true })]);
  expect(idsOf(read.newest)).toEqual([2, 1]);
  expect(read.latest?.id).toBe(2);
});

test("sticky articles past the twelfth stand first in the list, and none is lost", () => {
  const sticky = range(1, 14).map((id) => anItem({ id, day: id, isSticky: true }));
  const others = range(20, 22).map((id) => anItem({ id, day: id }));
  const { read } = fillListings([...others, ...sticky]);
  expect(idsOf(read.featured)).toEqual(range(3, 14).toReversed());
  expect(idsOf(read.listed)).toEqual([2, 1, 22, 21, 20]);
});

test("the newest are seven: six to recommend, and one for the item that is open", () => {
  const { watch } = fillListings(range(1, 10).map((id) => anItem({ id, day: id, kind: "watch" })));
  expect(idsOf(watch.newest)).toEqual([10, 9, 8, 7, 6, 5, 4]);
  expect(watch.newest).toHaveLength(RECOMMENDED_COUNT + 1);
});

test("each listing cuts its texts to its own length", () => {
  const title = "z".repeat(60);
  const lead = Array.from({ length: 40 }, () => "sleep").join(" ");
  const { read } = fillListings([anItem({ id: 1, day: 1, title, lead, isSticky: true })]);
  expect(read.featured[0]?.title).toBe(`${"z".repeat(48)}…`);
  expect(read.newest[0]?.title).toBe(title);
  expect(read.newest[0]?.text.length).toBeLessThanOrEqual(41);
  expect(read.latest?.text.split(" ")).toHaveLength(20);
});

test("filling the listings leaves the items as they were", () => {
  const items = [anItem({ id: 1, day: 1 }), anItem({ id: 2, day: 2 })];
  fillListings(items);
  expect(idsOf(items)).toEqual([1, 2]);
});
