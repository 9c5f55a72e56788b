import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { createBundledContent } from "../../server/adapters/bundled/bundled.ts";
import { itemKinds, type ItemKind, kinds, type SourceType, toKind } from "../../server/content/items/kinds.ts";

export type FakeItem = {
  id: number;
  modified_gmt: string;
  status: string;
  featured_media: number;
  _embedded?: Record<string, unknown>;
  [field: string]: unknown;
};

export type FakeList = (typeof kinds)[ItemKind]["restBase"];

export const fakeLists: FakeList[] = itemKinds.map((kind) => kinds[kind].restBase);

export type FakeUpload = { bytes: Uint8Array; contentType: string };

/**
 * `pages`: addresses of pages, which are no items. `attachments`: `/media` by number, beside covers that items have.
 */
export type FakeContent = {
  /** The list of a later kind may be missing, which means empty. */
  lists: Record<"videos" | "posts" | "tutorials", FakeItem[]> & Partial<Record<FakeList, FakeItem[]>>;
  uploads: Map<string, FakeUpload>;
  pages?: string[];
  attachments?: { id: number; source_url: string }[];
};

/** Replaced in addresses by the fake's own origin. */
export const ORIGIN = "http://wordpress.invalid";

const recordedOrigins = /http:\/\/127\.0\.0\.1:180[89]0/g;

const vendors = join(import.meta.dirname, "..", "vendors", "wordpress");

export function readSample(name: string): unknown {
  const text = readFileSync(join(vendors, `${name}.json`), "utf8");
  return JSON.parse(text.replace(recordedOrigins, ORIGIN)) as unknown;
}

/** One recorded item of each list and the odd ones. Their covers are not among the uploads. */
export function listSamples(): FakeContent {
  const readBody = (name: FakeList) => (readSample(name) as { body: FakeItem[] }).body;
  const odd = readSample("odd") as (FakeItem & { type: string })[];
  const listOdd = (type: string) => odd.filter((item) => item.type === type);
  return {
    lists: {
      videos: [...readBody("videos"), ...listOdd("videos")],
      posts: [...readBody("posts"), ...listOdd("post")],
      tutorials: [...readBody("tutorials"), ...listOdd("tutorials")],
    },
    uploads: new Map(),
  };
}

/** Copies of the recorded one. */
export function makeVideos(count: number, from = 1000): FakeItem[] {
  const [sample] = (readSample("videos") as { body: FakeItem[] }).body;
  return Array.from({ length: count }, (_, index) => ({
    ...structuredClone(sample as FakeItem),
    id: from + index,
    title: { rendered: `Video ${from + index}` },
    content: { rendered: `<p>The text of video ${from + index}.</p>`, protected: false },
  }));
}

export function videosOnly(count: number): FakeContent {
  return { lists: { videos: makeVideos(count), posts: [], tutorials: [] }, uploads: new Map() };
}

const bundledFolder = join(import.meta.dirname, "..", "..", "server", "content", "bundled");

type BundledItem = FakeItem & { type: SourceType; date: string; acf: Record<string, unknown> };

const uploadTypes: Record<string, string> = {
  webp: "image/webp",
  mp4: "video/mp4",
  webm: "video/webm",
  vtt: "text/vtt",
  mp3: "audio/mpeg",
};

/** The bundled content as a WordPress would have it, with pictures, films and recordings as uploads. */
export async function listBundledAsWordpress(): Promise<FakeContent> {
  const items = (await createBundledContent(bundledFolder).listItems()) as BundledItem[];
  const content: FakeContent = { lists: { videos: [], posts: [], tutorials: [] }, uploads: new Map() };
  const names = new Set<string>();
  for (const item of items) {
    const text = JSON.stringify(item).replace(/media\/([\w-]+\.(?:webp|mp4|webm|vtt|mp3))/g, (_, name: string) => {
      names.add(name);
      return `${ORIGIN}/wp-content/uploads/${name}`;
    });
    const list = kinds[toKind(item.type)].restBase;
    (content.lists[list] ??= []).push(withHead(JSON.parse(text) as BundledItem));
  }
  for (const name of names) {
    const bytes = await readFile(join(bundledFolder, "media", name));
    content.uploads.set(name, { bytes, contentType: uploadTypes[name.split(".").at(-1) ?? ""] ?? "" });
  }
  return content;
}

/** Beside its content. */
function withHead(item: BundledItem): FakeItem {
  const cover = item._embedded?.["wp:featuredmedia"] as object[] | undefined;
  const id = item.id + 100_000;
  return {
    ...item,
    link: `${ORIGIN}/${item.type}/${item.id}/`,
    modified: item.date,
    modified_gmt: item.date.slice(0, 19),
    status: "publish",
    featured_media: cover ? id : 0,
    content: { ...(item["content"] as object), protected: false },
    _embedded: { ...item._embedded, ...(cover && { "wp:featuredmedia": [{ id, ...cover[0] }] }) },
  };
}

/** Silence that every browser plays: 8 kHz in 8 bits. */
export function makeRecording(seconds = 1): FakeUpload {
  const header = Buffer.alloc(44);
  const rate = 8000;
  const size = rate * seconds;
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + size, 4);
  header.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    header.writeUInt16LE(value, at);
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, size],
  ] as const)
    header.writeUInt32LE(value, at);
  header.write("data", 36);
  return { bytes: Buffer.concat([header, Buffer.alloc(size, 128)]), contentType: "audio/wav" };
}
