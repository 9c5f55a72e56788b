import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { createBundledContent } from "../../adapters/bundled/bundled.ts";
import { createCatalogue } from "./catalogue.ts";
import { prepareItem, withTexts } from "../items/item.ts";
import { silenceText } from "../items/item-facts.ts";
import type { ItemKind } from "../items/kinds.ts";
import { toText } from "../items/html-text.ts";
import { sourceItemSchema } from "../items/source.ts";
import { readTags } from "../items/tags.ts";

const setting = { productName: "Dormouse", basePath: "/dashboard/" };

const content = createBundledContent(join(import.meta.dirname, "../bundled"));
/** Items with a page of their own; the pieces of Awake now have their own test. */
const sources = ((await content.listItems()) ?? [])
  .map((source) => sourceItemSchema.parse(source))
  .filter((source) => source.type !== "post" || !readTags(source).isForAwakeNow);
const items = sources.map((source) => withTexts(prepareItem(source, setting).item));
const recordings = items.filter(({ sound }) => sound);
/** Recordings have a short text, and a test of their own. */
const listItems = (kind: ItemKind) => items.filter((item) => item.kind === kind && !item.sound);

const mediaNames = [
  ...new Set([...JSON.stringify(sources).matchAll(/\bmedia\/([^"\\\s<>]+)/g)].map(([, name]) => name ?? "")),
];

test("there is enough content of each kind", () => {
  expect(listItems("read").length).toBeGreaterThanOrEqual(18);
  expect(listItems("watch").length).toBeGreaterThanOrEqual(14);
  expect(listItems("learn").length).toBeGreaterThanOrEqual(9);
  expect(items.filter(({ isSticky }) => isSticky).length).toBeGreaterThanOrEqual(4);
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  const transcribed = listItems("watch").filter(({ transcriptHtml }) => transcriptHtml);
  expect(transcribed.length).toBeGreaterThanOrEqual(6);
  for (const { bodyHtml, transcriptHtml } of transcribed) expect(bodyHtml).not.toContain(transcriptHtml);
});

test("every item has a title, a date, topics, a text to quote, 300 to 900 words or so, and no Markdown left over", () => {
  for (const { id, title, date, terms, lead, text } of items.filter(({ sound }) => !sound)) {
    expect(title, `title of ${id}`).not.toBe("Untitled");
    expect(date, `date of ${id}`).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(terms.length, `topics of ${id}`).toBeGreaterThan(0);
    expect(lead.length, `lead of ${id}`).toBeGreaterThan(350);
    expect(text, `text of ${id}`).not.toMatch(/\*\*|\]\(|\[\^|^#|<!--|\| --/);
    expect(text.split(" ").length, `words of ${id}`).toBeGreaterThanOrEqual(280);
    expect(text.split(" ").length, `words of ${id}`).toBeLessThanOrEqual(950);
  }
});

test("there are eight recordings, which say in 60 to 150 words what one hears and how long it plays", () => {
  expect(recordings.map(({ id, kind }) => [id, kind])).toEqual(
    [4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008].map((id) => [id, "watch"]),
  );
  for (const { id, text, terms, sound } of recordings) {
    expect(text.split(" ").length, `words of ${id}`).toBeGreaterThanOrEqual(60);
    expect(text.split(" ").length, `words of ${id}`).toBeLessThanOrEqual(150);
    expect(text, `text of ${id}`).toContain(
      `It plays for ${sound?.playMinutes ?? (sound?.durationInSeconds ?? 0) / 60} minutes`,
    );
    expect(terms, `topics of ${id}`).toContain("Recording");
    expect([sound?.src.split(".").at(-1), sound?.type]).toEqual(["mp3", "audio/mpeg"]);
  }
});

test("every item is signed by the team, and says that it is a sample without a review, of which sources, of invented people", () => {
  for (const { id, author, reviewed, sampleNote } of items) {
    expect([author, reviewed], `item ${id}`).toEqual(["Dormouse Team", undefined]);
    expect(sampleNote, `item ${id}`).toMatch(
      /^Sample text of the demo library, not reviewed by a clinician\. (?:No sources named|Sources: .*NHS.*)\. .* invented\.$/,
    );
  }
});

/** In the first person it would be a testimony. Two are sentences for the reader to say. */
const quotes = items.flatMap(({ id, bodyHtml }) =>
  [...bodyHtml.matchAll(/<blockquote>([^]*?)<\/blockquote>/g)].map(([, html = ""]) => ({ id, quote: toText(html) })),
);

test("no text quotes a person who does not exist", () => {
  expect(quotes.length).toBeGreaterThan(30);
  for (const { id, quote } of quotes.filter(({ id: of }) => ![2003, 2015].includes(of))) {
    expect(quote, `quote of ${id}`).not.toMatch(/\b(?:I|me|my|we)\b/i);
  }
});

test.each([
  [
    "a nap takes twenty minutes and ends before three",
    /\bnap[^.?|]*\b(?:half an hour|an hour|thirty|ninety|90|mid-aft)/i,
  ],
  [
    "night-time trips matter from twice on, most nights",
    /\b(?:several times a night|two or three times, most|more than once or tw)/i,
  ],
  ["the last caffeine is at noon", /\b(?:none after lunch|two o'clock is|early afternoon, if at all)/i],
  ["it is for people of 65 and over that a room is warmer", /\bover 65\b/i],
])("all texts agree: %s", (_, another) => {
  for (const { id, text, transcriptHtml } of items) {
    expect(`${text} ${toText(transcriptHtml ?? "")}`, `text of ${id}`).not.toMatch(another);
  }
});

test("a text on breathing that stops, on melatonin, or on despair ends with when to see a GP", () => {
  const concerned = items.filter(({ text }) => /apnoea|stops? breathing|melatonin|\blow mood\b|116 123/i.test(text));
  expect(concerned.length).toBeGreaterThan(20);
  for (const { id, bodyHtml } of concerned) {
    const headings = [...bodyHtml.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => heading);
    const last = headings.findLast((heading) => heading !== "Footnotes");
    expect(last, `last heading of ${id}`).toBe("When to see a GP");
  }
});

test("a footnote and its mark lead to each other", () => {
  const noted = items.filter(({ bodyHtml }) => bodyHtml.includes('href="#'));
  expect(noted.length).toBeGreaterThan(0);
  for (const { id, bodyHtml } of noted) {
    const targets = [...bodyHtml.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target);
    for (const target of targets) expect(bodyHtml, `link of ${id}`).toContain(`id="${target}"`);
  }
});

test("every item has a picture of its own: drawn for it, or a scene that its file names, and none is another's", () => {
  const pictures = items.map(({ id, picture }) => {
    expect("src" in picture || picture.isChosen, `picture of ${id}`).toBe(true);
    return "src" in picture ? picture.src : picture.scene;
  });
  expect(new Set(pictures).size).toBe(items.length);
});

test("every drawn picture is stored in the widths that it is asked for, and knows the ground that shows while it loads", async () => {
  const grounds = readFileSync(join(import.meta.dirname, "../../../app/components/picture.css"), "utf8");
  const seen: number[] = [];
  for (const { id, picture } of items) {
    if (!("src" in picture)) continue;
    expect(grounds, `ground of ${id}`).toContain(`[data-ground="${picture.ground}"]`);
    for (const width of picture.widths ?? []) {
      const media = await content.findMedia(picture.src.slice(`${setting.basePath}media/`.length), width);
      if (!media || media === "away") throw new Error(`the picture of ${id} is not there`);
      const bytes = await media.read(0, media.sizeInBytes - 1);
      expect((await sharp(bytes).metadata()).width, `picture of ${id}`).toBe(width);
      expect(bytes.length, `picture of ${id}, ${width} wide`).toBeLessThanOrEqual(35 * width);
      seen.push(width);
    }
  }
  expect(new Set(seen)).toEqual(new Set([400, 640, 800, 1200]));
});

test("the items include a CMS's odd ones: no picture, entities, a long title, odd videos", () => {
  expect(items.some(({ picture }) => "scene" in picture)).toBe(true);
  expect(items.some(({ picture }) => "src" in picture)).toBe(true);
  expect(sources.some(({ title }) => /&(?:#\d+|\w+);/.test(title.rendered))).toBe(true);
  for (const { title } of items) expect(title).not.toMatch(/&(?:#\d+|\w+);/);
  expect(Math.max(...items.map(({ title }) => title.length))).toBeGreaterThanOrEqual(160);
  const videos = listItems("watch").map(({ video }) => video);
  const kinds = videos.map((video) => video?.kind);
  expect(kinds).toEqual(expect.arrayContaining(["file", "youtube", "vimeo", "elsewhere", undefined]));
  const orientations = new Set(videos.flatMap((video) => video?.orientation ?? []));
  expect(orientations).toEqual(new Set(["landscape", "portrait"]));
});

test("the catalogue takes in all of it without a log line", async () => {
  const log = createQuietLog();
  const catalogue = createCatalogue({ source: content, setting, log, cardsPerPage: 100 });
  await catalogue.refresh();
  expect(log.lines).toEqual([]);
  for (const { kind, id } of items) expect(catalogue.findItem(kind, id)).toBeDefined();
});

/** The content type of each format, and how a file of it begins. */
const beginnings: Record<string, [string, RegExp]> = {
  webp: ["image/webp", /^RIFF....WEBP$/s],
  mp4: ["video/mp4", /^....ftyp/s],
  webm: ["video/webm", /^.E\xdf\xa3/s],
  mp3: ["audio/mpeg", /^\xff[\xf2-\xfb]/],
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

  test.each(films)("the film of $id has no sound: its card says so, and nothing asks to listen", async (film) => {
    expect([await readFile(film.src), await readFile(film.webm)].some(hasSound)).toBe(false);
    const item = items.find(({ id }) => id === film.id);
    expect(silenceText(item?.video)).toBe("silent,\u00a0with\u00a0captions");
    const lead = item?.lead ?? "";
    const words = toText(film.transcriptHtml ?? "");
    expect(`${lead} ${words}`).not.toMatch(
      /only listen|listen with|\bmy voice\b|clos\w+ your eyes|eyes (?:shut|close)|stop talking|will hear/i,
    );
    expect(words, "a claim of a presenter").not.toMatch(
      /\bI'm [A-Z]|\bI (?:used|snore|worked|wear)|\bmy (?:CPAP|friend)\b/,
    );
  });

  test.each(films)(
    "the film of $id is under a megabyte in both formats, and lasts 30 to 120 seconds, as its item says",
    async (film) => {
      const mp4 = await readFile(film.src);
      expect(mp4.length).toBeLessThan(1_000_000);
      expect((await readFile(film.webm)).length).toBeLessThan(1_000_000);
      expect(readSeconds(mp4)).toBeGreaterThanOrEqual(30);
      expect(readSeconds(mp4)).toBeLessThanOrEqual(120);
      expect(film.durationInSeconds).toBe(Math.round(readSeconds(mp4)));
    },
  );

  test.each(films)(
    "the captions of $id say what the transcript says, when it says, in order and within the film",
    async (film) => {
      const cues = readCues((await readFile(film.captions)).toString());
      expect(cues.length).toBeGreaterThan(5);
      let now = 0;
      for (const { start, end } of cues) {
        expect(start).toBeGreaterThanOrEqual(now);
        expect(end - start, `seconds of a caption of ${film.id}`).toBeGreaterThan(0.5);
        now = end;
      }
      expect(now).toBeLessThanOrEqual(readSeconds(await readFile(film.src)));
      const transcript = toText(film.transcriptHtml ?? "").replace(/\s+/g, " ");
      for (const { text } of cues) expect(transcript).toContain(text);
      const starts = cues.map(({ start }) => Math.floor(start));
      const times = [...(film.transcriptHtml ?? "").matchAll(/<strong>(\d+):(\d\d)<\/strong>/g)];
      for (const [, minutes, seconds] of times) expect(starts).toContain(Number(minutes) * 60 + Number(seconds));
    },
  );
});

/** MP4 names the handler of each track (ISO/IEC 14496-12, section 8.4.3), WebM its codec. */
function hasSound(film: Buffer): boolean {
  return ["soun", "A_OPUS", "A_VORBIS"].some((name) => film.includes(name));
}

/** How long an MP4 lasts, by its movie header (ISO/IEC 14496-12, section 8.2.2, version 0). */
function readSeconds(mp4: Buffer): number {
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
  test.each(mediaNames)("%s is there, and is what its name says", async (name) => {
    const found = await content.findMedia(name);
    const media = found === "away" ? undefined : found;
    const [contentType = "", beginning] = beginnings[name.split(".").at(-1) ?? ""] ?? [];
    expect(media?.contentType).toBe(contentType);
    expect(media?.sizeInBytes).toBeGreaterThan(100);
    expect(Buffer.from((await media?.read(0, 11)) ?? []).toString("latin1")).toMatch(beginning ?? "");
  });

  test("every picture and every cover says its size, so that the page does not jump", () => {
    for (const { id, bodyHtml } of items) {
      for (const [tag] of bodyHtml.matchAll(/<img[^>]*>/g)) {
        expect(tag, `picture of ${id}`).toMatch(/ width="\d+" height="\d+" src="\/dashboard\/media\//);
        expect(tag, `picture of ${id}`).toMatch(/ alt="[^"]{10,}"/);
      }
    }
    const covers = sources.flatMap(({ _embedded }) => _embedded?.["wp:featuredmedia"] ?? []);
    expect(covers.length).toBeGreaterThan(0);
    const size = { width: expect.any(Number), height: expect.any(Number) };
    for (const cover of covers) expect(cover?.media_details).toMatchObject(size);
  });
});
