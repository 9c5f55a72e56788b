import { describe, expect, test } from "vitest";

import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { type Clock, HOUR_IN_MS } from "../../platform/clock.ts";
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
const listIds = (cards: { id: number }[] | undefined) => cards?.map(({ id }) => id);

type AppOptions = { sources: unknown[]; cardsPerPage?: number; site?: string; clock?: Clock };

/** A catalogue over a list that a test may change; with `fault` the source cannot be read. */
function openCatalogue({ sources, site, clock, cardsPerPage = 4 }: AppOptions) {
  const content: { sources: unknown[]; fault: Error | undefined } = { sources, fault: undefined };
  const log = createQuietLog();
  const catalogue = createCatalogue({
    source: {
      name: "a list",
      ...(site && { site }),
      check: async () => ({ isWell: true, message: "" }),
      listItems: () =>
        content.fault ? Promise.reject(content.fault) : Promise.resolve(structuredClone(content.sources)),
      findMedia: () => Promise.resolve(undefined),
    },
    setting: { productName: "Dormouse", basePath: "/dashboard/" },
    log,
    cardsPerPage,
    ...(clock && { clock }),
  });
  return { catalogue, content, log };
}

async function openFilledCatalogue(options: AppOptions) {
  const app = openCatalogue(options);
  await app.catalogue.refresh();
  return app;
}

test("before the first refresh the catalogue is empty and not ready", async () => {
  const { catalogue } = openCatalogue({ sources: videos(3) });
  expect(catalogue.isReady()).toBe(false);
  expect(catalogue.findItem("watch", 1)).toBeUndefined();
  expect(catalogue.findPage("watch", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.listLatest()).toEqual([]);
  await catalogue.refresh();
  expect(catalogue.isReady()).toBe(true);
  expect(catalogue.findItem("watch", 1)).toMatchObject({ id: 1, title: "Item 1" });
});

test.each([1, 2, 5, 6])("pages of %d show every item of a list exactly once, in order", async (cardsPerPage) => {
  for (const count of [0, 1, 5, 6, 12, 13]) {
    const { catalogue } = await openFilledCatalogue({ sources: videos(count), cardsPerPage });
    const { pageCount } = catalogue.findPage("watch", 1) ?? { pageCount: 0 };
    const pages = range(1, pageCount).map((page) => listIds(catalogue.findPage("watch", page)?.cards) ?? []);
    expect(pages.flat()).toEqual(range(1, count).toReversed());
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(cardsPerPage);
    for (const page of [pageCount + 1, 1e9, 0, -1, 1.5, Number.NaN]) {
      expect(catalogue.findPage("watch", page)).toBeUndefined();
    }
    expect(pageCount).toBe(Math.max(1, Math.ceil(count / cardsPerPage)));
  }
});

test("six items are recommended, and never the open one", async () => {
  const { catalogue } = await openFilledCatalogue({ sources: videos(9) });
  expect(listIds(catalogue.listRecommended("watch", 9))).toEqual([8, 7, 6, 5, 4, 3]);
  expect(listIds(catalogue.listRecommended("watch", 6))).toEqual([9, 8, 7, 5, 4, 3]);
  expect(listIds(catalogue.listRecommended("watch", 1))).toEqual([9, 8, 7, 6, 5, 4]);
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

test("a protected item is left out without a log line", async () => {
  const hidden = aSource({ id: 2, type: "videos", title: { rendered: "Hidden lullaby" } });
  const { catalogue, log } = await openFilledCatalogue({
    sources: [aSource({ id: 1, type: "videos" }), { ...hidden, content: { rendered: "", protected: true } }],
  });
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([1]);
  expect(catalogue.findItem("watch", 2)).toBeUndefined();
  expect(listIds(catalogue.listLatest())).toEqual([1]);
  expect(catalogue.search({ term: "lullaby", order: "best" }).list("watch")).toEqual([]);
  expect(log.lines).toEqual([]);
});

test("of two items with one number the later is kept", async () => {
  const { catalogue } = await openFilledCatalogue({
    sources: [...videos(1), aSource({ id: 1, type: "videos", title: { rendered: "Again" } })],
  });
  expect(catalogue.findPage("watch", 1)?.cards.map(({ title }) => title)).toEqual(["Again"]);
});

test("the status has counts, the time of reading, and the items that were left out with the reasons", async () => {
  const clock = createTestClock();
  const sources = [...videos(1), aSource({ id: 2, type: "post" }), { id: 4, type: "videos" }, "odd"];
  const { catalogue, content } = openCatalogue({ sources, clock });
  const none = { watch: 0, listen: 0, read: 0, learn: 0 };
  const well = { source: "a list", isStale: false, fault: undefined, skipped: [], losses: [] };
  expect(catalogue.status()).toEqual({ ...well, counts: none, readAt: undefined });

  await catalogue.refresh();
  const status = catalogue.status();
  const skipped = [
    { id: "4", reason: expect.stringMatching(/^date: .*; title: .*; content: /) },
    { id: "at place 4", reason: expect.stringContaining("expected object") },
  ];
  expect(status).toEqual({ ...well, counts: { ...none, watch: 1, read: 1 }, readAt: clock(), skipped });

  clock.advance(60_000);
  content.fault = new Error("The line is down");
  await catalogue.refresh();
  expect(catalogue.status()).toEqual({ ...status, fault: "Error: The line is down" });
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([1]);

  content.fault = undefined;
  content.sources = videos(1);
  await catalogue.refresh();
  expect(catalogue.status()).toEqual({ ...well, counts: { ...none, watch: 1 }, readAt: clock() });
});

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
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 1]);
  expect(log.lines).toEqual([
    { level: "warn", event: "an item was skipped", facts: { item, error: expect.any(Error) } },
  ]);
});

