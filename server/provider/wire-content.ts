import { z } from "zod";

import { itemKinds, kinds, mapTypes, sceneNames } from "../content/catalogue/kinds.ts";
import { id, optionalText, pageQuery, toInstant } from "./wire-fields.ts";

/** The shapes of the calls about content and what members keep of it: items as the WordPress REST API writes them with `_embed`. */

const mediaType = z.enum(itemKinds.map((kind) => kinds[kind].type));
export type MediaType = z.infer<typeof mediaType>;

const rendered = z.object({ rendered: z.string() });

const mediaItem = z.object({
  id: z.int(),
  type: mediaType,
  /** Its page, which links in the texts of other items lead to. */
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
    /** The film of `video_url` as WebM, and its captions as WebVTT; empty where there are none. */
    webm_url: z.string(),
    captions_url: z.string(),
    /** How long the film takes, in seconds; absent where nothing says so. */
    video_duration: z.number().optional(),
    /** A recording to listen to, and the same as AAC; empty where there are none. */
    audio_url: z.string(),
    m4a_url: z.string(),
    /** How long the recording takes, in seconds; absent where nothing says so. */
    audio_duration: z.number().optional(),
    /** For how many minutes a recording that is a loop plays; absent where it is none. */
    play_minutes: z.number().optional(),
    /** HTML of what is said. */
    transcript: z.string(),
    /** The day on which the text was last reviewed, `2026-11-16`; absent where nothing says so. */
    reviewed: z.string().optional(),
    /** One line below the text of a sample that says so. */
    sample_note: z.string().optional(),
    /** Seconds of a breath in and out, of a piece of Awake now with a breathing shape. */
    breathe_in: z.number().optional(),
    breathe_out: z.number().optional(),
    /** The night scene that an editor chose for an item without a picture. */
    scene: z.enum(sceneNames).optional(),
    /** The place in the guide to a topic that a tag `Start here: TOPIC` names, and why it comes there. */
    start_here_order: z.number().optional(),
    start_here_why: z.string().optional(),
    /** The same of the nights for a topic that a tag `Nights: TOPIC` names. */
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
    /** The second group holds what an item is filed under. */
    "wp:term": z.array(z.array(z.object({ name: z.string(), description: z.string().optional() }))).length(2),
  }),
});
export type MediaItem = z.infer<typeof mediaItem>;

export const mediaQuery = z.object(pageQuery);
export const mediaItems = z.array(mediaItem);

export const favesQuery = z.object({ id });
/** By their numbers. `saved_at` is an instant in UTC. */
const savedItems = z.record(z.string(), mediaItem.extend({ saved_at: z.string() }));
const numbers = z.array(z.int());
export const faves = z.object({
  ...mapTypes(() => savedItems),
  /** Kept, and no longer there: the newest saved first. */
  withdrawn: z.object(mapTypes(() => numbers)),
});

const readIds = z.array(id).catch([]);
const readItem = z
  .object({ id: id.optional().catch(undefined), saved_at: optionalText })
  .catch({ id: undefined, saved_at: undefined });

/** A map by number, or a list where a language makes no difference. */
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

/** Without `wanted` it is the other way round. */
export const favePost = z.object({
  id,
  mediaId: id,
  mediaType,
  wanted: z.enum(["save", "remove"]).optional(),
});
export const favePosted = z.object({ mediaId: z.int(), mediaType, isFavourite: z.boolean() });
