import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";

import { createBundledContent } from "../../server/adapters/bundled/bundled.ts";
import { createProviderContent } from "../../server/adapters/provider/content.ts";
import { createProviderClient } from "../../server/provider/client/client.ts";
import { type Catalogue, createCatalogue } from "../../server/content/catalogue/catalogue.ts";
import { withTexts } from "../../server/content/items/item.ts";
import { itemKinds, sceneNumber } from "../../server/content/items/kinds.ts";
import type { ContentSource } from "../../server/content/items/source.ts";
import { listBundledAsWordpress, ORIGIN } from "../fakes/wordpress-items.ts";
import { API_KEY } from "../helpers/api-client.ts";
import { openContentApp, readItems } from "../helpers/content-app.ts";
import { openFolder } from "../helpers/folder.ts";
import { createQuietLog, type QuietLog } from "../helpers/quiet-log.ts";
import { openProvider } from "../helpers/provider.ts";

const folder = join(import.meta.dirname, "..", "..", "server", "content", "bundled");

/** The content type of each ending, and the first bytes of such a file. */
const formats: Record<string, [contentType: string, beginning: RegExp]> = {
  ".mp4": ["video/mp4", /^....ftyp/s],
  ".webm": ["video/webm", /^.E\xdf\xa3/s],
  ".ogg": ["audio/ogg", /^OggS/],
  ".mp3": ["audio/mpeg", /^\xff[\xf2-\xfb]/],
  ".vtt": ["text/vtt; charset=utf-8", /^WEBVTT\n\n/],
  ".webp": ["image/webp", /^RIFF....WEBP$/s],
};

type Facts = unknown[];
const byId = ([a]: Facts, [b]: Facts) => Number(a) - Number(b);

/** Read without any code of the product. */
async function readFrontMatters(): Promise<Facts[]> {
  const folders = ["articles", "videos", "recordings", "webinars"].map((kind) => join(folder, kind));
  const names = await Promise.all(folders.map(async (kind) => (await readdir(kind)).map((name) => join(kind, name))));
  const texts = await Promise.all(names.flat().map((file) => readFile(file, "utf8")));
  const heads = texts.map((text) => parse(text.split("\n---\n")[0] ?? "") as Head);
  return heads
    .filter(({ draft: isDraft }) => !isDraft)
    .map(({ id, title, date, sticky = false, sources, terms }) => {
      return [
        id,
        readEntities(title),
        "Dormouse Team",
        date.slice(0, 10),
        sticky,
        terms.filter((term) => term !== "Awake now" && term !== "Help"),
        toSampleNote(sources),
        true,
      ];
    });
}

async function readAwakeIds(): Promise<number[]> {
  return (await readdir(join(folder, "awake"))).map((name) => Number(name.slice(0, 4)));
}

/** The few that titles have on purpose, as WordPress's do. */
function readEntities(text: string): string {
  return text.replace("&amp;", "&").replace("&#8220;", "“").replace("&#8221;", "”");
}

function toSampleNote(sources: string[] = []): string {
  const named =
    sources.length === 0 ? "No sources named" : `Sources: ${sources.join(", ").replace(/, (?!.*, )/, " and ")}`;
  return `Sample text of the demo library, not reviewed by a clinician. ${named}. Any people in it are invented.`;
}

type Head = {
  id: number;
  title: string;
  date: string;
  sticky?: boolean;
  draft?: boolean;
  sources?: string[];
  terms: string[];
};

type OpenSource = AsyncDisposable & { source: ContentSource };

/** Its picture is shown nowhere else. */
const draft = { kind: "read", id: 9001, title: "The ferryman's nap", picture: "ferry.webp" } as const;

async function openCatalogue(source: ContentSource) {
  const log = createQuietLog();
  const setting = { productName: "Dormouse", basePath: "/" };
  const catalogue = createCatalogue({ source, setting, log, cardsPerPage: 100 });
  await catalogue.refresh();
  return { catalogue, log };
}