test("a source that fails at the start leaves the app not ready until it answers", async () => {
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
  expect(catalogue.search({ term: "again", order: "best" }).list("watch")[0]?.id).toBe(2);
});

test("a refresh adds new items and removes deleted ones", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
  content.sources = [...videos(2), aSource({ id: 7, type: "videos" })];
  await catalogue.refresh();
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([7, 2, 1]);
  expect(catalogue.findItem("watch", 3)).toBeUndefined();
  content.sources = [];
  await catalogue.refresh();
  expect(catalogue.findPage("watch", 1)).toEqual({ cards: [], page: 1, pageCount: 1 });
  expect(catalogue.isReady()).toBe(true);
});

test("the previous catalogue answers while a refresh is running", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(3) });
  content.sources = videos(40);
  const refreshed = catalogue.refresh();
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([3, 2, 1]);
  await refreshed;
  expect(listIds(catalogue.findPage("watch", 1)?.cards)).toEqual([40, 39, 38, 37]);
});

test("two simultaneous requests for a refresh cause one", async () => {
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(1) });
  content.sources = videos(2);
  const first = catalogue.refresh();
  expect(catalogue.refresh()).toBe(first);
  await first;
  content.sources = videos(3);
  await catalogue.refresh();
  expect(catalogue.findItem("watch", 3)).toBeDefined();
});

