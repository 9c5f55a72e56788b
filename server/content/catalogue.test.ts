import { expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createCatalogue } from "./catalogue.ts";

type Source = { id: number; type: "videos" | "post" | "tutorials"; [field: string]: unknown };

/** An item in the shape of a CMS; a higher id is a newer item. */
function aSource({ id, type, ...changes }: Source): Source {
  return {
    id,
    type,
    date: new Date(Date.UTC(2026, 0, id)).toISOString().slice(0, 19),
    title: { rendered: `Item ${id}` },
    content: { rendered: `<p>The text of ${id}.</p>` },
    ...changes,
  };
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const videos = (count: number) => range(1, count).map((id) => aSource({ id, type: "videos" }));
const idsOf = (cards: { id: number }[] | undefined) => cards?.map(({ id }) => id);

/** A catalogue over a list that a test may change; with `fault` set the source cannot be read. */
function openHouse({ sources, cardsPerPage = 4 }: { sources: unknown[]; cardsPerPage?: number }) {
  const content: { sources: unknown[]; fault: Error | undefined } = { sources, fault: undefined };
  const log = createQuietLog();
  const catalogue = createCatalogue({
    source: {
      name: "a list",
      check: async () => ({ isWell: true, says: "" }),
      listItems: () =>
        content.fault ? Promise.reject(content.fault) : Promise.resolve(structuredClone(content.sources)),
      findMedia: () => Promise.resolve(undefined),
    },
    setting: { productName: "Dormouse", mediaBase: "/dashboard/media/" },
    log,
    cardsPerPage,
  });
  return { catalogue, content, log };
}

/** The same, with what the source has taken in. */
async function openFilledHouse(options: { sources: unknown[]; cardsPerPage?: number }) {
  const house = openHouse(options);
  await house.catalogue.refresh();
  return house;
}

test("before the first refresh the catalogue is empty, and says that it is not ready", async () => {
  const { catalogue } = openHouse({ sources: videos(3) });
  expect(catalogue.isReady()).toBe(false);
  expect(catalogue.findItem("watch", 1)).toBeUndefined();
  expect(catalogue.findPage("watch", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.listLatest()).toEqual([]);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 1)).toMatchObject({ id: 1, title: "Item 1" });
});

test("a list is paged, newest first, and ends where it ends", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(10), cardsPerPage: 4 });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([10, 9, 8, 7]);
  expect(idsOf(catalogue.findPage("watch", 2)?.cards)).toEqual([6, 5, 4, 3]);
  expect(idsOf(catalogue.findPage("watch", 3)?.cards)).toEqual([2, 1]);
  expect(catalogue.findPage("watch", 3)).toMatchObject({ page: 3, pageCount: 3 });
  expect(catalogue.findPage("watch", 4)).toBeUndefined();
  expect(catalogue.findPage("watch", 1e9)).toBeUndefined();
});

test("a full last page is the last", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(8), cardsPerPage: 4 });
  expect(catalogue.findPage("watch", 2)).toMatchObject({ pageCount: 2 });
  expect(catalogue.findPage("watch", 3)).toBeUndefined();
});

test("an empty list has a first page and no second", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(2) });
  expect(catalogue.findPage("learn", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.findPage("learn", 2)).toBeUndefined();
});

test.each(range(1, 6))("pages of %d show every item of a list exactly once, in order", async (cardsPerPage) => {
  for (const count of range(0, 13)) {
    const { catalogue } = await openFilledHouse({ sources: videos(count), cardsPerPage });
    const { pageCount } = catalogue.findPage("watch", 1) ?? { pageCount: 0 };
    const pages = range(1, pageCount).map((page) => idsOf(catalogue.findPage("watch", page)?.cards) ?? []);
    expect(pages.flat()).toEqual(range(1, count).toReversed());
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(cardsPerPage);
    expect(catalogue.findPage("watch", pageCount + 1)).toBeUndefined();
  }
});

test("six are recommended, and never the one that is open", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(9) });
  expect(idsOf(catalogue.listRecommended("watch", 9))).toEqual([8, 7, 6, 5, 4, 3]);
  expect(idsOf(catalogue.listRecommended("watch", 6))).toEqual([9, 8, 7, 5, 4, 3]);
  expect(idsOf(catalogue.listRecommended("watch", 1))).toEqual([9, 8, 7, 6, 5, 4]);
});

