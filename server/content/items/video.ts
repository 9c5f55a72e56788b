import { type Losses, unusableFileText } from "./blocks.ts";
import { type Fields, noteField } from "./fields.ts";
import { parseVideoAddress, type VideoSource } from "./video-address.ts";

export type Video = {
  orientation: "landscape" | "portrait";
  durationInSeconds?: number;
  isSilent?: true;
} & VideoSource;

/** `host`: of the source; `losses` counts what is invalid. */
export type Playing = { host?: string | undefined; losses: Losses };

/** Vimeo's address if the network field says so, else YouTube's, else any that plays. */
export function findVideo(fields: Fields, playing: Playing): Video | undefined {
  const order =
    fields.video_network === "vimeo"
      ? (["vimeo_url", "video_url", "youtube_url"] as const)
      : (["youtube_url", "video_url", "vimeo_url"] as const);
  const sources = order.map((name) => readSource(fields, name, playing)).filter((source) => source !== undefined);
  const source = sources.find(({ kind }) => kind !== "elsewhere") ?? sources[0];
  const companions = findCompanions(fields, source, playing);
  const { orientation = "landscape", video_duration: seconds, video_silent: isSilent } = fields;
  if (seconds !== undefined && !source) noteField(playing.losses, "video_duration", "there is no film with it");
  return (
    source && {
      ...source,
      ...companions,
      ...(seconds && { durationInSeconds: seconds }),
      ...(isSilent && { isSilent }),
      orientation,
    }
  );
}

function readSource(fields: Fields, name: "vimeo_url" | "youtube_url" | "video_url", playing: Playing) {
  const address = fields[name];
  if (address === undefined) return undefined;
  const source = parseVideoAddress(address);
  if (!source) noteField(playing.losses, name, unusableFileText(address, playing.host));
  return source;
}

function findCompanions(fields: Fields, source: VideoSource | undefined, { host, losses }: Playing) {
  const companions: { webm?: string; captions?: string } = {};
  for (const [part, name, isOurs] of parts) {
    const address = fields[name];
    if (address === undefined) continue;
    if (source?.kind !== "file") noteField(losses, name, "it belongs to a film in video_url, but there is none");
    else if (isOurs.test(address)) companions[part] = address;
    else noteField(losses, name, unusableFileText(address, host));
  }
  return companions;
}

const parts = [
  ["webm", "webm_url", /^media\/[\w.-]+\.webm$/],
  ["captions", "captions_url", /^media\/[\w.-]+\.vtt$/],
] as const;
