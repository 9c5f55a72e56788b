const page = new URL("https://members.example/dashboard/");

type Tag = { name: string; isEnd: boolean; attributes: [name: string, value: string][] };

/** The only permitted output: every parser sees the same tags in it. */
const canonical =
  /<(?<slash>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>|[^<>&]+|&(?:amp|lt|gt|quot);/gy;

/** @throws on markup outside of the canonical form. */
export function readTags(html: string): Tag[] {
  const tags: Tag[] = [];
  let end = 0;
  for (const { 0: piece, index, groups } of html.matchAll(canonical)) {
    end = index + piece.length;
    if (!groups?.name) continue;
    const attributes = [...(groups.attributes ?? "").matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, unescape(value)],
    );
    tags.push({ name: groups.name, isEnd: groups.slash === "/", attributes });
  }
  if (end !== html.length) throw new Error(`not canonical from here on: ${html.slice(end, end + 80)}`);
  return tags;
}

function unescape(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

const tagNames = new Set(
  (
    "h2 h3 h4 h5 h6 p br hr blockquote pre code section div ul ol li dl dt dd a em strong b i u s del ins mark small q " +
    "sub sup abbr cite time kbd figure figcaption img iframe details summary span audio video source track table caption thead tbody tfoot tr th td"
  ).split(" "),
);

/** By tag; no other attribute or value may come out. */
const attributeRules: Record<string, (value: string) => boolean> = {
  "* id": (value) => /^text-[\w:.-]+$/.test(value),
  "* lang": () => true,
  "* dir": () => true,
  "a href": isHarmlessLink,
  "a rel": (value) => value === "noopener noreferrer",
  "a aria-label": () => true,
  "a class": (value) => value === "media-link",
  "audio aria-label": () => true,
  "audio controls": (value) => value === "",
  "audio preload": (value) => value === "none",
  "audio src": isOurFile,
  "img src": isOurFile,
  "img srcset": (value) => value.split(", ").every((offer) => /^\S+ \d+w$/.test(offer) && isOurFile(offer)),
  "img sizes": () => true,
  "img alt": () => true,
  "img width": () => true,
  "img height": () => true,
  "img loading": (value) => value === "lazy",
  "img decoding": (value) => value === "async",
  "iframe src": (value) =>
    /^https:\/\/(?:www\.youtube-nocookie\.com\/embed\/[\w-]+(?:\?[\w&=-]+)?|player\.vimeo\.com\/video\/\d+\?(?:h=\w+&)?dnt=1(?:#t=\d+s)?)$/.test(
      value,
    ),
  "iframe title": () => true,
  "iframe loading": (value) => value === "lazy",
  "iframe allow": (value) => value === "fullscreen; picture-in-picture",
  "iframe allowfullscreen": (value) => value === "",
  "iframe referrerpolicy": (value) => value === "strict-origin-when-cross-origin",
  "ol start": () => true,
  "ol reversed": () => true,
  "td colspan": () => true,
  "td rowspan": () => true,
  "th colspan": () => true,
  "th rowspan": () => true,
  "th scope": () => true,
  "time datetime": () => true,
  "source src": isOurFile,
  "track kind": () => true,
  "track label": () => true,
  "track src": isOurFile,
  "track srclang": () => true,
  "video aria-label": () => true,
  "video controls": (value) => value === "",
  "video height": (value) => /^\d+$/.test(value),
  "video playsinline": (value) => value === "",
  "video poster": isOurFile,
  "video preload": (value) => value === "none",
  "video src": isOurFile,
  "video width": (value) => /^\d+$/.test(value),
  "details open": (value) => value === "",
  "details class": (value) => value === "embed",
  "div class": (value) => value === "table-scroll",
  "div tabindex": (value) => value === "0",
};

function isOurFile(value: string): boolean {
  return value.startsWith("/") && URL.parse(value, page)?.origin === page.origin;
}

/** As a browser resolves it: to another host only with an explicit one. */
function isHarmlessLink(value: string): boolean {
  const url = URL.parse(value, page);
  if (!url) return true; // It leads nowhere.
  if (url.protocol === "mailto:" || url.protocol === "tel:" || url.origin === page.origin) return true;
  return /^https?:$/.test(url.protocol) && /^https?:\/\/\w/i.test(value);
}

export function findDangers(html: string): string[] {
  const dangers: string[] = [];
  for (const { name, attributes } of readTags(html)) {
    if (!tagNames.has(name)) dangers.push(`<${name}>`);
    for (const [attribute, value] of attributes) {
      const rule = attributeRules[`${name} ${attribute}`] ?? attributeRules[`* ${attribute}`];
      if (!rule?.(value)) dangers.push(`<${name} ${attribute}="${value}">`);
    }
  }
  const isOpen = html.replace(/<\/summary><iframe [^<>]*><\/iframe><\/details>/g, "").includes("<iframe");
  if (isOpen) dangers.push("a frame that is not folded away");
  return dangers;
}
