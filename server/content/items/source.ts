import { type ItemRef, itemKinds, kinds } from "./kinds.ts";
import { z } from "zod";

import type { PartCheck } from "../../platform/part-check.ts";

/** A warning for operators of an installation without content of its own. */
export const SAMPLES_SERVED =
  "Members read its samples as health advice, but no clinician has reviewed them. Set CMS_URL to show your own content.";

export type ContentSource = {
  name: string;
  /** Its own pages, if any: relative links of its texts lead there. */
  site?: string;
  /**
   * Every published item in the shape of `sourceItemSchema`, or a function that reads it; the catalogue checks each. An
   * unchanged item, or the whole unchanged list, may be the same object as before; neither is ever altered.
   * `undefined`: there was no account to read with, so the last reading stays.
   * @throws when it cannot be read whole.
   */
  listItems(options?: ListOptions): Promise<unknown[] | undefined>;
  /**
   * Continues a reading that takes longer than `listItems` may; answers every published item once it is complete.
   * @throws when it cannot continue; the last answer of `listItems` stays true.
   */
  listFurther?(): Promise<unknown[] | undefined>;
  /** The last good reading on disk, for a start while the source is away. Sources that are always there have none. */
  readStored?(): Promise<StoredItems | undefined>;
  /**
   * The file of `media/NAME`; a picture about as wide as requested, if the source can draw it. `away`: it is
   * unavailable now.
   */
  findMedia(name: string, width?: number): Promise<Media | "away" | undefined>;
  /**
   * Whether the source has the file, as far as it knows without a request. Without it, every file counts as present.
   */
  hasMedia?(name: string): Promise<boolean>;
  /** Whether an address is a page of the source but no item. Without it, no link counts as lost. */
  hasPage?(address: URL): boolean;
  drafts?: DraftSource;
  check(): Promise<PartCheck>;
};

export function readSource(given: unknown): unknown {
  return typeof given === "function" ? (given as () => unknown)() : given;
}

/** `acceptsEmpty`: an operator confirms that it may be empty where there was much. */
export type ListOptions = { acceptsEmpty?: boolean };

/** `fault`: why the last reading failed. It stays `undefined` while there is no account to read with. */
export type StoredItems = { items: unknown[]; readAt: Date | undefined; fault: string | undefined };

export type FileRef = { name: string; width?: number | undefined };

export type Media = {
  contentType: string;
  sizeInBytes: number;
  changedAt?: Date | undefined;
  maxRangeBytes?: number;
  /** Includes `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
};

export type DraftState = "draft" | "pending" | "scheduled";

/** `title` is HTML, as the source has it. */
export type DraftHead = ItemRef & { title: string; state: DraftState; changedAt: Date | undefined };

/** `message`: why the source shows none, for operators. */
export type DraftRefusal = { ok: false; message: string };

/** `note`: what the list leaves out, if anything. */
export type DraftHeads = { ok: true; drafts: DraftHead[]; note?: string } | DraftRefusal;

/** `item` should have the shape of `sourceItemSchema`; `draft` is `undefined` where there is none. */
export type FoundDraft = { ok: true; draft: (DraftHead & { item: unknown }) | undefined } | DraftRefusal;

/**
 * A source's unpublished items, for operators' previews. Read for each preview, with a time limit, and stored nowhere.
 * Members reach none of it, files included.
 */
export type DraftSource = {
  list(): Promise<DraftHeads>;
  find(ref: ItemRef): Promise<FoundDraft>;
  /** As `ContentSource.findMedia`, for files of a draft. */
  findMedia(ref: ItemRef, name: string, width?: number): Promise<Media | "away" | undefined>;
};

const mediaTypes: Record<string, string> = {
  webp: "image/webp",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  opus: "audio/ogg",
  aac: "audio/aac",
  ogg: "audio/ogg",
  wav: "audio/wav",
  flac: "audio/flac",
  vtt: "text/vtt; charset=utf-8",
};

export function findMediaType(name: string): string {
  return mediaTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}

/** An item with a longer text is refused; a longer optional field is left out. */
export const sourceLimits = {
  /** Fifty thousand words. Cleaning more would hold up everything else in the process. */
  text: 300_000,
  title: 1000,
  /** Authors, topics, alternative texts, values of a choice. */
  name: 500,
  description: 2000,
  address: 2000,
  date: 40,
  terms: 100,
};

/**
 * The shape of the WordPress REST API with `_embed` (docs/behaviour.md, Content). Lenient as a real WordPress requires:
 * a part may be missing, `[]`, `false`, or an error object.
 */
const namedOrNot = z
  .object({ name: z.string().max(sourceLimits.name) })
  .nullable()
  .catch(null);
const optionalName = z.string().max(sourceLimits.name).nullish().catch(undefined);
const optionalAddress = z.string().max(sourceLimits.address).nullish().catch(undefined);

/** `description`: a few sentences, of a tag that makes a guide. */
const term = z
  .object({
    name: z.string().max(sourceLimits.name),
    description: z.string().max(sourceLimits.description).nullish().catch(undefined),
  })
  .nullable()
  .catch(null);

const featuredMedia = z.object({
  source_url: z.string().max(sourceLimits.address),
  alt_text: optionalName,
  media_details: z
    .object({
      width: z.int().positive(),
      height: z.int().positive(),
      /** Of a bundled picture: the widths of its files, and the ground that shows while it loads. */
      widths: z.array(z.int().positive()).max(10).optional().catch(undefined),
      ground: z.int().nonnegative().optional().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

const embedded = z.object({
  author: z.array(namedOrNot).nullish().catch(undefined),
  "wp:featuredmedia": z.array(featuredMedia.nullable().catch(null)).nullish().catch(undefined),
  "wp:term": z.array(z.array(term).catch([])).nullish().catch(undefined),
});

export const sourceItemSchema = z
  .object({
    id: z.int().positive(),
    type: z.enum(itemKinds.map((kind) => kinds[kind].type)),
    date: z.string().max(sourceLimits.date, "its date is too long"),
    date_gmt: z.string().max(sourceLimits.date, "its date is too long").nullish(),
    /** Its address at the source: others link to it, and its relative links resolve against it. */
    link: optionalAddress,
    sticky: z.boolean().nullish().catch(false),
    /** The number of its picture; 0 for none. */
    featured_media: z.int().nullish().catch(undefined),
    title: z.object({ rendered: z.string().max(sourceLimits.title, "its title is too long") }),
    content: z.object({
      rendered: z.string().max(sourceLimits.text, "its text is too long"),
      protected: z.boolean().nullish(),
    }),
    /** Raw, for `readFields`. ACF gives an empty list for a type without fields. */
    acf: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    _embedded: embedded.nullish().catch(undefined),
  })
  .refine(({ acf }) => !(typeof acf?.transcript === "string" && acf.transcript.length > sourceLimits.text), {
    path: ["acf", "transcript"],
    message: "its transcript is too long",
  });

export type SourceItem = z.infer<typeof sourceItemSchema>;
