import { type Losses, unusableFileText } from "./blocks.ts";
import { type Fields, noteField } from "./fields.ts";
import { parseVideoAddress, type VideoPlace } from "./video-address.ts";

export type Video = {
  orientation: "landscape" | "portrait";
  durationInSeconds?: number;
  isSilent?: true;
} & VideoPlace;

/** `host`: of the source; `losses` counts what is invalid. */
export type Playing = { host?: string | undefined; losses: Losses };

/** Vimeo's address if the network field says so, else YouTube's, else any that plays. */
export function findVideo(fields: Fields, playing: Playing): Video | undefined {
  const order =
    fields.video_network === "vimeo"
      ? (["vimeo_url", "video_url", "youtube_url"] as const)
      : (["youtube_url", "video_url", "vimeo_url"] as const);
  const places = order.map((name) => readPlace(fields, name, playing)).filter((place) => place !== undefined);
  const place = places.find(({ kind }) => kind !== "elsewhere") ?? places[0];
  const companions = findCompanions(fields, place, playing);
  const { orientation = "landscape", video_duration: seconds, video_silent: isSilent } = fields;
  if (seconds !== undefined && !place) noteField(playing.losses, "video_duration", "there is no film with it");
  return (
    place && {
      ...place,
      ...companions,
      ...(seconds && { durationInSeconds: seconds }),
      ...(isSilent && { isSilent }),
      orientation,
    }
  );
}

function readPlace(fields: Fields, name: "vimeo_url" | "youtube_url" | "video_url", playing: Playing) {
  const address = fields[name];
  if (address === undefined) return undefined;
  const place = parseVideoAddress(address);
  if (!place) noteField(playing.losses, name, unusableFileText(address, playing.host));
  return place;
}

function findCompanions(fields: Fields, place: VideoPlace | undefined, { host, losses }: Playing) {
  const companions: { webm?: string; captions?: string } = {};
  for (const [part, name, isOurs] of parts) {
    const address = fields[name];
    if (address === undefined) continue;
    if (place?.kind !== "file") noteField(losses, name, "it belongs to a film in video_url, but there is none");
    else if (isOurs.test(address)) companions[part] = address;
    else noteField(losses, name, unusableFileText(address, host));
  }
  return companions;
}

const parts = [
  ["webm", "webm_url", /^media\/[\w.-]+\.webm$/],
  ["captions", "captions_url", /^media\/[\w.-]+\.vtt$/],
] as const;