test("a small shelf recommends what it has", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(3) });
  expect(idsOf(catalogue.listRecommended("watch", 2))).toEqual([3, 1]);
  expect(catalogue.listRecommended("read", 2)).toEqual([]);
});

test("the latest are a video, an article and a webinar, in that order, whichever is newest", async () => {
  const { catalogue } = await openFilledHouse({
    sources: [
      aSource({ id: 1, type: "videos" }),
      aSource({ id: 5, type: "post" }),
      aSource({ id: 9, type: "tutorials" }),
      aSource({ id: 3, type: "videos" }),
      aSource({ id: 2, type: "post" }),
    ],
  });
  expect(catalogue.listLatest().map(({ kind, id }) => `${kind} ${id}`)).toEqual(["watch 3", "read 5", "learn 9"]);
});

test("the latest leave out a kind that has nothing", async () => {
  const { catalogue } = await openFilledHouse({
    sources: [aSource({ id: 9, type: "tutorials" }), aSource({ id: 3, type: "videos" })],
  });
  expect(idsOf(catalogue.listLatest())).toEqual([3, 9]);
});

test("sticky articles are featured and not listed, and can be opened", async () => {
  const { catalogue } = await openFilledHouse({
    sources: [aSource({ id: 1, type: "post", sticky: true }), aSource({ id: 2, type: "post", sticky: false })],
  });
  expect(idsOf(catalogue.listFeatured())).toEqual([1]);
  expect(idsOf(catalogue.findPage("read", 1)?.cards)).toEqual([2]);
  expect(catalogue.findItem("read", 1)).toMatchObject({ isSticky: true });
});

test("a video and an article with one number are two items", async () => {
  const { catalogue } = await openFilledHouse({
    sources: [
      aSource({ id: 5, type: "videos", title: { rendered: "To watch" } }),
      aSource({ id: 5, type: "post", title: { rendered: "To read" } }),
    ],
  });
  expect(catalogue.findItem("watch", 5)?.title).toBe("To watch");
  expect(catalogue.findItem("read", 5)?.title).toBe("To read");
  expect(catalogue.findItem("learn", 5)).toBeUndefined();
});

test("a protected item is nowhere to be found, and nothing to be logged", async () => {
  const hidden = aSource({ id: 2, type: "videos", title: { rendered: "Hidden lullaby" } });
  const { catalogue, log } = await openFilledHouse({
    sources: [aSource({ id: 1, type: "videos" }), { ...hidden, content: { rendered: "", protected: true } }],
  });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([1]);
  expect(catalogue.findItem("watch", 2)).toBeUndefined();
  expect(idsOf(catalogue.listLatest())).toEqual([1]);
  expect(catalogue.search({ term: "lullaby", order: "best" }).byKind.watch).toEqual([]);
  expect(log.lines).toEqual([]);
});

test.each([
  ["a date that cannot be read", { ...aSource({ id: 2, type: "videos" }), date: "soon" }, 2],
  ["no title", { ...aSource({ id: 2, type: "videos" }), title: undefined }, 2],
  ["a type we do not have", { ...aSource({ id: 2, type: "videos" }), type: "page" }, 2],
  ["nothing but null", null, undefined],
  ["a word for an item", "oops", undefined],
  ["an error for an item", { code: "rest_forbidden" }, undefined],
])("an item with %s is skipped and logged, and the others are shown", async (_, unreadable, item) => {
  const { catalogue, log } = await openFilledHouse({
    sources: [aSource({ id: 1, type: "videos" }), unreadable, aSource({ id: 3, type: "videos" })],
  });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 1]);
  expect(log.lines).toEqual([
    { level: "warn", event: "an item was skipped", facts: { item, error: expect.any(Error) } },
  ]);
});

test("an item that becomes unreadable is withdrawn, the rest stays", async () => {
  const { catalogue, content } = await openFilledHouse({ sources: videos(3) });
  content.sources = [...videos(2), { ...aSource({ id: 3, type: "videos" }), date: "soon" }];
  await catalogue.refresh();
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([2, 1]);
});

