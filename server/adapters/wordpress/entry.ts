import { z } from "zod";

import {
  fileFields,
  findFileReference,
  findText,
  type GivenFields,
  pickFields,
  replaceFirst,
} from "../../content/items/fields.ts";
import { sourceItemSchema, sourceLimits } from "../../content/items/source.ts";
import type { KeepText } from "../../content/items/text-file.ts";
import { type Files, listNamed, nameCaptions, type NamedFile, nameFilm, namePicture } from "./files.ts";
import { nameRecording, renameFiles, toForeign } from "./files.ts";
import { type RestType, toKind } from "./pages.ts";
import { toParagraphs } from "./paragraphs.ts";

/** A stored item: the fields for the catalogue, and how to detect a change. */
export type Entry = {
  /** Its id, or else its place among items without one. */
  key: string;
  /** The last change, in WordPress's own words, UTC. */
  modified: string | undefined;
  /** Published, without a password. */
  isPublic: boolean;
  readItem: () => unknown;
  /** The files of this WordPress that it shows, by their names in `item`. */
  files: NamedFile[];
};

/** A file that an item names only by number, from `/media`: its cover, or a custom field's. */
export type Attachment = { source_url?: unknown; alt_text?: unknown; media_details?: unknown };

const headSchema = z.object({
  id: z.int().positive().optional().catch(undefined),
  modified_gmt: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  featured_media: z.int().positive().optional().catch(undefined),
});

/** Never throws: unreadable fields stay raw, and the catalogue leaves them out and reports them. */
export function readHead(raw: unknown): z.infer<typeof headSchema> {
  return headSchema.safeParse(raw).data ?? {};
}

const withCoverSchema = z.object({
  _embedded: z.object({ "wp:featuredmedia": z.tuple([z.object({ source_url: z.string() })], z.unknown()) }),
});
const withFieldsSchema = z.object({ acf: z.record(z.string(), z.unknown()) });

function findMissingCover(raw: unknown): number | undefined {
  return withCoverSchema.safeParse(raw).success ? undefined : readHead(raw).featured_media;
}

/** Files named only by number. Never throws: a list may hold anything, `null` too. */
export function listMissingFiles(raw: unknown): number[] {
  const { acf } = withFieldsSchema.safeParse(raw).data ?? {};
  const named = fileFields.map((name) => findFileReference(acf?.[name]));
  const numbers = named.map((file) => (file && "number" in file ? file.number : undefined));
  return [findMissingCover(raw), ...numbers].filter((number) => number !== undefined);
}

export function toKey(id: number | undefined, place: number): string {
  return id === undefined ? `at ${place}` : String(id);
}

/**
 * `attachments`: the found files of `listMissingFiles`. `isTyped`: custom fields are raw, with paragraphs as blank
 * lines.
 */
export type Origin = {
  type: RestType;
  base: URL;
  place: number;
  attachments?: ReadonlyMap<number, Attachment>;
  isTyped?: boolean;
};

export function toEntry(raw: unknown, { type, base, place, attachments = new Map(), isTyped = false }: Origin): Entry {
  const { id, modified_gmt: modified, status = "publish" } = readHead(raw);
  const key = toKey(id, place);
  const typed = typeof raw === "object" && raw !== null ? { ...raw, type: toKind(type).type } : raw;
  const parsed = sourceItemSchema.safeParse(typed);
  if (!parsed.success) return { key, modified, isPublic: status === "publish", readItem: () => typed, files: [] };

  const item = parsed.data;
  const files: Files = { base, named: new Map() };
  const cover = attachments.get(findMissingCover(raw) ?? 0);
  const given = sourceItemSchema.shape._embedded.parse({ "wp:featuredmedia": [cover ?? null] });
  const media = item._embedded?.["wp:featuredmedia"]?.[0] ?? given?.["wp:featuredmedia"]?.[0];
  const source_url = media && (namePicture(files, media.source_url) ?? toForeign(files, media.source_url));
  const shown = {
    ...item,
    content: { ...item.content, rendered: renameFiles(files, item.content.rendered) },
    ...(item.acf && { acf: renameFields(item.acf, { files, attachments, isTyped }) }),
    // A picture elsewhere keeps its address, and the catalogue counts it.
    _embedded: { ...item._embedded, "wp:featuredmedia": media && source_url ? [{ ...media, source_url }] : [] },
  };
  const isPublic = status === "publish" && item.content.protected !== true;
  return { key, modified, isPublic, readItem: () => shown, files: listNamed(files) };
}

export function keepEntry(entry: Entry, keepText: KeepText): Entry {
  const read = keepText(JSON.stringify(entry.readItem()));
  return { ...entry, readItem: () => JSON.parse(read()) };
}

export function toStoredEntry({ key, modified, isPublic, readItem, files }: Entry) {
  return { key, modified, isPublic, item: readItem(), files };
}

type Naming = Required<Pick<Origin, "attachments" | "isTyped">> & { files: Files };

/** The known custom fields with our names for files on this WordPress. */
function renameFields(given: GivenFields, { files, attachments, isTyped }: Naming): Record<string, unknown> {
  const fields = pickFields(given);
  for (const field of fileFields) {
    const file = findFileReference(fields[field]);
    const address = file && "number" in file ? attachments.get(file.number)?.source_url : file?.address;
    if (typeof address !== "string") continue;
    fields[field] = replaceFirst(fields[field], namers[field](files, address) ?? address);
  }
  const text = findText(fields["transcript"]);
  if (text !== undefined && text.length <= sourceLimits.text) {
    fields["transcript"] = replaceFirst(fields["transcript"], renameFiles(files, isTyped ? toParagraphs(text) : text));
  }
  return fields;
}

const namers = {
  video_url: nameFilm,
  webm_url: nameFilm,
  captions_url: nameCaptions,
  audio_url: nameRecording,
  m4a_url: nameRecording,
};
