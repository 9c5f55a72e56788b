import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { createQuietLog } from "../../tests/helpers/quiet-log.ts";
import { createBundledContent } from "../adapters/bundled/bundled.ts";
import { createCatalogue } from "./catalogue.ts";
import { prepareItem } from "./item.ts";
import type { ItemKind } from "./kinds.ts";
import { toText } from "./sanitise.ts";
import { sourceItemSchema } from "./source.ts";

const setting = { productName: "Dormouse", basePath: "/dashboard/" };

const content = createBundledContent(join(import.meta.dirname, "bundled"));
const sources = ((await content.listItems()) ?? []).map((source) => sourceItemSchema.parse(source));
const items = sources.map((source) => prepareItem(source, setting).item);
const itemsOf = (kind: ItemKind) => items.filter((item) => item.kind === kind);

/** Every file that a source refers to as `media/NAME`. */
const mediaNames = [
  ...new Set([...JSON.stringify(sources).matchAll(/\bmedia\/([^"\\\s<>]+)/g)].map(([, name]) => name ?? "")),
];

describe("what is bundled", () => {
  test("there are articles, videos and webinars enough to fill an app", () => {
    expect(itemsOf("read").length).toBeGreaterThanOrEqual(18);
    expect(itemsOf("watch").length).toBeGreaterThanOrEqual(14);
    expect(itemsOf("learn").length).toBeGreaterThanOrEqual(9);
  });

  test("four articles or more are featured", () => {
    expect(items.filter(({ isSticky }) => isSticky).length).toBeGreaterThanOrEqual(4);
  });

  test("every number is one item's own", () => {
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });

  test("every item has a title, a date, topics and a text to quote", () => {
    for (const item of items) {
      expect(item.title, `title of ${item.id}`).not.toBe("Untitled");
      expect(item.date, `date of ${item.id}`).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(item.terms.length, `topics of ${item.id}`).toBeGreaterThan(0);
      expect(item.lead.length, `lead of ${item.id}`).toBeGreaterThan(350);
    }
  });

  test("no Markdown is left over in a text", () => {
    for (const { id, text } of items) expect(text, `text of ${id}`).not.toMatch(/\*\*|\]\(|\[\^|^#|<!--|\| --/);
  });

  test("a body has 300 to 900 words, give or take a few", () => {
    for (const { id, text } of items) {
      expect(text.split(" ").length, `words of ${id}`).toBeGreaterThanOrEqual(280);
      expect(text.split(" ").length, `words of ${id}`).toBeLessThanOrEqual(950);
    }
  });

  test("films come in both orientations, and from a file, YouTube and Vimeo", () => {
    const films = itemsOf("watch").flatMap(({ video }) => video ?? []);
    expect(new Set(films.map(({ orientation }) => orientation))).toEqual(new Set(["landscape", "portrait"]));
    expect(films.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["file", "youtube", "vimeo"]));
  });

  test("six videos or more have a transcript, apart from the body", () => {
    const transcribed = itemsOf("watch").filter(({ transcriptHtml }) => transcriptHtml);
    expect(transcribed.length).toBeGreaterThanOrEqual(6);
    for (const { bodyHtml, transcriptHtml } of transcribed) expect(bodyHtml).not.toContain(transcriptHtml);
  });

  test("four people or more sign by name", () => {
    const named = new Set(items.map(({ author }) => author).filter((author) => author !== "Dormouse Team"));
    expect(named.size).toBeGreaterThanOrEqual(4);
  });

  test("a footnote and its mark lead to each other", () => {
    const noted = items.filter(({ bodyHtml }) => bodyHtml.includes('href="#'));
    expect(noted.length).toBeGreaterThan(0);
    for (const { id, bodyHtml } of noted) {
      const targets = [...bodyHtml.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
      for (const target of targets) expect(bodyHtml, `link of ${id}`).toContain(`id="${target}"`);
    }
  });
});

describe("the odd ones that a CMS has too", () => {
  test("an item has no author", () => {
    expect(sources.some(({ _embedded }) => _embedded?.author === undefined)).toBe(true);
  });

  test("an item is signed by a staff handle, which nobody sees", () => {
    const isByStaff = sources.map(({ _embedded }) => _embedded?.author?.[0]?.name === "dormouse-staff");
    expect(isByStaff).toContain(true);
    expect(items.map(({ author }) => author)).not.toContain("dormouse-staff");
  });

  test("an item has no picture, another has one", () => {
    expect(items.some(({ picture }) => "scene" in picture)).toBe(true);
    expect(items.some(({ picture }) => "src" in picture)).toBe(true);
  });

  test("a title has entities, which are read", () => {
    expect(sources.some(({ title }) => /&(?:#\d+|\w+);/.test(title.rendered))).toBe(true);
    for (const { title } of items) expect(title).not.toMatch(/&(?:#\d+|\w+);/);
  });

  test("a title is very long", () => {
    expect(Math.max(...items.map(({ title }) => title.length))).toBeGreaterThanOrEqual(160);
  });

  test("a video has no video fields", () => {
    const fields = sources.filter(({ type }) => type === "videos").map(({ acf }) => acf);
    expect(fields.some((acf) => !acf?.youtube_url && !acf?.vimeo_url && !acf?.video_url)).toBe(true);
    expect(itemsOf("watch").some(({ video }) => video === undefined)).toBe(true);
  });

  test("a video is on a host that we do not know", () => {
    expect(itemsOf("watch").some(({ video }) => video?.kind === "elsewhere")).toBe(true);
  });
});

test("the whole of it goes into the catalogue without a word in the log", async () => {
  const log = createQuietLog();
  const catalogue = createCatalogue({ source: content, setting, log, cardsPerPage: 100 });
  await catalogue.refresh();
  expect(log.lines).toEqual([]);
  for (const { kind, id } of items) expect(catalogue.findItem(kind, id)).toBeDefined();
});

/** What each format is served as, and how a file of it begins. */
const beginnings: Record<string, [string, RegExp]> = {
  webp: ["image/webp", /^RIFF....WEBP$/s],
  mp4: ["video/mp4", /^....ftyp/s],
  webm: ["video/webm", /^.E\xdf\xa3/s],
  vtt: ["text/vtt; charset=utf-8", /^WEBVTT\n\n/],
};

describe("films", () => {
  const films = items.flatMap(({ id, video, transcriptHtml }) =>
    video?.kind === "file" ? [{ id, transcriptHtml, ...video }] : [],
  );

  async function readFile(address: string | undefined): Promise<Buffer> {
    const media = await content.findMedia((address ?? "").slice(`${setting.basePath}media/`.length));
    if (!media || media === "away") throw new Error(`${address} is not there`);
    return Buffer.from(await media.read(0, media.sizeInBytes - 1));
  }

  test("one item plays a film from YouTube and one from Vimeo, as samples; every other film is its item's own", () => {
    const samples = items.filter(({ video }) => video?.kind === "youtube" || video?.kind === "vimeo");
    expect(samples.map(({ title }) => title)).toEqual(["A sample film from YouTube", "A sample film from Vimeo"]);
    expect(films.length).toBe(22);
    expect(new Set(films.map(({ src }) => src)).size).toBe(films.length);
  });

  test.each(films)(
    "the film of $id is under a megabyte in both formats, and lasts 30 to 120 seconds, as its item says",
    async (film) => {
      const mp4 = await readFile(film.src);
      expect(mp4.length).toBeLessThan(1_000_000);
      expect((await readFile(film.webm)).length).toBeLessThan(1_000_000);
      expect(secondsOf(mp4)).toBeGreaterThanOrEqual(30);
      expect(secondsOf(mp4)).toBeLessThanOrEqual(120);
      expect(film.durationInSeconds).toBe(Math.round(secondsOf(mp4)));
    },
  );

  test.each(films)("the captions of $id say what the transcript says, in order and within the film", async (film) => {
    const cues = readCues((await readFile(film.captions)).toString());
    expect(cues.length).toBeGreaterThan(5);
    let now = 0;
    for (const { start, end } of cues) {
      expect(start).toBeGreaterThanOrEqual(now);
      expect(end).toBeGreaterThan(start);
      now = end;
    }
    expect(now).toBeLessThanOrEqual(secondsOf(await readFile(film.src)));
    const transcript = toText(film.transcriptHtml ?? "").replace(/\s+/g, " ");
    for (const { text } of cues) expect(transcript).toContain(text);
  });

  test.each(films)("the times in the transcript of $id are those of its film", async (film) => {
    const starts = readCues((await readFile(film.captions)).toString()).map(({ start }) => Math.floor(start));
    const times = [...(film.transcriptHtml ?? "").matchAll(/<strong>(\d+):(\d\d)<\/strong>/g)];
    for (const [, minutes, seconds] of times) expect(starts).toContain(Number(minutes) * 60 + Number(seconds));
  });
});

/** How long an MP4 lasts, by its movie header (ISO/IEC 14496-12, section 8.2.2, version 0). */
function secondsOf(mp4: Buffer): number {
  const header = mp4.indexOf("mvhd") + 4;
  return mp4.readUInt32BE(header + 16) / mp4.readUInt32BE(header + 12);
}

function readCues(captions: string): { start: number; end: number; text: string }[] {
  const seconds = (stamp = "") => stamp.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const blocks = captions.trimEnd().split("\n\n").slice(1);
  return blocks.map((block) => {
    const [times = "", ...lines] = block.split("\n");
    const [start, end] = times.split(" --> ");
    return { start: seconds(start), end: seconds(end), text: lines.join(" ") };
  });
}

describe("media", () => {
  test("items refer to pictures and films", () => {
    expect(mediaNames.some((name) => name.endsWith(".webp"))).toBe(true);
    expect(mediaNames.some((name) => name.endsWith(".mp4"))).toBe(true);
  });

  test.each(mediaNames)("%s is there, and is what its name says", async (name) => {
    const found = await content.findMedia(name);
    const media = found === "away" ? undefined : found;
    const [contentType = "", beginning] = beginnings[name.split(".").at(-1) ?? ""] ?? [];
    expect(media?.contentType).toBe(contentType);
    expect(media?.sizeInBytes).toBeGreaterThan(100);
    expect(Buffer.from((await media?.read(0, 11)) ?? []).toString("latin1")).toMatch(beginning ?? "");
  });

  test("every picture says its size, so that the page does not jump", () => {
    for (const { id, bodyHtml } of items) {
      for (const [tag] of bodyHtml.matchAll(/<img[^>]*>/g)) {
        expect(tag, `picture of ${id}`).toMatch(/ width="\d+" height="\d+" src="\/dashboard\/media\//);
        expect(tag, `picture of ${id}`).toMatch(/ alt="[^"]{10,}"/);
      }
    }
  });

  test("every cover says its size", () => {
    const covers = sources.flatMap(({ _embedded }) => _embedded?.["wp:featuredmedia"] ?? []);
    expect(covers.length).toBeGreaterThan(0);
    for (const cover of covers) {
      expect(cover?.media_details).toEqual({ width: expect.any(Number), height: expect.any(Number) });
    }
  });
});