test("when the source fails the last catalogue stays, and the fault is logged", async () => {
  const { catalogue, content, log } = await openFilledHouse({ sources: videos(3) });
  const item = catalogue.findItem("watch", 3);
  content.fault = new Error("the CMS is down");
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 3)).toBe(item);
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 2, 1]);
  expect(log.lines).toEqual([
    { level: "error", event: expect.stringContaining("cannot be read"), facts: { error: content.fault } },
  ]);
});

test("a source that fails at the start leaves the house not ready until it answers", async () => {
  const { catalogue, content, log } = openHouse({ sources: videos(1) });
  content.fault = new Error("the CMS is down");
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(false);
  expect(log.lines).toHaveLength(1);
  content.fault = undefined;
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 1)).toBeDefined();
});

test("a refresh that brings nothing new keeps the very same items and cards", async () => {
  const { catalogue } = await openFilledHouse({ sources: videos(9) });
  const items = range(1, 9).map((id) => catalogue.findItem("watch", id));
  const firstCard = catalogue.findPage("watch", 1)?.cards[0];
  await catalogue.refresh();
  for (const [index, item] of items.entries()) expect(catalogue.findItem("watch", index + 1)).toBe(item);
  expect(catalogue.findPage("watch", 1)?.cards[0]).toBe(firstCard);
});

test("a refresh remakes the item that changed, and only that one", async () => {
  const { catalogue, content } = await openFilledHouse({ sources: videos(3) });
  const [first, second, third] = [1, 2, 3].map((id) => catalogue.findItem("watch", id));
  const changed = aSource({ id: 2, type: "videos", title: { rendered: "Item 2, again" } });
  content.sources = videos(3).with(1, changed);
  await catalogue.refresh();
  expect(catalogue.findItem("watch", 1)).toBe(first);
  expect(catalogue.findItem("watch", 3)).toBe(third);
  expect(catalogue.findItem("watch", 2)).not.toBe(second);
  expect(catalogue.findItem("watch", 2)?.title).toBe("Item 2, again");
  expect(catalogue.findPage("watch", 1)?.cards[1]?.title).toBe("Item 2, again");
  expect(catalogue.search({ term: "again", order: "best" }).byKind.watch[0]?.id).toBe(2);
});

test("a refresh brings what is new and withdraws what is gone", async () => {
  const { catalogue, content } = await openFilledHouse({ sources: videos(3) });
  content.sources = [...videos(2), aSource({ id: 7, type: "videos" })];
  await catalogue.refresh();
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([7, 2, 1]);
  expect(catalogue.findItem("watch", 3)).toBeUndefined();
  content.sources = [];
  await catalogue.refresh();
  expect(catalogue.findPage("watch", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.isReady()).toBe(true);
});

test("while a refresh is under way the last catalogue answers whole", async () => {
  const { catalogue, content } = await openFilledHouse({ sources: videos(3) });
  content.sources = videos(40);
  const refreshed = catalogue.refresh();
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 2, 1]);
  await refreshed;
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([40, 39, 38, 37]);
});

test("a refresh that is asked for twice at once is one", async () => {
  const { catalogue, content } = await openFilledHouse({ sources: videos(1) });
  content.sources = videos(2);
  const first = catalogue.refresh();
  expect(catalogue.refresh()).toBe(first);
  await first;
  content.sources = videos(3);
  await catalogue.refresh();
  expect(catalogue.findItem("watch", 3)).toBeDefined();
});

test("of two items with one number the later stands, once", async () => {
  const { catalogue } = await openFilledHouse({
    sources: [...videos(1), aSource({ id: 1, type: "videos", title: { rendered: "Again" } })],
  });
  expect(catalogue.findPage("watch", 1)?.cards.map(({ title }) => title)).toEqual(["Again"]);
});

test.each([0, -1, 1.5, Number.NaN])("there is no page %d", async (page) => {
  const { catalogue } = await openFilledHouse({ sources: videos(1) });
  expect(catalogue.findPage("watch", page)).toBeUndefined();
});