describe("links between items", () => {
  const body = (html: string) => ({ content: { rendered: html } });
  const linked = (id: number, more: object = {}) =>
    aSource({ id, type: "post", link: `https://cms.example/article-${id}/`, ...more });
  const first = linked(1, body('<a href="/article-2/">Two</a>'));
  const ours = '<a href="/dashboard/?view=read&amp;item=2">Two</a>';
  const theirs = '<a href="https://cms.example/article-2/" rel="noopener noreferrer">Two</a>';

  test("are updated when their target comes and goes, in a text that did not change", async () => {
    const site = "https://cms.example/";
    const { catalogue, content } = await openFilledCatalogue({ sources: [first, linked(3)], site });
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(theirs);
    const third = catalogue.findItem("read", 3);

    content.sources = [first, linked(3), linked(2)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(ours);
    expect(catalogue.findItem("read", 3)).toBe(third);

    const resolved = catalogue.findItem("read", 1);
    content.sources = [first, linked(3), linked(2, { title: { rendered: "Two, again" } })];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)).toBe(resolved);

    content.sources = [first, linked(3), linked(2, { link: "https://cms.example/moved/" })];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(theirs);
    content.sources = [first, linked(3), linked(2)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(ours);

    content.sources = [first, linked(3)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(theirs);
  });

  test.each([
    ["whose date cannot be read", { date: "soon" }],
    ["that is behind a password", { content: { rendered: "", protected: true } }],
  ])("never lead to an item %s", async (_, more) => {
    const sources = [first, linked(2, more)];
    const { catalogue, log } = await openFilledCatalogue({ sources, site: "https://cms.example/" });
    expect(catalogue.findItem("read", 1)?.readTexts().bodyHtml).toBe(theirs);
    const before = catalogue.findItem("read", 1);
    log.lines.length = 0;
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)).toBe(before);
    expect(log.lines.length).toBe("date" in more ? 1 : 0);
  });

  test("lead to all three kinds, by permalink and by number, also where the CMS is asked by another name", async () => {
    const text = ["videos", "post", "tutorials"]
      .flatMap((type, at) => [
        `https://www.example.org/${type}/x/`,
        `/?p=${at + 1}`,
        `https://www.example.org/?p=${at + 1}`,
      ])
      .map((address) => `<a href="${address}">a</a>`)
      .join("<br>");
    const source = (type: "videos" | "post" | "tutorials", id: number, more = {}) =>
      aSource({ id, type, link: `https://www.example.org/${type}/x/`, ...more });
    const sources = [source("videos", 1), source("post", 2, body(text)), source("tutorials", 3)];
    const { catalogue } = await openFilledCatalogue({ sources, site: "http://wordpress:8080/" });
    const found = [...(catalogue.findItem("read", 2)?.readTexts().bodyHtml ?? "").matchAll(/href="([^"]*)"/g)].map(
      ([, to]) => to,
    );
    const paths = ["watch&amp;item=1", "read&amp;item=2", "learn&amp;item=3"].map((path) => `/dashboard/?view=${path}`);
    expect(found).toEqual(paths.flatMap((path) => [path, path, path]));
  });
});

test("the status lists what items lost, and a change is logged", async () => {
  const broken = aSource({ id: 2, type: "post", content: { rendered: "<p>a</p><script></script><form></form>" } });
  const { catalogue, content, log } = await openFilledCatalogue({
    sources: [aSource({ id: 1, type: "post" }), broken],
  });
  const losses = [
    { what: "script", why: "scripts of a text never run here", count: 1 },
    { what: "form", why: "forms of the CMS do not work here", count: 1 },
  ];
  expect(catalogue.status().losses).toEqual([{ kind: "read", id: 2, title: "Item 2", losses }]);
  const line = {
    level: "warn",
    event: "parts of the content were lost: see catalogue status",
    facts: { items: 1, parts: 2 },
  };
  expect(log.lines).toEqual([line]);
  await catalogue.refresh();
  expect(log.lines).toEqual([line]);
  content.sources = [aSource({ id: 1, type: "post" })];
  await catalogue.refresh();
  expect(catalogue.status().losses).toEqual([]);
  expect(log.lines).toEqual([line]);
});

test("a list is made once, until the content or the day changes", async () => {
  const clock = createTestClock("2026-11-20T22:30:00Z");
  const { catalogue, content } = await openFilledCatalogue({ sources: videos(2), clock });
  const days = () => catalogue.remember("days", () => catalogue.findPage("watch", 1)?.cards.map(({ day }) => day));
  const first = days();
  expect(days()).toBe(first);

  content.sources = videos(3);
  await catalogue.refresh();
  const second = days();
  expect(second).toHaveLength(3);
  expect(days()).toBe(second);

  clock.advance(2 * HOUR_IN_MS);
  expect(days()).not.toBe(second);
  expect(catalogue.remember("nothing", () => undefined)).toBeUndefined();
  expect(catalogue.remember<string | undefined>("nothing", () => "something")).toBe("something");
});
