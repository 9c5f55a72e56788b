import { type ItemRef, itemKinds, kinds } from "./kinds.ts";
import { z } from "zod";

import type { PartCheck } from "../../platform/part-check.ts";

/** For operators of an installation without content of its own. */
export const SAMPLES_SERVED =
  "Members get its samples as health advice, which no clinician has reviewed: set CMS_URL to serve your own.";

/** Where content comes from: the bundled Markdown, or a CMS. */
export type ContentSource = {
  /** Its name for operators. */
  name: string;
  /** Where its own pages are, if it has any: relative links of its texts lead there. */
  site?: string;
  /**
   * Every published item, in the shape of `sourceItemSchema` if all is well, or a function that reads it; the catalogue checks each one.
   * An item that has not changed may be the same object as before, and so may be the whole list; they are never altered. `undefined` where
   * there was no one to read as, which is no fault: it was not read, and what was read last stays.
   * @throws when it cannot be read whole: half a list is no list.
   */
  listItems(options?: ListOptions): Promise<unknown[] | undefined>;
  /**
   * Goes on with a reading of everything that takes longer than `listItems` may: every published item once it is done, and nothing before.
   * The next call goes on where one stopped.
   * @throws when it cannot go on; what `listItems` answered stays true.
   */
  listFurther?(): Promise<unknown[] | undefined>;
  /** The last good reading on disk, for a start while the source is away. Sources that are always there store nothing. */
  readStored?(): Promise<StoredItems | undefined>;
  /**
   * A file that items refer to as `media/NAME`, a picture about as wide as asked for where the source can draw it so.
   * `away`: there is such a file, but it is unavailable now.
   */
  findMedia(name: string, width?: number): Promise<Media | "away" | undefined>;
  /** Whether there is such a file, as far as the source knows without asking another host. Without it, every file counts as there. */
  hasMedia?(name: string): Promise<boolean>;
  /**
   * Whether an address is that of a page of the source that is no item, as far as it knows. Without it, links that look like those of items
   * are not doubted.
   */
  hasPage?(address: URL): boolean;
  /** Unpublished items; none for a source that gives published items alone. */
  drafts?: DraftSource;
  /** Asks it for real. */
  check(): Promise<PartCheck>;
};

/** An item as its source gives it. */
export function readSource(given: unknown): unknown {
  return typeof given === "function" ? (given as () => unknown)() : given;
}

/** `acceptsEmpty`: an operator says that it is no mistake if there is nothing where there was much. */
export type ListOptions = { acceptsEmpty?: boolean };

/** `fault`: why the last reading failed; none where there was no one to read as since. */
export type StoredItems = { items: unknown[]; readAt: Date | undefined; fault: string | undefined };

/** A file as pages ask for it: `media/NAME?w=WIDTH`. */
export type FileRef = { name: string; width?: number | undefined };

export type Media = {
  contentType: string;
  sizeInBytes: number;
  /** Since when it has these bytes, where that is known. */
  changedAt?: Date | undefined;
  /** The most bytes that one answer should carry; everything, if nothing is said. */
  partMaxBytes?: number;
  /** The bytes from `start` up to and including `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
};

/** Why something is not published. */
export type DraftState = "draft" | "pending" | "scheduled";

/** An unpublished item as a list shows it. `title` is HTML, as the source has it. */
export type DraftHead = ItemRef & { title: string; state: DraftState; changedAt: Date | undefined };

/** `says`: why the source shows none, for operators. */
export type DraftRefusal = { ok: false; message: string };

/** `note`: what the list leaves out, if anything. */
export type DraftHeads = { ok: true; drafts: DraftHead[]; note?: string } | DraftRefusal;

/** `item` is in the shape of `sourceItemSchema` if all is well; nothing where there is no such draft. */
export type FoundDraft = { ok: true; draft: (DraftHead & { item: unknown }) | undefined } | DraftRefusal;

/**
 * The unpublished items of a content source, for operators' previews. It is asked for each time, with a time limit, and kept
 * nowhere: not in the catalogue, not on disk. Members reach none of it, files included.
 */
export type DraftSource = {
  /** The latest of each kind, the newest change first. */
  list(): Promise<DraftHeads>;
  find(ref: ItemRef): Promise<FoundDraft>;
  /** A file that a draft refers to as `media/NAME`, as `findMedia` of a source. */
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

/** The content type of a file, by the ending of its name. */
export function findMediaType(name: string): string {
  return mediaTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}

/** The longest text that each field may have: an item with more is refused, an optional field with more is left out. */
export const sourceLimits = {
  /** Fifty thousand words. Cleaning more would hold up everything else in the process. */
  text: 300_000,
  title: 1000,
  /** Names of authors and topics, alternative texts, values of a choice. */
  name: 500,
  /** The description of a tag that makes a guide. */
  description: 2000,
  address: 2000,
  date: 40,
  /** Topics of one item. */
  terms: 100,
};

/**
 * An item as a content source yields it: the shape of the WordPress REST API with `_embed` (docs/behaviour.md, Content).
 * Lenient where a real WordPress is: a part it cannot embed may be missing, `[]`, `false`, or an error object.
 */
const namedOrNot = z
  .object({ name: z.string().max(sourceLimits.name) })
  .nullable()
  .catch(null);
const optionalName = z.string().max(sourceLimits.name).nullish().catch(undefined);
const optionalAddress = z.string().max(sourceLimits.address).nullish().catch(undefined);

/** `description`: of a tag that makes a guide, a few sentences about it. */
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
      /** Of a picture that comes with the product: the widths that its file is stored in, and the ground that shows while it loads. */
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
    /** Its own address at the source: what links to it say, and what its relative links are relative to. */
    link: optionalAddress,
    sticky: z.boolean().nullish().catch(false),
    /** The number of its picture; nought for none. */
    featured_media: z.int().nullish().catch(undefined),
    title: z.object({ rendered: z.string().max(sourceLimits.title, "its title is too long") }),
    content: z.object({
      rendered: z.string().max(sourceLimits.text, "its text is too long"),
      protected: z.boolean().nullish(),
    }),
    /** As they came: `readFields` reads them. ACF gives an empty list for a type without fields. */
    acf: z.record(z.string(), z.unknown()).nullish().catch(undefined),
    _embedded: embedded.nullish().catch(undefined),
  })
  .refine(({ acf }) => !(typeof acf?.transcript === "string" && acf.transcript.length > sourceLimits.text), {
    path: ["acf", "transcript"],
    message: "its transcript is too long",
  });

export type SourceItem = z.infer<typeof sourceItemSchema>;
