import { toWebAddress } from "./addresses.ts";

export type VideoSource =
  | { kind: "youtube"; src: string }
  | { kind: "vimeo"; src: string }
  /** Our own file of the content source, with WebM and WebVTT if it has them. */
  | { kind: "file"; src: string; webm?: string; captions?: string }
  /** A host that we do not embed, or a page of YouTube or Vimeo that cannot be embedded: we offer a link. */
  | { kind: "elsewhere"; src: string };

/** `undefined` for anything but a web address. A film on YouTube or Vimeo keeps its list and its start. */
export function parseVideoAddress(address: string): VideoSource | undefined {
  const text = address.trim();
  if (/^media\/[\w.-]+\.(mp4|webm)$/.test(text)) return { kind: "file", src: text };
  const url = toWebAddress(text);
  if (!url) return undefined;
  const hosted = parseHosted(url);
  if (hosted) return hosted;
  if (isFilmHost(url)) url.protocol = "https:";
  return url.protocol === "https:" ? { kind: "elsewhere", src: url.href } : undefined;
}

export function isFilmHost(url: URL): boolean {
  return youtubeHosts.test(url.hostname) || vimeoHosts.test(url.hostname);
}

const youtubeHosts = /^(?:[a-z]+\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be)$/;
const vimeoHosts = /^(?:[a-z]+\.)?vimeo(?:pro)?\.com$/;

function parseHosted(url: URL): VideoSource | undefined {
  if (youtubeHosts.test(url.hostname)) return parseYoutube(url);
  return vimeoHosts.test(url.hostname) ? parseVimeo(url) : undefined;
}

/** This host sets no cookie before play. */
const YOUTUBE = "https://www.youtube-nocookie.com/embed/";

/** YouTube's forms: `watch?v=`, `youtu.be/`, `/shorts/`, `/embed/videoseries?list=` and so on. */
function parseYoutube(url: URL): VideoSource | undefined {
  const { hostname, searchParams } = url;
  const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "");
  const wrapped = searchParams.get(first === "attribution_link" ? "u" : first === "oembed" ? "url" : "");
  if (wrapped) return parseYoutube(new URL(URL.parse(wrapped, url) ?? "https://www.youtube.com/"));

  const named = hostname.endsWith("youtu.be") ? first : youtubePaths.has(first) ? second : "";
  const id = [named, searchParams.get("v") ?? ""].find(
    (each) => /^[\w-]{6,20}$/.test(each) && !youtubeFrames.has(each),
  );
  const list = readList(searchParams.get("list"));
  const channel = second === "live_stream" ? searchParams.get("channel") : null;
  const player = new URL(YOUTUBE);
  if (id) player.pathname += id;
  else if (list) player.pathname += "videoseries";
  else if (channel && /^[\w-]{10,40}$/.test(channel)) {
    player.pathname += "live_stream";
    player.searchParams.set("channel", channel);
  } else return undefined;
  if (list) player.searchParams.set("list", list);
  const start = readStart(url, ["start", "t", "time_continue"]);
  if (start > 0) player.searchParams.set("start", String(start));
  return { kind: "youtube", src: player.href };
}

const youtubePaths = new Set(["embed", "shorts", "live", "v", "e", "vi", "watch"]);
/** These players play something other than one film. */
const youtubeFrames = new Set(["videoseries", "live_stream"]);

/** Lists that only their owner sees (`WL`, `LL`) play for no other viewer. */
function readList(list: string | null): string | undefined {
  return list && /^[\w-]{3,64}$/.test(list) ? list : undefined;
}

/**
 * `dnt` asks Vimeo not to track; `h` is the key of an unlisted film. Events and whole showcases play only on Vimeo's
 * pages.
 */
function parseVimeo(url: URL): VideoSource | undefined {
  const [, id, pathKey] = vimeoPath.exec(url.pathname) ?? [];
  const number = id ?? /^#\/?(\d{5,})$/.exec(url.hash)?.[1] ?? readClip(url);
  if (number === undefined) return undefined;
  const key = url.searchParams.get("h") ?? pathKey;
  const player = new URL(`https://player.vimeo.com/video/${number}`);
  if (key && /^\w+$/.test(key)) player.searchParams.set("h", key);
  player.searchParams.set("dnt", "1");
  const start = readStart(url, ["t", "start"]);
  if (start > 0) player.hash = `t=${start}s`;
  return { kind: "vimeo", src: player.href };
}

/** Vimeo's oEmbed forms (developer.vimeo.com/api/oembed/videos), older ones, and Vimeo's own pages. */
const vimeoPath =
  /^\/(?:m\/|video\/|channels\/[\w-]+\/|categories\/(?:[\w-]+\/){1,3}|groups\/[\w-]+\/videos\/|(?:album|showcase)\/[\w-]+\/video\/|ondemand\/[\w-]+\/|manage\/videos\/|couchmode\/(?:[\w-]+\/){1,4}|[\w-]+\/[\w-]+\/video\/)?(\d+)(?:\/([\da-f]{6,40}))?(?:\/|$)/i;

/** The oldest player: `/moogaloop.swf?clip_id=ID`. */
function readClip({ pathname, searchParams }: URL): string | undefined {
  const id = pathname === "/moogaloop.swf" ? searchParams.get("clip_id") : null;
  return id && /^\d+$/.test(id) ? id : undefined;
}

/** In seconds: `90`, `90s`, `1m30s`, `1:30`; 0 by default. */
function readStart({ searchParams, hash }: URL, names: string[]): number {
  const given = [...names.map((name) => searchParams.get(name)), new URLSearchParams(hash.slice(1)).get("t")];
  return given.map((each) => readSeconds(each ?? "")).find((seconds) => seconds > 0) ?? 0;
}

function readSeconds(text: string): number {
  const [, h = 0, m = 0, s = 0] =
    /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/i.exec(text) ??
    /^(?:(\d{1,2}):)?(\d{1,3}):(\d\d)$/.exec(text) ??
    [];
  return Number(h) * 3600 + Number(m) * 60 + Number(s);
}
