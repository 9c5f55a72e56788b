import { nameOfAddress } from "../../content/drawn-pictures.ts";

/** A file of the WordPress that content shows, and the name that we serve it under, such as `0a….webp`. */
export type NamedFile = { name: string; address: string };

/** Finds the files of this WordPress in an item, and gives them our names; what is elsewhere gets none. */
export type FileNamer = {
  /** `media/NAME`, if the address is a picture on this WordPress. */
  namePicture(address: string): string | undefined;
  nameFilm(address: string): string | undefined;
  nameCaptions(address: string): string | undefined;
  /** The HTML with our names in its pictures, players and captions. What is elsewhere or of another kind keeps its address. */
  renameFiles(html: string): string;
  /** All that were named. */
  files(): NamedFile[];
};

export function createFileNamer(base: URL): FileNamer {
  const named = new Map<string, string>();

  function give(address: URL, ending: string): string {
    const name = nameOfAddress(address.href, ending);
    named.set(name, address.href);
    return `media/${name}`;
  }

  function namePicture(text: string): string | undefined {
    const address = locate(text, base);
    return address && /\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(address.pathname) ? give(address, "webp") : undefined;
  }

  /** A film or a recording by the kind of its file. */
  function namePlayed(text: string): string | undefined {
    const address = locate(text, base);
    const [, ending = ""] = /\.(\w{3,4})$/.exec(address?.pathname ?? "") ?? [];
    const served = playedEndings[ending.toLowerCase()];
    return address && served && give(address, served);
  }

  function nameCaptions(text: string): string | undefined {
    const address = locate(text, base);
    return address && /\.vtt$/i.test(address.pathname) ? give(address, "vtt") : undefined;
  }

  function renamePicture(tag: Tag): Tag {
    const address = largestOf(tag, base) ?? readAddress(tag.attributes.get("src") ?? "");
    const name = address && namePicture(address);
    for (const each of ["srcset", "sizes"]) tag.attributes.delete(each);
    if (name) tag.attributes.set("src", name);
    return tag;
  }

  function renamePlayer(tag: Tag): Tag {
    const rename = (attribute: string, name: (address: string) => string | undefined) => {
      const found = name(readAddress(tag.attributes.get(attribute) ?? ""));
      if (found) tag.attributes.set(attribute, found);
    };
    rename("src", tag.name === "track" ? nameCaptions : namePlayed);
    rename("poster", namePicture);
    return tag;
  }

  return {
    namePicture,
    nameFilm(text) {
      const address = locate(text, base);
      const [, ending] = /\.(mp4|m4v|webm)$/i.exec(address?.pathname ?? "") ?? [];
      return address && ending && give(address, ending.toLowerCase() === "webm" ? "webm" : "mp4");
    },
    nameCaptions,
    renameFiles: (html) =>
      replaceTags(html, (tag) => {
        if (tag.name === "img") return renamePicture(tag);
        return playerTags.has(tag.name) ? renamePlayer(tag) : undefined;
      }),
    files: () => [...named].map(([name, address]) => ({ name, address })),
  };
}

const playerTags = new Set(["audio", "video", "source", "track"]);

/** What a player's file is served as, by the ending of its name. Browsers play these; WordPress takes others too. */
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
 * The address of a file of this WordPress; nothing for a file elsewhere. Old articles often say `http:` on a site that has moved to
 * `https:`, so a scheme alone makes no other host.
 */
function locate(text: string, base: URL): URL | undefined {
  const address = URL.parse(text.trim(), base);
  if (!address || !/^https?:$/.test(address.protocol) || address.hostname !== base.hostname) return undefined;
  if (address.port !== base.port) return undefined;
  return new URL(address.pathname + address.search, base.origin);
}

/** The largest of what `srcset` offers on this WordPress: the text names a small one, and we draw small ones ourselves. */
function largestOf({ attributes }: Tag, base: URL): string | undefined {
  const offers = readAddress(attributes.get("srcset") ?? "")
    .split(/,\s+/)
    .map((offer) => {
      const [, address = "", width = "0"] = /^(\S+)\s+(\d{1,5})w$/.exec(offer.trim()) ?? [];
      return { address, width: Number(width) };
    });
  const usable = offers.filter(({ address, width }) => width > 0 && width <= LARGEST && locate(address, base));
  return usable.toSorted((a, b) => b.width - a.width)[0]?.address;
}

/** What WordPress itself makes of a photograph at most. */
const LARGEST = 2560;

/** A start tag: its name in small letters, the first attribute of each name, with its value as it is written in HTML. */
export type Tag = { name: string; attributes: Map<string, string> };

/**
 * HTML with its start tags replaced, wherever `replace` answers one. It reads tags as a browser does and looks at each character
 * once. What only looks like a tag, in a comment or a script, may be replaced too: the catalogue makes the whole safe afterwards.
 */
function replaceTags(html: string, replace: (tag: Tag) => Tag | undefined): string {
  let result = "";
  let written = 0;
  for (let start = html.indexOf("<"); start !== -1; start = html.indexOf("<", start)) {
    const read = readTag(html, start);
    // No end: a browser drops what follows, and so will the sanitiser.
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

/** `end` is the place behind the tag. */
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
    // An equals sign in the first place belongs to the name.
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

/** The address that a value means: of the references to characters an address needs but one. */
function readAddress(value: string): string {
  return value.replace(/&(?:amp|#0{0,5}38|#x0{0,5}26);/gi, "&");
}
