import type { Sound } from "../../../server/content/catalogue/sound.ts";

/** The codec, too: a browser without it then goes on to the other file at once. */
const AAC = "audio/mp4; codecs=mp4a.40.2";

/**
 * The files of a recording with their types, in the order in which a browser tries them. AAC comes first, because every engine plays it:
 * WebKitGTK now and then reads an Opus file as 0.001 s long, and a loop of it is silent. `public/keep.js` keeps the same one.
 */
export function listSources({ src, type, m4a }: Sound): Pick<Sound, "src" | "type">[] {
  const given = { src, type };
  return m4a ? [{ src: m4a, type: AAC }, given] : [given];
}
