import { listShown, readAddress } from "../../content/items/addresses.ts";
import { nameOfAddress } from "../../content/items/pictures.ts";

/** A shown file of the WordPress; `name` is ours, such as `0a….webp`. */
export type NamedFile = { name: string; address: string };

/**
 * `base`: of this WordPress; `named`: addresses by our names, filled by the functions below. Files elsewhere and of
 * other kinds get no name.
 */
export type Files = { base: URL; named: Map<string, string> };

export function listNamed({ named }: Files): NamedFile[] {
  return [...named].map(([name, address]) => ({ name, address }));
}

/** `media/NAME`, if the address is a picture on this WordPress. */
export function namePicture(files: Files, text: string): string | undefined {
  return nameFile(files, text, (ending) => (/^(?:jpe?g|png|gif|webp|avif|svg)$/.test(ending) ? "webp" : undefined));
}

export function nameFilm(files: Files, text: string): string | undefined {
  return nameFile(files, text, (ending) => (/^(?:mp4|m4v|webm)$/.test(ending) ? playedEndings[ending] : undefined));
}

export function nameRecording(files: Files, text: string): string | undefined {
  return nameFile(files, text, (ending) => (/^(?:mp4|m4v|webm)$/.test(ending) ? undefined : playedEndings[ending]));
}

export function nameCaptions(files: Files, text: string): string | undefined {
  return nameFile(files, text, (ending) => (ending === "vtt" ? "vtt" : undefined));
}

/** `servedAs` maps the ending of a file to that of our name. */
function nameFile({ base, named }: Files, text: string, servedAs: (ending: string) => string | undefined) {
  const address = locate(text, base);
  const ending = servedAs(/\.(\w{3,4})$/.exec(address?.pathname ?? "")?.[1]?.toLowerCase() ?? "");
  if (!address || !ending) return undefined;
  const name = nameOfAddress(address.href, ending);
  named.set(name, address.href);
  return `media/${name}`;
}

/** The full address of a file without a name of ours, if it looks like one: `media/moon.tiff`. */
export function toForeign({ base }: Pick<Files, "base">, text: string): string {
  const address = text.trim();
  return address.startsWith("media/") ? (URL.parse(address, base)?.href ?? text) : text;
}

/** Renames pictures, players and captions. Files elsewhere or of other kinds keep their address. */
export function renameFiles(files: Files, html: string): string {
  return replaceTags(html, (tag) => {
    if (tag.name === "img") return renamePicture(files, tag);
    return playerTags.has(tag.name) ? renamePlayer(files, tag) : undefined;
  });
}

function renamePicture(files: Files, tag: Tag): Tag {
  const shown = listShown(Object.fromEntries(tag.attributes));
  const address = findLargest(tag, files.base) ?? shown.find((each) => namePicture(files, each)) ?? shown[0];
  for (const each of ["srcset", "sizes"]) tag.attributes.delete(each);
  if (address !== undefined) tag.attributes.set("src", namePicture(files, address) ?? toForeign(files, address));
  return tag;
}

function renamePlayer(files: Files, tag: Tag): Tag {
  const [src = ""] = listShown(Object.fromEntries(tag.attributes));
  const played =
    tag.name === "track" ? nameCaptions(files, src) : nameFile(files, src, (ending) => playedEndings[ending]);
  const poster = readAddress(tag.attributes.get("poster") ?? "");
  if (src) tag.attributes.set("src", played ?? toForeign(files, src));
  if (poster) tag.attributes.set("poster", namePicture(files, poster) ?? toForeign(files, poster));
  return tag;
}

const playerTags = new Set(["audio", "video", "source", "track"]);

/** By ending; browsers play these, while WordPress takes others too. */
const playedEndings: Record<string, string> = {
  mp4: "mp4",
  m4v: "mp4",
  webm: "webm",
  mp3: "mp3",
  m4a: "m4a",
  aac: "aac",
  ogg: "ogg",
  oga: "ogg",
  opus: "ogg",
  wav: "wav",
  flac: "flac",
};

/**
 * `undefined` for a file elsewhere. Old articles often use `http:` on an `https:` site, so the scheme does not matter.
 */
