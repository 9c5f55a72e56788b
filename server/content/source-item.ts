import { z } from "zod";

/**
 * An item as a content source yields it: the shape of the WordPress REST API with `_embed` (spec, section 3).
 * Lenient where a real WordPress is: a part it cannot embed may be missing, `[]`, `false`, or an error object.
 */
const rendered = z.object({ rendered: z.string() });
const named = z.object({ name: z.string() });
const optionalText = z.string().nullish().catch(undefined);

const customFields = z.object({
  video_network: optionalText,
  vimeo_url: optionalText,
  youtube_url: optionalText,
  video_url: optionalText,
  orientation: optionalText,
  /** HTML of what is said in the video. */
  transcript: optionalText,
});

const featuredMedia = z.object({
  source_url: z.string(),
  alt_text: optionalText,
  media_details: z.object({ width: z.int().positive(), height: z.int().positive() }).nullish().catch(undefined),
});

const embedded = z.object({
  author: z.array(named.nullable().catch(null)).nullish().catch(undefined),
  "wp:featuredmedia": z.array(featuredMedia.nullable().catch(null)).nullish().catch(undefined),
  "wp:term": z.array(z.array(named).catch([])).nullish().catch(undefined),
});

export const sourceItemSchema = z.object({
  id: z.int().positive(),
  type: z.enum(["videos", "post", "tutorials"]),
  date: z.string(),
  date_gmt: z.string().nullish(),
  sticky: z.boolean().nullish().catch(false),
  title: rendered,
  content: rendered.extend({ protected: z.boolean().nullish() }),
  acf: customFields.nullish().catch(undefined),
  _embedded: embedded.nullish().catch(undefined),
});

export type SourceItem = z.infer<typeof sourceItemSchema>;
