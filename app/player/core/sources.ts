import type { Sound } from "../../../server/content/items/sound.ts";

type Source = Pick<Sound, "src" | "type">;

/** The codec, too: a browser without it then goes on to the other file at once. */
const AAC = "audio/mp4; codecs=mp4a.40.2";

/**
 * A single file is the element's own `src`, because Chromium may not tell that the only `source` of a hydrated element
 * failed. Several are its sources.
 */
export function toSourceProps(sources: Source[]): { src: string | undefined; sources: Source[] } {
  const [first, ...others] = sources;
  return others.length > 0 ? { src: undefined, sources } : { src: first?.src, sources: [] };
}

/**
 * The files of a recording with their types, in the order in which a browser tries them. AAC comes first: WebKitGTK now
 * and then reads an Opus file as 0.001 s long, and a loop of it is silent. `public/keep.js` keeps the same one.
 */
export function listSources({ src, type, m4a }: Sound): Source[] {
  const given = { src, type };
  return m4a ? [{ src: m4a, type: AAC }, given] : [given];
}
