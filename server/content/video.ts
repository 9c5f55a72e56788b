import type { SourceItem } from "./source.ts";

/** A film that belongs to an item, by where it is played from. */
export type Video = { orientation: "landscape" | "portrait"; durationInSeconds?: number } & VideoPlace;

export type VideoPlace =
  | { kind: "youtube"; src: string }
  | { kind: "vimeo"; src: string }
  /** A file of the content source, served by ourselves; the same film as WebM and its captions as WebVTT, where it has them. */
  | { kind: "file"; src: string; webm?: string; captions?: string }
  /** A host that we do not embed: a link is all we offer. */
  | { kind: "elsewhere"; src: string };

/**
 * The video that an item's custom fields name: Vimeo's address when the network says so, otherwise YouTube's,
 * then any other address that can be played (spec, section 3).
 */
export function findVideo(fields: SourceItem["acf"]): Video | undefined {
  if (!fields) return undefined;
  const isVimeo = fields.video_network?.trim().toLowerCase() === "vimeo";
  const addresses = isVimeo
    ? [fields.vimeo_url, fields.video_url, fields.youtube_url]
    : [fields.youtube_url, fields.video_url, fields.vimeo_url];
  const places = addresses.map((address) => parseVideoAddress(address ?? "")).filter((place) => place !== undefined);
  const place = places.find(({ kind }) => kind !== "elsewhere") ?? places[0];
  const orientation = fields.orientation?.trim().toLowerCase() === "portrait" ? "portrait" : "landscape";
  const { video_duration: seconds } = fields;
  return (
    place && {
      ...place,
      ...(place.kind === "file" && companionsOf(fields)),
      ...(seconds && { durationInSeconds: seconds }),
      orientation,
    }
  );
}

/** What goes with a film that is served by ourselves; anything that is not is left out. */
function companionsOf({ webm_url: webm, captions_url: captions }: NonNullable<SourceItem["acf"]>) {
  return {
    ...(webm && /^media\/[\w.-]+\.webm$/.test(webm) && { webm }),
    ...(captions && /^media\/[\w.-]+\.vtt$/.test(captions) && { captions }),
  };
}

/** Where an address is played from; `undefined` for what is no web address at all (`javascript:`, "not a url"). */
export function parseVideoAddress(address: string): VideoPlace | undefined {
  const text = address.trim();
  if (/^media\/[\w.-]+\.(mp4|webm)$/.test(text)) return { kind: "file", src: text };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;

  const host = url.hostname.replace(/^(www|m)\./, "");
  if (host === "youtu.be") return youtube(url.pathname.slice(1));
  if (host === "youtube.com" || host === "youtube-nocookie.com") {
    const fromPath = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname)?.[1];
    return youtube(fromPath ?? url.searchParams.get("v") ?? "");
  }
  if (host === "vimeo.com") return vimeo(/^\/(?:video\/)?(\d+)(?:\/(\w+))?/.exec(url.pathname));
  if (host === "player.vimeo.com") return vimeo(/^\/video\/(\d+)/.exec(url.pathname), url.searchParams.get("h"));
  return url.protocol === "https:" ? { kind: "elsewhere", src: url.href } : undefined;
}

/** The host that sets no cookie before play. */
function youtube(id: string): VideoPlace | undefined {
  if (!/^[\w-]{6,20}$/.test(id)) return undefined;
  return { kind: "youtube", src: `https://www.youtube-nocookie.com/embed/${id}` };
}

/** `dnt` asks Vimeo not to track; `h` is the key of an unlisted video. */
function vimeo(match: RegExpExecArray | null, key: string | null | undefined = match?.[2]): VideoPlace | undefined {
  if (!match?.[1]) return undefined;
  const unlisted = key && /^\w+$/.test(key) ? `h=${key}&` : "";
  return { kind: "vimeo", src: `https://player.vimeo.com/video/${match[1]}?${unlisted}dnt=1` };
}
