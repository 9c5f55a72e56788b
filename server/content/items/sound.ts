import { unusableFileText } from "./blocks.ts";
import { type Fields, noteField } from "./fields.ts";
import { findMediaType } from "./source.ts";
import type { Playing } from "./video.ts";

/** Served by ourselves. */
export type Sound = {
  src: string;
  /** With the codec, where the type alone leaves open whether a browser can play it. */
  type: string;
  /** The same recording as AAC, which every browser plays. */
  m4a?: string;
  durationInSeconds?: number;
  playMinutes?: number;
};

/** `undefined` for a recording on another host: the page sends no request to other hosts before Play. */
export function findSound(fields: Fields, { host, losses }: Playing): Sound | undefined {
  const { audio_url: src, m4a_url: m4a, audio_duration: seconds, play_minutes: minutes } = fields;
  const isPlayed = src !== undefined && /^media\/[\w.-]+\.(?:opus|ogg|mp3|m4a|aac|wav|flac)$/.test(src);
  const isSecond = m4a !== undefined && /^media\/[\w.-]+\.m4a$/.test(m4a);
  if (src !== undefined && !isPlayed) noteField(losses, "audio_url", unusableFileText(src, host));
  if (m4a !== undefined && !isPlayed)
    noteField(losses, "m4a_url", "it belongs to a recording in audio_url, but there is none");
  else if (m4a !== undefined && !isSecond) noteField(losses, "m4a_url", unusableFileText(m4a, host));
  if (!isPlayed) {
    for (const name of ["audio_duration", "play_minutes"] as const)
      if (fields[name] !== undefined) noteField(losses, name, "there is no recording with it");
    return undefined;
  }
  return {
    src,
    type: src.endsWith(".opus") ? "audio/ogg; codecs=opus" : findMediaType(src),
    ...(isSecond && { m4a }),
    ...(seconds && { durationInSeconds: seconds }),
    ...(minutes && { playMinutes: minutes }),
  };
}