function locate(text: string, base: URL): URL | undefined {
  const address = URL.parse(text.trim(), base);
  if (!address || !/^https?:$/.test(address.protocol) || address.hostname !== base.hostname) return undefined;
  if (address.port !== base.port) return undefined;
  return new URL(address.pathname + address.search, base.origin);
}

/** The largest of `srcset` on this WordPress: the text names a small one, and we draw small ones ourselves. */
function findLargest({ attributes }: Tag, base: URL): string | undefined {
  const given = [...attributes].filter(([name]) => name.endsWith("srcset")).map(([, value]) => readAddress(value));
  const offers = given
    .flatMap((each) => each.split(/,\s+/))
    .map((offer) => {
      const [, address = "", width = "0"] = /^(\S+)\s+(\d{1,5})w$/.exec(offer.trim()) ?? [];
      return { address, width: Number(width) };
    });
  const usable = offers.filter(({ address, width }) => width > 0 && width <= LARGEST && locate(address, base));
  return usable.toSorted((a, b) => b.width - a.width)[0]?.address;
}

/** The largest size that WordPress itself makes of a photograph. */
const LARGEST = 2560;

/** `name` is in small letters, values are raw HTML; the first of several attributes of a name counts. */
export type Tag = { name: string; attributes: Map<string, string> };

/**
 * Replaces start tags where `replace` answers one. Reads tags as a browser does, in linear time. May also replace text
 * in a comment or a script that looks like a tag: the catalogue sanitises the result.
 */
function replaceTags(html: string, replace: (tag: Tag) => Tag | undefined): string {
  let result = "";
  let written = 0;
  for (let start = html.indexOf("<"); start !== -1; start = html.indexOf("<", start)) {
    const read = readTag(html, start);
    // Unclosed: a browser and the sanitiser drop the rest.
    if (read === "unclosed") break;
    if (!read) {
      start += 1;
      continue;
    }
    const replaced = replace(read.tag);
    if (replaced) {
      result += html.slice(written, start) + writeTag(replaced);
      written = read.end;
    }
    start = read.end;
  }
  return result + html.slice(written);
}

/** `end` is the place after the tag. */
type ReadTag = { tag: Tag; end: number };

const letter = /[a-z]/i;
const space = /[\t\n\f\r ]/;
const endOfName = /[\t\n\f\r />]/;
const endOfAttribute = /[\t\n\f\r />=]/;
const endOfValue = /[\t\n\f\r >]/;

/** WHATWG HTML, sections 13.2.5.6 to 13.2.5.39. */
function readTag(html: string, start: number): ReadTag | "unclosed" | undefined {
  let at = start + 1;
  const until = (isEnd: RegExp) => {
    const from = at;
    while (at < html.length && !isEnd.test(html.charAt(at))) at += 1;
    return html.slice(from, at);
  };
  const skip = (skipped: RegExp) => {
    while (at < html.length && skipped.test(html.charAt(at))) at += 1;
  };
  if (!letter.test(html.charAt(at))) return undefined;
  const tag: Tag = { name: until(endOfName).toLowerCase(), attributes: new Map() };
  for (;;) {
    skip(/[\t\n\f\r /]/);
    if (at >= html.length) return "unclosed";
    if (html.charAt(at) === ">") return { tag, end: at + 1 };
    // A leading equals sign belongs to the name.
    const first = html.charAt(at);
    at += 1;
    const name = (first + until(endOfAttribute)).toLowerCase();
    skip(space);
    let value = "";
    if (html.charAt(at) === "=") {
      at += 1;
      skip(space);
      const quote = html.charAt(at);
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1);
        if (end === -1) return "unclosed";
        value = html.slice(at + 1, end);
        at = end + 1;
      } else value = until(endOfValue);
    }
    if (!tag.attributes.has(name)) tag.attributes.set(name, value);
  }
}

function writeTag({ name, attributes }: Tag): string {
  const written = [...attributes].map(([attribute, value]) => ` ${attribute}="${value.replaceAll('"', "&quot;")}"`);
  return `<${name}${written.join("")}>`;
}
