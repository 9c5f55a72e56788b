import { describe, expect, test } from "vitest";

import { findDangers } from "../../../tests/helpers/html-dangers.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { openContent } from "../../adapters/adapters.ts";
import { readConfig } from "../../config.ts";
import { DAY_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import { createCatalogue } from "./catalogue.ts";
import { withTexts } from "../items/item.ts";
import type { Section } from "../items/kinds.ts";
import type { GapFilter } from "../items/item-facts.ts";
import type { ContentSource, DraftSource } from "../items/source.ts";

const setting = { productName: "Dormouse", basePath: "/" };

const item = (id: number, more: object = {}) => ({
  id,
  type: "post",
  date: "2026-11-01T07:00:00",
  title: { rendered: `Item ${id}` },
  content: { rendered: "<p>Sleep.</p>" },
  _embedded: { author: [{ name: "Maren Holt" }], "wp:featuredmedia": [{ source_url: "media/cover.webp" }] },
  ...more,
});

async function openCatalogue(given: Partial<ContentSource> & { items?: unknown[] }) {
  const { items = [], ...more } = given;
  const source: ContentSource = {
    name: "a test's content",
    listItems: async () => items,
    findMedia: async () => undefined,
    check: async () => ({ isWell: true, message: "" }),
    ...more,
  };
  const clock = createTestClock("2026-11-20T03:00:00Z");
  const catalogue = createCatalogue({ source, setting, clock, log: createQuietLog(), cardsPerPage: 24 });
  await catalogue.refresh();
  return { catalogue, clock, ...catalogue.editorial };
}

describe("the content that comes with the product", async () => {
  const log = createQuietLog();
  const clock = createTestClock("2026-11-20T03:00:00Z");
  const source = await openContent(readConfig({ DEMO: "true", DATA_DIR: "/tmp" }), { clock, log });
  const catalogue = createCatalogue({ source, setting, clock, log, cardsPerPage: 24 });
  await catalogue.refresh();
  const list = (filter: GapFilter, section?: Section) =>
    catalogue.editorial.listGaps({ section, filter, page: 1, perPage: 1000 });
  const listIds = async (filter: GapFilter, section?: Section) =>
    (await list(filter, section))?.rows.map(({ id }) => id).toSorted();

  test("lacks what its files lack, section by section", async () => {
    expect(await listIds("transcript")).toEqual([2016, 2017, 2018]);
    expect(await listIds("picture")).toEqual([]);
    // The team signs a sample, and its note says that it was not reviewed.
    expect(await listIds("author")).toEqual([]);
    expect(await listIds("review")).toEqual([]);
    expect(await listIds("links")).toEqual([]);
    const { counts } = (await list("any")) ?? {};
    expect(await catalogue.editorial.countGaps()).toEqual(counts);
    expect(counts?.any).toBe((await listIds("any"))?.length);
    expect((counts?.any ?? 0) + (counts?.none ?? 0)).toBe(26 + 28 + 10 + 24);
    expect((await listIds("none"))?.length).toBe(counts?.none);
  });
});

describe("the list of gaps", () => {
  test("has an item a year after its last review", async () => {
    const { clock, listGaps } = await openCatalogue({ items: [item(1, { acf: { reviewed: "2026-11-02" } })] });
    const countReviews = async () => (await listGaps({ filter: "review", page: 1 }))?.counts.review;
    expect(await countReviews()).toBe(0);
    clock.advance(370 * DAY_IN_MS);
    expect(await countReviews()).toBe(1);
  });

  test("has pages of 50, the newest first, and none past the last", async () => {
    const items = Array.from({ length: 120 }, (_, at) =>
      item(at + 1, { date: `2026-0${(at % 9) + 1}-10T00:00:00`, _embedded: undefined }),
    );
    const { listGaps } = await openCatalogue({ items });
    const first = await listGaps({ filter: "any", page: 1 });
    expect(first).toMatchObject({ page: 1, pageCount: 3, total: 120, rows: { length: 50 } });
    const dates = first?.rows.map(({ date }) => date) ?? [];
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(await listGaps({ filter: "any", page: 3 })).toMatchObject({ rows: { length: 20 } });
    for (const page of [0, 4]) expect(await listGaps({ filter: "any", page })).toBeUndefined();
    expect(await listGaps({ filter: "none", page: 1 })).toMatchObject({ rows: [], pageCount: 1, total: 0 });
  });

  test("is worked out once for as long as nothing changes, and never by a refresh", async () => {
    let requestCount = 0;
    let items = [item(1), item(2)];
    const hasMedia = async () => (requestCount += 1) > 0;
    const { catalogue, clock, listGaps } = await openCatalogue({ listItems: async () => items, hasMedia });
    expect(requestCount).toBe(0);
    const query = { filter: "links", page: 1 } as const;
    await Promise.all([listGaps(query), listGaps(query)]);
    expect(requestCount).toBe(2);
    clock.advance(6 * MINUTE_IN_MS);
    await listGaps(query);
    expect(requestCount).toBe(4);
    items = [...items, item(3)];
    await catalogue.refresh();
    expect(requestCount).toBe(4);
    await listGaps(query);
    expect(requestCount).toBe(7);
  });

  test("leaves out an item that was withdrawn, and what its links led to is dead", async () => {
    let items = [
      item(1, { content: { rendered: '<a href="/?view=read&item=2">x</a>' } }),
      item(2, { _embedded: undefined }),
    ];
    const { catalogue, listGaps } = await openCatalogue({ listItems: async () => items });
    const listIds = async () => (await listGaps({ filter: "any", page: 1 }))?.rows.map(({ id }) => id);
    expect(await listIds()).toEqual([2]);
    items = items.slice(0, 1);
    await catalogue.refresh();
    expect(await listIds()).toEqual([1]);
  });
});

describe("a preview", () => {
  const hostile = item(9, {
    title: { rendered: "Soon <script>alert(1)</script>" },
    content: {
      rendered:
        '<p onclick="x()">Words</p><script>alert(1)</script><img src="media/soon.webp" onerror="x()"><iframe src="https://evil.example/"></iframe><a href="/?view=read&item=1">one</a>',
    },
    acf: { transcript: "<svg onload=x()></svg><p>Said</p>", video_url: "media/soon.mp4" },
  });
  const head = { kind: "read", id: 9, title: "Soon", state: "draft", changedAt: undefined } as const;
  const drafts: DraftSource = {
    list: async () => ({ ok: true, drafts: [{ ...head, title: "<b>Soon</b> &amp; &lt;late&gt;" }] }),
    find: async ({ id }) => ({ ok: true, draft: id === 9 ? { ...head, item: hostile } : undefined }),
    findMedia: async () => undefined,
  };

  test("of a draft is made as safe as an item, and names its files at the desk", async () => {
    const { catalogue, findPreview } = await openCatalogue({ items: [item(1)], drafts });
    const preview = await findPreview({ kind: "read", id: 9 });
    if (!preview?.ok) throw new Error("There is no preview");
    expect(preview.draft).toEqual(head);
    const shown = withTexts(preview.item);
    expect(findDangers(shown.bodyHtml)).toEqual([]);
    expect(shown).toMatchObject({
      title: "Soon",
      transcriptHtml: '<p id="transcript-1">Said</p>',
      picture: { src: "/desk/drafts/read-9/cover.webp" },
      video: { src: "/desk/drafts/read-9/soon.mp4" },
    });
    expect(shown.bodyHtml).toContain('src="/desk/drafts/read-9/soon.webp"');
    expect(JSON.stringify(shown)).not.toContain('"/media/');
    expect(preview.losses.map(({ what }) => what)).toEqual(["script", "frame", "drawing"]);
    // That makes it no item.
    expect(catalogue.findItem("read", 9)).toBeUndefined();
    expect(catalogue.search({ term: "soon", order: "best" }).counts.read).toBe(0);
  });

  test("of an item that is published is the item, files and all", async () => {
    const { catalogue, findPreview } = await openCatalogue({ items: [item(1)], drafts });
    const preview = await findPreview({ kind: "read", id: 1 });
    expect(preview).toMatchObject({ ok: true, draft: undefined, findings: [] });
    expect(preview?.ok && preview.item).toBe(catalogue.findItem("read", 1));
  });

  test("asks for each file where that is wished for, of items and of drafts", async () => {
    const findMedia = async (name: string) => (name === "cover.webp" ? ("away" as const) : undefined);
    const { findPreview } = await openCatalogue({
      items: [item(1)],
      findMedia,
      drafts: { ...drafts, findMedia: async () => undefined },
    });
    const findGapsFor = async (id: number, asksForFiles: boolean) => {
      const preview = await findPreview({ kind: "read", id }, { asksForFiles });
      return preview?.ok ? preview.findings.map(({ message }) => message) : undefined;
    };
    expect(await findGapsFor(1, true)).toEqual([]);
    expect(await findGapsFor(9, false)).toEqual([]);
    expect(await findGapsFor(9, true)).toEqual([
      "The file cover.webp is missing.",
      "The file soon.mp4 is missing.",
      "The file soon.webp is missing.",
    ]);
  });

  test("of a piece of Awake now shows the piece, which has no page of its own", async () => {
    const piece = item(5, { _embedded: { "wp:term": [[], [{ name: "Awake now" }]] } });
    const { catalogue, findPreview, listGaps } = await openCatalogue({ items: [piece] });
    expect(catalogue.findItem("read", 5)).toBeUndefined();
    expect(await findPreview({ kind: "read", id: 5 })).toMatchObject({ ok: true, item: { id: 5 } });
    expect((await listGaps({ filter: "none", page: 1 }))?.rows).toMatchObject([{ id: 5, isAwakePiece: true }]);
  });

  test.each([
    ["nothing", { ok: true, draft: undefined } as const, undefined],
    ["a refusal", { ok: false, message: "It is away" } as const, { ok: false, message: "It is away" }],
    [
      "something that is no item",
      { ok: true, draft: { ...head, item: { id: 9 } } } as const,
      { ok: false, message: expect.stringMatching(/^We can't show it as an item: type: /) },
    ],
    [
      "something behind a password",
      { ok: true, draft: { ...head, item: item(9, { content: { rendered: "", protected: true } }) } } as const,
      { ok: false, message: "It's behind a password, so members wouldn't see it." },
    ],
  ])("is none where the source has %s", async (_, found, expected) => {
    const { findPreview } = await openCatalogue({ drafts: { ...drafts, find: async () => found } });
    expect(await findPreview({ kind: "read", id: 9 })).toEqual(expected);
  });

  test("drafts are listed with titles in plain text; a source without any says so", async () => {
    const { listDrafts } = await openCatalogue({ drafts });
    expect(await listDrafts()).toMatchObject({ ok: true, drafts: [{ title: "Soon & <late>" }] });
    const none = await openCatalogue({});
    expect(await none.listDrafts()).toEqual({
      ok: false,
      message: "There are no drafts to show: a test's content only gives what is published.",
    });
    expect(await none.findPreview({ kind: "read", id: 9 })).toBeUndefined();
    expect(await none.findDraftMedia({ kind: "read", id: 9 }, "cover.webp")).toBeUndefined();
  });
});
