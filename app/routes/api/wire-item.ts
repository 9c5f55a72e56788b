import { createHash } from "node:crypto";

import type { Item, ItemKind } from "../../../server/content/item.ts";
import type { MediaItem, MediaType } from "../../../server/provider-api/wire-content.ts";
import { href } from "../../paths.ts";

export const mediaTypeOf: Record<ItemKind, MediaType> = { watch: "videos", read: "post", learn: "tutorials" };
export const kindOf: Record<MediaType, ItemKind> = { videos: "watch", post: "read", tutorials: "learn" };

/** An item in the shape of the WordPress REST API, made of what is shown here: sanitised, and with whole addresses. */
export function toWireItem(item: Item, site: string): MediaItem {
  const { picture, video } = item;
  const address = (path: string) => toFileAddress(path, site);
  return {
    id: item.id,
    type: mediaTypeOf[item.kind],
    date: item.date + item.publishedAt.toISOString().slice(item.date.length, END_OF_SECONDS),
    link: `${site}?view=${item.kind}&item=${item.id}`,
    date_gmt: item.publishedAt.toISOString().slice(0, END_OF_SECONDS),
    sticky: item.isSticky,
    title: { rendered: escapeText(item.title) },
    content: { rendered: withAddresses(item.bodyHtml, site), protected: false },
    acf: {
      video_network: video?.kind === "vimeo" ? "vimeo" : "",
      vimeo_url: video?.kind === "vimeo" ? video.src : "",
      youtube_url: video?.kind === "youtube" ? video.src : "",
      video_url: video?.kind === "file" ? address(video.src) : video?.kind === "elsewhere" ? video.src : "",
      orientation: video?.orientation ?? "landscape",
      webm_url: video?.kind === "file" && video.webm ? address(video.webm) : "",
      captions_url: video?.kind === "file" && video.captions ? address(video.captions) : "",
      ...(video?.durationInSeconds !== undefined && { video_duration: video.durationInSeconds }),
      transcript: withAddresses(item.transcriptHtml ?? "", site),
    },
    _embedded: {
      author: [{ name: item.author }],
      "wp:featuredmedia":
        "src" in picture
          ? [
              {
                source_url: address(picture.src),
                alt_text: picture.alt,
                media_details: { width: picture.width, height: picture.height },
              },
            ]
          : [],
      "wp:term": [[], item.terms.map((term) => ({ name: escapeText(term) }))],
    },
  };
}

/** `2026-11-20T07:00:00`. */
const END_OF_SECONDS = 19;

/** What an item says, in a few letters. An item is never altered, so it is looked at once. */
export function digestOf(item: Item): string {
  const known = digests.get(item);
  if (known !== undefined) return known;
  const made = createHash("sha1").update(JSON.stringify(item)).digest("base64url");
  digests.set(item, made);
  return made;
}

const digests = new WeakMap<Item, string>();

/** Pages have files below `media/`, for browsers with a session; servers get the same below `api/`, for a key and a token. */
function toFileAddress(path: string, site: string): string {
  const ours = href("/media/");
  return path.startsWith(ours) ? `${site}api/media/files/${path.slice(ours.length)}` : new URL(path, site).href;
}

/**
 * Files and links to other items. Sanitised HTML has its attributes in double quotes. Files of the API have one width, so the
 * choice of widths goes.
 */
function withAddresses(html: string, site: string): string {
  return html
    .replaceAll(/ srcset="[^"<]*" sizes="[^"<]*"/g, "")
    .replaceAll(`"${href("/media/")}`, `"${site}api/media/files/`)
    .replaceAll(`href="${href("/?view=")}`, `href="${site}?view=`);
}

/** Titles and terms are HTML to whoever reads this shape. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