function describeContentSource(place: string, open: () => Promise<OpenSource>): void {
  describe(`content from ${place}`, () => {
    // Shared: a source redraws each of its pictures in a process, and none of these tests changes it.
    let opened: OpenSource;
    let catalogue: Catalogue;
    let log: QuietLog;
    beforeAll(async () => {
      opened = await open();
      ({ catalogue, log } = await openCatalogue(opened.source));
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    test("can be shown completely, without a log line", async () => {
      expect(catalogue.status()).toMatchObject({
        source: opened.source.name,
        counts: { watch: 16, listen: 8, read: 28, learn: 10 },
        fault: undefined,
        skipped: [],
      });
      expect(log.lines).toEqual([]);
    });

    test("has every text, title, topic and date, signed by the team as a sample without a review", async () => {
      const items = itemKinds.flatMap((kind) => catalogue.listItems(kind));
      const facts = items.map((item) => [
        item.id,
        item.title,
        item.author,
        item.date,
        item.isSticky,
        item.terms,
        item.reviewed ?? item.sampleNote,
        item.readTexts().text.length > 200,
      ]);
      expect(facts.toSorted(byId)).toEqual((await readFrontMatters()).toSorted(byId));
    });

    test("has the pieces of Awake now, which are in no list, and which search finds", async () => {
      const pieces = catalogue.listAwake().filter(({ kind }) => kind === "read");
      expect(new Set(pieces.map(({ id }) => id))).toEqual(new Set(await readAwakeIds()));
      expect(pieces.length).toBe((await readAwakeIds()).length);
      expect(pieces.find(({ id }) => id === 5022)).toMatchObject({
        kind: "read",
        breathing: { in: 4, out: 6 },
        terms: ["Breathing"],
      });
      expect(catalogue.findItem("read", 5022)).toBeUndefined();
      const { counts, list } = catalogue.search({ term: "harbour at night crab pots", order: "best" });
      expect(list("read", 0, counts.read)[0]).toMatchObject({ id: 5001, path: "awake?piece=read-5001" });
    });

    test("has the night scene that an item names, and a picture of its own for every other", () => {
      const items = itemKinds.flatMap((kind) => catalogue.listItems(kind));
      const scenes = items.flatMap(({ id, picture }) => ("scene" in picture ? [{ id, ...picture }] : []));
      expect(scenes.toSorted((a, b) => a.id - b.id)).toEqual([
        { id: 2004, scene: sceneNumber("tent-and-stars"), isChosen: true },
        { id: 2013, scene: sceneNumber("rain-on-a-window"), isChosen: true },
      ]);
    });

    test("has a guide to each topic of the landing, in its order, with its reasons", async () => {
      expect(catalogue.findGuide("Menopause")?.steps).toEqual([
        expect.objectContaining({ kind: "read", id: 1012, why: expect.stringMatching(/^What's going on/) }),
        expect.objectContaining({ kind: "watch", id: 2011 }),
        expect.objectContaining({ kind: "read", id: 1010 }),
        expect.objectContaining({ kind: "learn", id: 3005 }),
      ]);
      expect(catalogue.findGuide("Can’t get to sleep")).toEqual(catalogue.findGuide("Can't get to sleep"));
      expect(catalogue.findGuide("Can't get to sleep")?.steps).toHaveLength(8);
      const recordings = catalogue.findGuide("Can't get to sleep")?.recordings.map(({ id }) => id);
      expect(recordings).toEqual([4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008]);
      // Those of Awake now follow the topic's own.
      expect(catalogue.findGuide("Menopause")?.recordings).toHaveLength(8);
      expect(catalogue.findGuide("Snow")).toBeUndefined();
    });

    test("has seven nights for two topics of the landing, with what they cannot promise and when to see a GP", async () => {
      const found = catalogue.listNights();
      expect(found.map(({ slug }) => slug)).toEqual(["cant-get-to-sleep", "waking-in-the-night"]);
      for (const { nights, intro } of found) {
        expect(nights).toHaveLength(7);
        for (const { why } of nights) expect(why).toMatch(/^[A-Z].{20,110}\.$/);
        expect(intro.join("\n")).toMatch(/\nWhat this can't promise: .*\nTake care: .*\nWhen to see a GP: /s);
      }
      expect(found[0]?.nights[0]).toMatchObject({ kind: "watch", id: 2001, section: "watch" });
      expect(found[1]?.nights[2]).toMatchObject({ kind: "watch", id: 4002, section: "listen" });
      const all = found.flatMap(({ nights }) => nights.map(({ id }) => id));
      expect(new Set(all).size).toBe(14);
    });

    test("serves every file that it refers to, and no other", async () => {
      const items = itemKinds.flatMap((kind) => catalogue.listItems(kind));
      const names = new Set(
        [...JSON.stringify(items).matchAll(/\/media\/([\w-]+\.\w+)/g)].map(([, name = ""]) => name),
      );
      expect(names.size).toBeGreaterThan(8);
      for (const file of names) {
        const media = await opened.source.findMedia(file, 400);
        if (!media || media === "away") throw new Error(`${file} is not there`);
        const [contentType, beginning] = formats[extname(file)] ?? [];
        expect(media.contentType).toBe(contentType);
        const start = Buffer.from(await media.read(0, 11)).toString("latin1");
        expect(start).toMatch(beginning ?? "a known format");
        const last = await media.read(media.sizeInBytes - 1, media.sizeInBytes - 1);
        expect(last.byteLength).toBe(1);
      }
      for (const stranger of [
        "",
        "x",
        "../pictures.json",
        "pictures.json",
        "%2e%2e",
        `${"a".repeat(32)}.webp`,
        "a".repeat(5000),
      ]) {
        expect(await opened.source.findMedia(stranger), stranger).toBeUndefined();
      }
    });

    test("is read again without a change, and nothing is prepared again", async () => {
      const before = catalogue.findItem("read", 1001);
      expect(before).toBeDefined();
      await catalogue.refresh();
      expect(catalogue.findItem("read", 1001)).toBe(before);
    });

    test("says which of its files are there, without asking for them", async () => {
      expect(await catalogue.editorial.listGaps({ filter: "links", page: 1 })).toMatchObject({ rows: [], total: 0 });
      expect(await opened.source.hasMedia?.("no-such-file.webp")).toBe(false);
    });

    test("reports its state", async () => {
      expect(await opened.source.check()).toEqual({ isWell: true, message: expect.stringMatching(/\d/) });
    });
  });
}

describeContentSource("the files of the product", async () => ({
  source: createBundledContent(folder),
  [Symbol.asyncDispose]: async () => undefined,
}));
describeContentSource("WordPress", openWordpress);
describeContentSource("a provider", openProviderSource);

/** Each has `draft` in it. */
const withDraft: [place: string, open: () => Promise<OpenSource>][] = [
  ["the files of the product", openFilesWithDraft],
  ["the posts of WordPress", openWordpressWithDraft],
];

test.each(withDraft)("%s show operators what is not published, and members nothing of it", async (_place, open) => {
  await using opened = await open();
  const { catalogue, log } = await openCatalogue(opened.source);
  const { kind, id, title } = draft;
  const { editorial } = catalogue;
  expect(await editorial.listDrafts()).toMatchObject({
    ok: true,
    drafts: expect.arrayContaining([expect.objectContaining({ kind, id, title, state: "draft" })]),
  });
  const preview = await editorial.findPreview(draft);
  expect(preview).toMatchObject({
    ok: true,
    draft: { id },
    item: { title },
  });
  const item = preview?.ok ? withTexts(preview.item) : undefined;
  expect(item?.bodyHtml).toBe("<p>A quiet crossing.</p>\n");
  const [, name = ""] = /\/desk\/drafts\/read-9001\/([\w-]+\.webp)/.exec(JSON.stringify(item)) ?? [];
  expect(await editorial.findDraftMedia(draft, name, 400)).toMatchObject({ contentType: "image/webp" });

  await catalogue.refresh();
  expect(catalogue.status().counts).toEqual({ watch: 16, listen: 8, read: 28, learn: 10 });
  expect(catalogue.findItem(kind, id)).toBeUndefined();
  expect(catalogue.search({ term: "ferryman", order: "best", isLiteral: true }).counts[kind]).toBe(0);
  expect(await catalogue.findMedia(name)).toBeUndefined();
  expect(await opened.source.findMedia(name, 400)).toBeUndefined();
  const stored = await opened.source.readStored?.();
  expect(JSON.stringify(readItems(stored?.items))).not.toContain("ferryman");
  expect(log.lines).toEqual([]);
});

test("a provider has no drafts, and says so to operators", async () => {
  await using opened = await openProviderSource();
  const { catalogue } = await openCatalogue(opened.source);
  const message = `There are no drafts to show: ${opened.source.name} only gives what is published.`;
  expect(await catalogue.editorial.listDrafts()).toEqual({ ok: false, message });
});

async function openFilesWithDraft(): Promise<OpenSource> {
  const { folder: copy, ...removal } = await openFolder();
  await cp(folder, copy, { recursive: true });
  await cp(join(folder, "media", "airway.webp"), join(copy, "media", draft.picture));
  const { id, title, picture } = draft;
  const head = { id, title, date: "2026-11-20T07:00:00", terms: ["Naps"], image: picture, draft: true };
  const text = `---\n${stringify(head)}---\n\nA quiet crossing.\n`;
  await writeFile(join(copy, "articles", "9001-the-ferrymans-nap.md"), text);
  return { source: createBundledContent(copy), ...removal };
}

async function openWordpress() {
  return openContentApp({ content: await listBundledAsWordpress(), editor: "editor:abcd efgh" });
}

async function openWordpressWithDraft(): Promise<OpenSource> {
  const app = await openWordpress();
  const { uploads } = app.cms.content;
  const picture = uploads.get("airway.webp");
  if (picture) uploads.set(draft.picture, picture);
  app.cms.save("posts", {
    id: draft.id,
    status: "draft",
    title: { rendered: draft.title },
    content: { rendered: "<p>A quiet crossing.</p>\n", protected: false },
    _embedded: { "wp:featuredmedia": [{ source_url: `${ORIGIN}/wp-content/uploads/${draft.picture}` }] },
  });
  return app;
}

async function openProviderSource(): Promise<OpenSource> {
  const { site, api, url, ...provider } = await openProvider();
  const { folder: cache, ...removal } = await openFolder();
  const token = await api.grabToken("member@dormouse.example");
  const setting = { clock: site.clock, log: createQuietLog() };
  const client = createProviderClient({ url, key: API_KEY, ...setting });
  const held = { memberId: 1, token, sessionHash: "" };
  const tokens = { find: async () => held, listNewest: async () => [held], drop: async () => undefined };
  return {
    source: createProviderContent({ ...setting, client, tokens, folder: cache }),
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]();
      await removal[Symbol.asyncDispose]();
    },
  };
}
