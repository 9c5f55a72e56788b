import { describe, expect, test } from "vitest";

import {
  aSource,
  idsOf,
  openCatalogue,
  openFilledCatalogue,
  range,
  videos,
} from "../../tests/helpers/catalogue-app.ts";

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

describe("links between items", () => {
  const body = (html: string) => ({ content: { rendered: html } });
  const linked = (id: number, more: object = {}) =>
    aSource({ id, type: "post", link: `https://cms.example/article-${id}/`, ...more });
  const first = linked(1, body('<a href="/article-2/">Two</a>'));
  const ours = '<a href="/dashboard/?view=read&amp;item=2">Two</a>';
  const theirs = '<a href="https://cms.example/article-2/" rel="noopener noreferrer">Two</a>';

  test("follow when the item that they lead to comes and goes, in a text that did not change", async () => {
    const site = "https://cms.example/";
    const { catalogue, content } = await openFilledCatalogue({ sources: [first, linked(3)], site });
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(theirs);
    const third = catalogue.findItem("read", 3);

    content.sources = [first, linked(3), linked(2)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(ours);
    expect(catalogue.findItem("read", 3)).toBe(third);

    const resolved = catalogue.findItem("read", 1);
    content.sources = [first, linked(3), linked(2, { title: { rendered: "Two, again" } })];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)).toBe(resolved);

    content.sources = [first, linked(3), linked(2, { link: "https://cms.example/moved/" })];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(theirs);
    content.sources = [first, linked(3), linked(2)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(ours);

    content.sources = [first, linked(3)];
    await catalogue.refresh();
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(theirs);
  });

  test.each([
    ["whose date cannot be read", { date: "soon" }],
    ["that is behind a password", { content: { rendered: "", protected: true } }],
  ])("never lead to an item %s", async (_, more) => {
    const sources = [first, linked(2, more)];
    const { catalogue, log } = await openFilledCatalogue({ sources, site: "https://cms.example/" });
    expect(catalogue.findItem("read", 1)?.bodyHtml).toBe(theirs);
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
    const found = [...(catalogue.findItem("read", 2)?.bodyHtml ?? "").matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
    const paths = ["watch&amp;item=1", "read&amp;item=2", "learn&amp;item=3"].map((path) => `/dashboard/?view=${path}`);
    expect(found).toEqual(paths.flatMap((path) => [path, path, path]));
  });
});

test("what items lost is in the status, and a line in the log when it changes", async () => {
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
    event: "parts of the content could not be brought in: see catalogue status",
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
