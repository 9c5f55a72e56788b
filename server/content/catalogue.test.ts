import { expect, test } from "vitest";

import {
  aSource,
  idsOf,
  openCatalogue,
  openFilledCatalogue,
  range,
  videos,
} from "../../tests/helpers/catalogue-app.ts";

test("before the first refresh the catalogue is empty, and says that it is not ready", async () => {
  const { catalogue } = openCatalogue({ sources: videos(3) });
  expect(catalogue.isReady()).toBe(false);
  expect(catalogue.findItem("watch", 1)).toBeUndefined();
  expect(catalogue.findPage("watch", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.listLatest()).toEqual([]);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 1)).toMatchObject({ id: 1, title: "Item 1" });
});

test("a list is paged, newest first, and ends where it ends", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(10), cardsPerPage: 4 });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([10, 9, 8, 7]);
  expect(idsOf(catalogue.findPage("watch", 2)?.cards)).toEqual([6, 5, 4, 3]);
  expect(idsOf(catalogue.findPage("watch", 3)?.cards)).toEqual([2, 1]);
  expect(catalogue.findPage("watch", 3)).toMatchObject({ page: 3, pageCount: 3 });
  expect(catalogue.findPage("watch", 4)).toBeUndefined();
  expect(catalogue.findPage("watch", 1e9)).toBeUndefined();
});

test("a full last page is the last", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(8), cardsPerPage: 4 });
  expect(catalogue.findPage("watch", 2)).toMatchObject({ pageCount: 2 });
  expect(catalogue.findPage("watch", 3)).toBeUndefined();
});

test("an empty list has a first page and no second", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(2) });
  expect(catalogue.findPage("learn", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.findPage("learn", 2)).toBeUndefined();
});

test.each(range(1, 6))("pages of %d show every item of a list exactly once, in order", async (cardsPerPage) => {
  for (const count of range(0, 13)) {
    const { catalogue } = await openFilledCatalogue({ sources: videos(count), cardsPerPage });
    const { pageCount } = catalogue.findPage("watch", 1) ?? { pageCount: 0 };
    const pages = range(1, pageCount).map((page) => idsOf(catalogue.findPage("watch", page)?.cards) ?? []);
    expect(pages.flat()).toEqual(range(1, count).toReversed());
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(cardsPerPage);
    expect(catalogue.findPage("watch", pageCount + 1)).toBeUndefined();
  }
});

test("six are recommended, and never the one that is open", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(9) });
  expect(idsOf(catalogue.listRecommended("watch", 9))).toEqual([8, 7, 6, 5, 4, 3]);
  expect(idsOf(catalogue.listRecommended("watch", 6))).toEqual([9, 8, 7, 5, 4, 3]);
  expect(idsOf(catalogue.listRecommended("watch", 1))).toEqual([9, 8, 7, 6, 5, 4]);
});

test("a small listing recommends what it has", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(3) });
  expect(idsOf(catalogue.listRecommended("watch", 2))).toEqual([3, 1]);
  expect(catalogue.listRecommended("read", 2)).toEqual([]);
});

test("the latest are a video, an article and a webinar, in that order, whichever is newest", async () => {
  const { catalogue } = await openFilledCatalogue({
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
  const { catalogue } = await openFilledCatalogue({
    sources: [aSource({ id: 9, type: "tutorials" }), aSource({ id: 3, type: "videos" })],
  });
  expect(idsOf(catalogue.listLatest())).toEqual([3, 9]);
});

test("sticky articles are featured and not listed, and can be opened", async () => {
  const { catalogue } = await openFilledCatalogue({
    sources: [aSource({ id: 1, type: "post", sticky: true }), aSource({ id: 2, type: "post", sticky: false })],
  });
  expect(idsOf(catalogue.listFeatured())).toEqual([1]);
  expect(idsOf(catalogue.findPage("read", 1)?.cards)).toEqual([2]);
  expect(catalogue.findItem("read", 1)).toMatchObject({ isSticky: true });
});

test("a video and an article with one number are two items", async () => {
  const { catalogue } = await openFilledCatalogue({
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
  const { catalogue, log } = await openFilledCatalogue({
    sources: [aSource({ id: 1, type: "videos" }), { ...hidden, content: { rendered: "", protected: true } }],
  });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([1]);
  expect(catalogue.findItem("watch", 2)).toBeUndefined();
  expect(idsOf(catalogue.listLatest())).toEqual([1]);
  expect(catalogue.search({ term: "lullaby", order: "best" }).byKind.watch).toEqual([]);
  expect(log.lines).toEqual([]);
});

test("of two items with one number the later stands, once", async () => {
  const { catalogue } = await openFilledCatalogue({
    sources: [...videos(1), aSource({ id: 1, type: "videos", title: { rendered: "Again" } })],
  });
  expect(catalogue.findPage("watch", 1)?.cards.map(({ title }) => title)).toEqual(["Again"]);
});

test.each([0, -1, 1.5, Number.NaN])("there is no page %d", async (page) => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(1) });
  expect(catalogue.findPage("watch", page)).toBeUndefined();
});
