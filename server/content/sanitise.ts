import sanitizeHtml from "sanitize-html";

import { drawnWidths, isDrawn } from "./drawn-pictures.ts";
import { parseVideoAddress } from "./video.ts";

/**
 * Makes HTML from a source safe to show and fit for our pages: an allow-list of tags, no styles, no scripts, headings
 * below the page's own, embeds only from YouTube and Vimeo and not loaded before they are opened, and pictures with
 * a lazy load. `mediaBase` is the address that `media/NAME` is served under.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function sanitiseBody(html: string, mediaBase: string): string {
  const clean = sanitizeHtml(withoutControls(html), {
    allowedTags,
    allowedAttributes: {
      "*": ["id", "lang", "dir"],
      a: ["href", "rel", "aria-label"],
      img: ["src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding"],
      iframe: ["src", "title", "loading", "allow", "allowfullscreen", "referrerpolicy"],
      ol: ["start", "reversed"],
      td: ["colspan", "rowspan"],
      th: ["colspan", "rowspan", "scope"],
      time: ["datetime"],
    },
    allowedSchemes: ["https", "http", "mailto", "tel"],
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: ["script", "style", "textarea", "option", "noscript", "template", "title"],
    nestingLimit: 40,
    transformTags: {
      // Runs after the tag's own.
      "*": (tagName, attributes) => ({ tagName, attribs: withPrefixedId(attributes) }),
      h1: "h2",
      a: (tagName, attributes) => ({ tagName, attribs: toLink(attributes) }),
      img: (tagName, attributes) => ({ tagName, attribs: toPicture(attributes, mediaBase) }),
      iframe: (tagName, attributes) => ({ tagName, attribs: toEmbed(attributes) }),
    },
    exclusiveFilter: ({ tag, attribs }) => (tag === "iframe" || tag === "img") && !attribs.src,
    ...createDepthLimit(),
  });
  // Once more for those that were written as references.
  return foldEmbeds(scrollTables(withoutControls(clean)));
}

/**
 * The plain text of some HTML: no tags, no words of ours, no footnote marks, entities read, white space folded.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function toText(html: string): string {
  const spaced = html
    .replace(/<summary>[^<]*<\/summary>/g, " ")
    .replace(/<sup><a [^<>]*>[^<]*<\/a><\/sup>/g, "")
    .replace(blockTags, " $&");
  return sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {}, ...createDepthLimit() })
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(controls, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Text without what no page may hold. */
export function withoutControls(text: string): string {
  return text.replace(controls, "");
}

/** HTML has no NUL and none of the other control characters, but for tabulators and line ends (WHATWG HTML, section 13.1). */
const controls = /[^\P{Cc}\t\n\f\r]/gu;

/** The parser looks through all open elements at each end tag, so their number bounds its work. */
const MAX_DEPTH = 1000;

/** Hooks for one run of the sanitiser that end it at an element that is nested too deep. */
function createDepthLimit(): Pick<sanitizeHtml.IOptions, "onOpenTag" | "onCloseTag"> {
  let depth = 0;
  return {
    onOpenTag() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    },
    onCloseTag: () => void (depth -= 1),
  };
}

const blockTags =
  /<\/?(?:p|h\d|[duo]l|li|d[dt]|table|caption|t[rdh]|br|hr|div|pre|blockquote|section|fig\w+|details)\b/gi;

const allowedTags = `
  h1 h2 h3 h4 h5 h6 p br hr blockquote pre code section div
  ul ol li dl dt dd a em strong b i u s del ins mark small q
  sub sup abbr cite time kbd figure figcaption img iframe
  table caption thead tbody tfoot tr th td
`
  .trim()
  .split(/\s+/);

/** Content's ids live beside the page's own, so they get a prefix, and so do the links to them. */
const ID_PREFIX = "text-";

type Attributes = Record<string, string>;

function withPrefixedId({ id, ...attributes }: Attributes): Attributes {
  return id && /^[\w:.-]+$/.test(id) ? { ...attributes, id: ID_PREFIX + id } : attributes;
}

function toLink({ href = "", ...rest }: Attributes): Attributes {
  if (href.startsWith("#")) return { ...rest, href: `#${ID_PREFIX}${href.slice(1)}` };
  return { ...rest, href, rel: "noopener noreferrer" };
}

/** A picture from another host would tell that host who reads what and when; the filter above drops it. */
function toPicture({ src = "", ...given }: Attributes, mediaBase: string): Attributes {
  const { srcset: _srcset, sizes: _sizes, ...attributes } = given;
  const name = src.startsWith("media/") ? src.slice("media/".length) : undefined;
  const address = name === undefined ? src : mediaBase + name;
  const isOurs = /^\/(?![/\\])/.test(address);
  const choice = name !== undefined && isDrawn(name) && widthsOf(address);
  return { alt: "", ...attributes, ...(isOurs && { src: address }), ...choice, loading: "lazy", decoding: "async" };
}

/** As wide as the text is set, or nearly as wide as a phone. */
const BODY_SIZES = "(min-width: 800px) 760px, 94vw";

function widthsOf(address: string): Attributes {
  return { srcset: drawnWidths.map((width) => `${address}?w=${width} ${width}w`).join(", "), sizes: BODY_SIZES };
}

/** An embed without an address is dropped by the filter above. */
function toEmbed(attributes: Attributes): Attributes {
  const place = parseVideoAddress(attributes.src ?? "");
  if (place?.kind !== "youtube" && place?.kind !== "vimeo") return {};
  return {
    src: place.src,
    title: attributes.title ?? "Video",
    loading: "lazy",
    allow: "fullscreen; picture-in-picture",
    allowfullscreen: "",
    referrerpolicy: "strict-origin-when-cross-origin",
  };
}

/** A lazy frame in a closed `<details>` asks nobody for anything until it is opened. What stood inside the frame is dropped. */
function foldEmbeds(html: string): string {
  return html.replace(/<iframe( src="([^"<]*)"[^<>]*)>[^<]*<\/iframe>/g, (_frame, attributes: string, src: string) => {
    const host = src.startsWith("https://player.vimeo.com/") ? "Vimeo" : "YouTube";
    return `<details class="embed"><summary>Play the video from ${host}</summary><iframe${attributes}></iframe></details>`;
  });
}

/** A wide table scrolls by itself, by touch and by keyboard, instead of the page; a table within one scrolls with it. */
function scrollTables(html: string): string {
  let depth = 0;
  return html.replace(/<table\b[^<>]*>|<\/table>/g, (tag) => {
    if (tag !== "</table>") return depth++ === 0 ? `<div class="table-scroll" tabindex="0">${tag}` : tag;
    depth -= 1;
    return depth === 0 ? `${tag}</div>` : tag;
  });
}
