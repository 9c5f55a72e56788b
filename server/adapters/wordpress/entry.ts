import { z } from "zod";

import { type SourceItem, sourceItemSchema } from "../../content/source.ts";
import { type Files, listNamed, nameCaptions, type NamedFile, nameFilm, namePicture } from "./files.ts";
import { nameRecording, renameFiles } from "./files.ts";
import type { RestType } from "./pages.ts";

/** What is kept of one item: what the catalogue needs, and how to tell whether it has changed. */
export type Entry = {
  /** Its id; where there is none, its place among those without. */
  key: string;
  /** When it was last changed, in WordPress's own words, UTC. */
  modified: string | undefined;
  /** Published, and not behind a password. */
  isPublic: boolean;
  item: unknown;
  /** The pictures, films and recordings of this WordPress that it shows, by the names that `item` has for them. */
  files: NamedFile[];
};

/** A cover that was not embedded, as `/media` has it. */
export type Cover = { source_url?: unknown; alt_text?: unknown; media_details?: unknown };

const wireTypes = { videos: "videos", posts: "post", tutorials: "tutorials" } as const;

const headSchema = z.object({
  id: z.int().positive().optional().catch(undefined),
  modified_gmt: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  featured_media: z.int().positive().optional().catch(undefined),
});

/** Never throws: what cannot be read is kept as it came, for the catalogue to leave out and to name. */
export function headOf(raw: unknown): z.infer<typeof headSchema> {
  return headSchema.safeParse(raw).data ?? {};
}

const withCoverSchema = z.object({
  _embedded: z.object({ "wp:featuredmedia": z.tuple([z.object({ source_url: z.string() })], z.unknown()) }),
});

/** The cover that an item has but did not bring along. Never throws: a list may hold anything, `null` too. */
export function findMissingCover(raw: unknown): number | undefined {
  return withCoverSchema.safeParse(raw).success ? undefined : headOf(raw).featured_media;
}

export function keyOf(id: number | undefined, place: number): string {
  return id === undefined ? `at ${place}` : String(id);
}

type Origin = { type: RestType; base: URL; place: number; cover: Cover | undefined };

export function toEntry(raw: unknown, { type, base, place, cover }: Origin): Entry {
  const { id, modified_gmt: modified, status = "publish" } = headOf(raw);
  const key = keyOf(id, place);
  const typed = typeof raw === "object" && raw !== null ? { ...raw, type: wireTypes[type] } : raw;
  const parsed = sourceItemSchema.safeParse(typed);
  if (!parsed.success) return { key, modified, isPublic: status === "publish", item: typed, files: [] };

  const item = parsed.data;
  const files: Files = { base, named: new Map() };
  const given = sourceItemSchema.shape._embedded.parse({ "wp:featuredmedia": [cover ?? null] });
  const media = item._embedded?.["wp:featuredmedia"]?.[0] ?? given?.["wp:featuredmedia"]?.[0];
  const name = media && namePicture(files, media.source_url);
  const shown = {
    ...item,
    content: { ...item.content, rendered: renameFiles(files, item.content.rendered) },
    ...(item.acf && {
      acf: { ...item.acf, ...renameFields(item.acf, files) },
    }),
    _embedded: { ...item._embedded, "wp:featuredmedia": name ? [{ ...media, source_url: name }] : [] },
  };
  const isPublic = status === "publish" && item.content.protected !== true;
  return { key, modified, isPublic, item: shown, files: listNamed(files) };
}

/** Our names for a film or a recording, its second format, its captions and what its transcript shows, as far as they are on this WordPress. */
function renameFields(fields: NonNullable<SourceItem["acf"]>, files: Files) {
  const film = fields.video_url && nameFilm(files, fields.video_url);
  const webm = fields.webm_url && nameFilm(files, fields.webm_url);
  const captions = fields.captions_url && nameCaptions(files, fields.captions_url);
  const audio = fields.audio_url && nameRecording(files, fields.audio_url);
  const m4a = fields.m4a_url && nameRecording(files, fields.m4a_url);
  return {
    ...(film && { video_url: film }),
    ...(webm && { webm_url: webm }),
    ...(captions && { captions_url: captions }),
    ...(audio && { audio_url: audio }),
    ...(m4a && { m4a_url: m4a }),
    ...(fields.transcript && { transcript: renameFiles(files, fields.transcript) }),
  };
}
