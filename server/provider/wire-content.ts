import { z } from "zod";

import { itemKinds, kinds, mapTypes, sceneNames } from "../content/items/kinds.ts";
import { id, optionalText, pageQuery, toInstant } from "./wire-fields.ts";

/**
 * Calls about content and what members store about it; items have the shape of the WordPress REST API with `_embed`.
 */

const mediaType = z.enum(itemKinds.map((kind) => kinds[kind].type));
export type MediaType = z.infer<typeof mediaType>;

const rendered = z.object({ rendered: z.string() });

const mediaItem = z.object({
  id: z.int(),
  type: mediaType,
  /** Its page; texts of other items link to it. */
  link: z.string(),
  date: z.string(),
  date_gmt: z.string(),
  sticky: z.boolean(),
  title: rendered,
  content: z.object({ rendered: z.string(), protected: z.literal(false) }),
  acf: z.object({
    video_network: z.string(),
    vimeo_url: z.string(),
    youtube_url: z.string(),
    video_url: z.string(),
    orientation: z.enum(["landscape", "portrait"]),
    /** The film of `video_url` as WebM, and its captions as WebVTT; empty without them. */
    webm_url: z.string(),
    captions_url: z.string(),
    /** In seconds; absent if unknown. */
    video_duration: z.number().optional(),
    video_silent: z.literal(true).optional(),
    /** A recording, and the same as AAC; empty without them. */
    audio_url: z.string(),
    m4a_url: z.string(),
    audio_duration: z.number().optional(),
    /** For a recording that is a loop. */
    play_minutes: z.number().optional(),
    transcript: z.string(),
    /** The last review of the text, `2026-11-16`; absent if unknown. */
    reviewed: z.string().optional(),
    sample_note: z.string().optional(),
    /** Further words that the item is found by, separated by commas. */
    also_called: z.string().optional(),
    /** Seconds of a breath, for a breathing shape of Awake now. */
    breathe_in: z.number().optional(),
    breathe_out: z.number().optional(),
    /** An editor's choice for an item without a picture. */
    scene: z.enum(sceneNames).optional(),
    /** The place in the guide of a tag `Start here: TOPIC`, and one line about it. */
    start_here_order: z.number().optional(),
    start_here_why: z.string().optional(),
    /** The same for the nights of a tag `Nights: TOPIC`. */
    night_order: z.number().optional(),
    night_why: z.string().optional(),
  }),
  _embedded: z.object({
    author: z.array(z.object({ name: z.string() })),
    "wp:featuredmedia": z.array(
      z.object({
        source_url: z.string(),
        alt_text: z.string(),
        media_details: z.object({ width: z.int(), height: z.int() }),
      }),
    ),
    /** The second group has the topics. */
    "wp:term": z.array(z.array(z.object({ name: z.string(), description: z.string().optional() }))).length(2),
  }),
});
export type MediaItem = z.infer<typeof mediaItem>;

export const mediaQuery = z.object(pageQuery);
export const mediaItems = z.array(mediaItem);

export const favesQuery = z.object({ id });
/** By number. `saved_at` is an instant in UTC. */
const savedItems = z.record(z.string(), mediaItem.extend({ saved_at: z.string() }));
const numbers = z.array(z.int());
export const faves = z.object({
  ...mapTypes(() => savedItems),
  /** Favourites that are no longer published: the newest first. */
  withdrawn: z.object(mapTypes(() => numbers)),
});

const readIds = z.array(id).catch([]);
const readItem = z
  .object({ id: id.optional().catch(undefined), saved_at: optionalText })
  .catch({ id: undefined, saved_at: undefined });

/** A map by number, or a list from servers in other languages. */
const readSaved = z
  .union([
    z.record(z.string(), readItem).transform((map) => Object.entries(map)),
    z.array(readItem).transform((list) => list.map((item) => ["", item] as const)),
  ])
  .transform((items) =>
    items.flatMap(([key, item]) => {
      const number = item.id ?? id.safeParse(key).data;
      return number === undefined ? [] : [{ id: number, savedAt: toInstant(item.saved_at) }];
    }),
  )
  .default([]);

const noneWithdrawn = mapTypes(() => []);
export const readFaves = z.object({
  ...mapTypes(() => readSaved),
  withdrawn: z
    .object(mapTypes(() => readIds))
    .default(noneWithdrawn)
    .catch(noneWithdrawn),
});

/** Without `wanted` it toggles. */
export const favePost = z.object({
  id,
  mediaId: id,
  mediaType,
  wanted: z.enum(["save", "remove"]).optional(),
});
export const favePosted = z.object({ mediaId: z.int(), mediaType, isFavourite: z.boolean() });
