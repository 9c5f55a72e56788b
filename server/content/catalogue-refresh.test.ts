import { expect, test } from "vitest";

import {
  aSource,
  idsOf,
  openCatalogue,
  openFilledCatalogue,
  range,
  videos,
} from "../../tests/helpers/catalogue-house.ts";

test.each([
  ["a date that cannot be read", { ...aSource({ id: 2, type: "videos" }), date: "soon" }, 2],
  ["no title", { ...aSource({ id: 2, type: "videos" }), title: undefined }, 2],
  ["a type we do not have", { ...aSource({ id: 2, type: "videos" }), type: "page" }, 2],
  ["nothing but null", null, undefined],
  ["a word for an item", "oops", undefined],
  ["an error for an item", { code: "rest_forbidden" }, undefined],
])("an item with %s is skipped and logged, and the others are shown", async (_, unreadable, item) => {
  const { catalogue, log } = await openFilledCatalogue({
    sources: [aSource({ id: 1, type: "videos" }), unreadable, aSource({ id: 3, type: "videos" })],
  });
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 1]);
  expect(log.lines).toEqual([
    { level: "warn", event: "an item was skipped", facts: { item, error: expect.any(Error) } },
  ]);
});

test("an item that becomes unreadable is withdrawn, the rest stays", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
  content.sources = [...videos(2), { ...aSource({ id: 3, type: "videos" }), date: "soon" }];
  await catalogue.refresh();
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([2, 1]);
});

test("when the source fails the last catalogue stays, and the fault is logged", async () => {
  const { catalogue, content, log } = await openFilledCatalogue({ sources: videos(3) });
  const item = catalogue.findItem("watch", 3);
  content.fault = new Error("the CMS is down");
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 3)).toBe(item);
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 2, 1]);
  expect(log.lines).toEqual([
    { level: "warn", event: expect.stringContaining("cannot be read"), facts: { error: content.fault } },
  ]);
});

test("a source that fails at the start leaves the house not ready until it answers", async () => {
  const { catalogue, content, log } = openCatalogue({ sources: videos(1) });
  content.fault = new Error("the CMS is down");
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(false);
  expect(log.lines).toHaveLength(1);
  content.fault = undefined;
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 1)).toBeDefined();
  expect(log.lines.map(({ level, event }) => `${level}: ${event}`)).toEqual([
    "warn: the content source cannot be read; the last catalogue stays",
    "info: the content source can be read again",
  ]);
});

test("a refresh that brings nothing new keeps the very same items and cards", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(9) });
  const items = range(1, 9).map((id) => catalogue.findItem("watch", id));
  const firstCard = catalogue.findPage("watch", 1)?.cards[0];
  await catalogue.refresh();
  for (const [index, item] of items.entries()) expect(catalogue.findItem("watch", index + 1)).toBe(item);
  expect(catalogue.findPage("watch", 1)?.cards[0]).toBe(firstCard);
});

test("a refresh remakes the item that changed, and only that one", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
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
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
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
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
  content.sources = videos(40);
  const refreshed = catalogue.refresh();
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 2, 1]);
  await refreshed;
  expect(idsOf(catalogue.findPage("watch", 1)?.cards)).toEqual([40, 39, 38, 37]);
});

test("a refresh that is asked for twice at once is one", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(1) });
  content.sources = videos(2);
  const first = catalogue.refresh();
  expect(catalogue.refresh()).toBe(first);
  await first;
  content.sources = videos(3);
  await catalogue.refresh();
  expect(catalogue.findItem("watch", 3)).toBeDefined();
});
