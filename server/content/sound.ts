import { mediaTypeOf, type SourceItem } from "./source.ts";

/** A recording that belongs to an item, served by ourselves. */
export type Sound = {
  src: string;
  /** Its type, with the codec where the type alone leaves open whether a browser can play it. */
  type: string;
  /** The same recording as AAC, for browsers that cannot play the first: Safari and Opus. */
  m4a?: string;
  durationInSeconds?: number;
  /** It is a loop, and plays for so many minutes. */
  playMinutes?: number;
};

/** The recording that an item's custom fields name. One on another host is none: nothing is asked of other hosts before Play. */
export function findSound(fields: SourceItem["acf"]): Sound | undefined {
  const src = fields?.audio_url?.trim() ?? "";
  if (!/^media\/[\w.-]+\.(?:opus|ogg|mp3|m4a|aac|wav|flac)$/.test(src)) return undefined;
  const { m4a_url: m4a, audio_duration: seconds, play_minutes: minutes } = fields ?? {};
  return {
    src,
    type: src.endsWith(".opus") ? "audio/ogg; codecs=opus" : mediaTypeOf(src),
    ...(m4a && /^media\/[\w.-]+\.m4a$/.test(m4a) && { m4a }),
    ...(seconds && { durationInSeconds: seconds }),
    ...(minutes && { playMinutes: minutes }),
  };
}
