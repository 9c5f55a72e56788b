import sanitizeHtml from "sanitize-html";

import { cleanText } from "../text.ts";
import { arrangeBlocks, type Losses, noteLoss, noteLostElement, readReferences, sayWhy } from "./blocks.ts";
import { drawnWidths, isDrawn } from "./pictures.ts";
import { findTarget, type Links } from "./links.ts";
import { parseVideoAddress } from "./video-address.ts";

/** What a text needs to know of the site it is shown on and of the source it comes from. */
export type Surroundings = {
  /** The path that the site is served under, with a slash at both ends. */
  basePath: string;
  /** Where `media/NAME` is served, if not below the base path: files of drafts are for operators alone. */
  mediaBase?: string | undefined;
  /** The address that its relative links are relative to; without one they stay as they are. */
  base?: string | undefined;
  /** Where the source is: what is wrong with a file there is another thing than that it is elsewhere. */
  site?: string | undefined;
  /** Where links to other items lead; without it they stay as they are. */
  links?: Links;
  /** Counts what could not be brought in. */
  losses?: Losses;
};

/**
 * Makes HTML from a source safe to show and fit for our pages: an allow-list of tags, no styles, no scripts, headings
 * below the page's own, embeds only from YouTube and Vimeo and not loaded before they are opened, players and pictures only of
 * files that we serve, links to other items as links to their pages here. `media/NAME` is served under `basePath`.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function sanitiseBody(html: string, surroundings: Surroundings): string {
  const body: Body = {
    losses: new Map(),
    ...surroundings,
    mediaBase: mediaBaseOf(surroundings),
    host: URL.parse(surroundings.site ?? "")?.host,
    open: new Map(),
  };
  const clean = sanitizeHtml(withoutControls(html), {
    allowedTags,
    allowedAttributes: {
      "*": ["id", "lang", "dir"],
      a: ["href", "rel", "aria-label"],
      audio: ["src", "title", "aria-label"],
      details: ["open"],
      img: ["src", "srcset", "sizes", "alt", "width", "height", "loading", "decoding"],
      iframe: ["src", "title", "loading", "allow", "allowfullscreen", "referrerpolicy"],
      ol: ["start", "reversed"],
      source: ["src"],
      td: ["colspan", "rowspan"],
      th: ["colspan", "rowspan", "scope"],
      time: ["datetime"],
      track: ["kind", "src", "srclang", "label"],
      video: ["src", "title", "aria-label", "poster", "width", "height"],
    },
    allowedSchemes,
    allowProtocolRelative: false,
    disallowedTagsMode: "discard",
    nonTextTags: ["script", "style", "textarea", "option", "noscript", "template", "title"],
    selfClosing: ["img", "br", "hr", "source", "track"],
    nestingLimit: 40,
    transformTags: {
      // Runs after the tag's own.
      "*": (tagName, attributes) => {
        if (isForUsers(attributes, body)) return { tagName: LEFT_OUT, attribs: {} };
        noteLostElement(tagName, attributes, body);
        return { tagName, attribs: withPrefixedId(attributes) };
      },
      h1: "h2",
      // Sections are footnotes here.
      section: (tagName, attribs) => ({
        tagName: attribs.class?.includes("wp-block-group") ? "div" : tagName,
        attribs,
      }),
      a: (tagName, attributes) => ({ tagName, attribs: toLink(attributes, body) }),
      audio: (tagName, attributes) => ({ tagName, attribs: toPlayer(attributes, body) }),
      img: (tagName, attributes) => ({ tagName, attribs: toPicture(attributes, body) }),
      iframe: (tagName, attributes) => ({ tagName, attribs: toEmbed(attributes, body) }),
      source: (tagName, attributes) => ({ tagName, attribs: withFile(attributes, body) }),
      track: (tagName, attributes) => ({ tagName, attribs: withFile(attributes, body) }),
      video: (tagName, attributes) => ({ tagName, attribs: toPlayer(attributes, body) }),
    },
    textFilter: (text) => (isLabel(body) ? "" : text),
    ...createDepthLimit(body.open),
  });
  // Once more for those that were written as references.
  return arrangeBlocks(withoutControls(clean), body);
}

/** An element of this name goes with all that is in it. */
const LEFT_OUT = "template";

/** The Log-in/out block: an address of the CMS, for the user as whom it was read, and of no use to a member. */
function isForUsers(attributes: Record<string, string>, { losses }: Body): boolean {
  const isIt = /(?:^|\s)wp-block-loginout(?:\s|$)/.test(attributes.class ?? "");
  if (isIt) noteLoss(losses, "log-in link", "it is for the users of the CMS");
  return isIt;
}

export function mediaBaseOf({ basePath, mediaBase }: Pick<Surroundings, "basePath" | "mediaBase">): string {
  return mediaBase ?? `${basePath}media/`;
}

/** A text while it is cleaned; `open`: how many elements of a name are open. */
type Body = Surroundings & {
  losses: Losses;
  mediaBase: string;
  host: string | undefined;
  open: Map<string, number>;
};

/**
 * The plain text of some HTML: no tags, no words of ours, no footnote marks, entities read, white space folded, nothing invisible.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function toText(html: string): string {
  const spaced = withoutOwnWords(html)
    .replace(/<sup><a [^<>]*>[^<]*<\/a><\/sup>/g, "")
    .replace(blockTags, " $&");
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {}, ...createDepthLimit() });
  return cleanText(withoutControls(readReferences(text))).replace(/\s+/g, " ");
}

/** Sanitised HTML without the words that we added: those of folds, and of links in place of a player. */
export function withoutOwnWords(html: string): string {
  return html
    .replace(/<details class="embed"><summary>[^<]*<\/summary>/g, " ")
    .replace(/<a class="media-link"[^<>]*>[^<]*<\/a>/g, " ");
}

/** Text without what no page may hold. */
function withoutControls(text: string): string {
  return text.replace(controls, "");
}

/** HTML has no NUL and none of the other control characters, but for tabulators and line ends (WHATWG HTML, section 13.1). */
const controls = /[^\P{Cc}\t\n\f\r]/gu;

/** The parser looks through all open elements at each end tag, so their number bounds its work. */
const MAX_DEPTH = 1000;

/** Hooks for one run of the sanitiser that count what is open, and end the run at an element that is nested too deep. */
function createDepthLimit(open = new Map<string, number>()): Pick<sanitizeHtml.IOptions, "onOpenTag" | "onCloseTag"> {
  let depth = 0;
  return {
    onOpenTag(name) {
      depth += 1;
      open.set(name, (open.get(name) ?? 0) + 1);
      if (depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    },
    onCloseTag(name) {
      depth -= 1;
      open.set(name, (open.get(name) ?? 0) - 1);
    },
  };
}

const blockTags =
  /<\/?(?:p|h\d|[duo]l|li|d[dt]|table|caption|t[rdh]|br|hr|div|pre|blockquote|section|fig\w+|details|summary)\b/gi;

const allowedTags = `
  h1 h2 h3 h4 h5 h6 p br hr blockquote pre code section div
  ul ol li dl dt dd a em strong b i u s del ins mark small q
  sub sup abbr cite time kbd figure figcaption img iframe
  table caption thead tbody tfoot tr th td audio video source track details summary
`
  .trim()
  .split(/\s+/);

const allowedSchemes = ["https", "http", "mailto", "tel"];

/** Content's ids live beside the page's own, so they get a prefix, and so do the links to them. */
const ID_PREFIX = "text-";

type Attributes = Record<string, string>;

function withPrefixedId({ id, ...attributes }: Attributes): Attributes {
  return id && /^[\w:.-]+$/.test(id) ? { ...attributes, id: ID_PREFIX + id } : attributes;
}

/** A link to another item leads to its page here; a relative link leads where it does at the source. */
function toLink(
  { href: given = "", rel: _rel, ...rest }: Attributes,
  { base, basePath, links, losses }: Body,
): Attributes {
  const href = given.trim();
  if (href === "") {
    if (rest.class?.includes("wp-block-button__link")) noteLoss(losses, "button", "it has no address");
    return rest;
  }
  if (href.startsWith("#")) return { ...rest, href: toFragment(href) };
  const url = URL.parse(href, baseOf(href, base));
  if (url && !allowedSchemes.includes(url.protocol.slice(0, -1))) {
    noteLoss(losses, "link", `an address that begins with ${url.protocol.slice(0, SCHEME_MAX_LENGTH)} is not followed`);
    return rest;
  }
  const path = url && /^https?:$/.test(url.protocol) ? links && findTarget(links, url) : undefined;
  if (path !== undefined) return { ...rest, href: basePath + path + toFragment(url?.hash ?? "") };
  return { ...rest, href: url && !URL.canParse(href) ? url.href : href, rel: "noopener noreferrer" };
}

const SCHEME_MAX_LENGTH = 20;

function toFragment(hash: string): string {
  return hash === "" ? "" : `#${ID_PREFIX}${hash.slice(1)}`;
}

/** Short links, `?p=ID`, name an item of the whole site. */
function baseOf(href: string, base: string | undefined): string | undefined {
  return base !== undefined && /^\?p=\d/.test(href) ? new URL("/", base).href : base;
}

/** A picture from another host would tell that host who reads what and when. Without an address it is left out later. */
function toPicture({ src = "", ...given }: Attributes, { base, host, mediaBase, losses }: Body): Attributes {
  const { srcset: _srcset, sizes: _sizes, ...attributes } = given;
  const name = src.startsWith("media/") ? src.slice("media/".length) : undefined;
  const address = name === undefined ? ((src && URL.parse(src, base)?.href) ?? src) : mediaBase + name;
  const isOurs = /^\/(?![/\\])/.test(address);
  if (!isOurs) noteLoss(losses, "picture", sayWhy(address, host));
  const choice = name !== undefined && isDrawn(name) && widthsOf(address);
  return { alt: "", ...attributes, ...(isOurs && { src: address }), ...choice, loading: "lazy", decoding: "async" };
}

/** As wide as the text is set, or nearly as wide as a phone. */
const BODY_SIZES = "(min-width: 800px) 760px, 94vw";

function widthsOf(address: string): Attributes {
  return { srcset: drawnWidths.map((width) => `${address}?w=${width} ${width}w`).join(", "), sizes: BODY_SIZES };
}

/** An embed without an address is left out later. */
function toEmbed({ src: given = "", ...attributes }: Attributes, { losses }: Body): Attributes {
  const src = given.startsWith("//") ? `https:${given}` : given;
  const place = parseVideoAddress(src);
  if (place?.kind !== "youtube" && place?.kind !== "vimeo") {
    // WordPress puts a link to one of its own pages beside the frame that shows it.
    if (!attributes.class?.includes("wp-embedded-content"))
      noteLoss(losses, "frame", `${URL.parse(src)?.hostname || "its address"} is not embedded here`);
    return {};
  }
  return {
    src: place.src,
    title: attributes.title ?? "Video",
    loading: "lazy",
    allow: "fullscreen; picture-in-picture",
    allowfullscreen: "",
    referrerpolicy: "strict-origin-when-cross-origin",
  };
}

/** What a player is made of later: of files that we serve, or of none. */
function toPlayer({ poster = "", width, height, ...attributes }: Attributes, body: Body): Attributes {
  const isSized = /^\d{1,5}$/.test(width ?? "") && /^\d{1,5}$/.test(height ?? "");
  return {
    ...withFile(attributes, body),
    ...(mediaName.test(poster) && { poster: body.mediaBase + poster.slice("media/".length) }),
    ...(isSized && { width: width ?? "", height: height ?? "" }),
  };
}

const mediaName = /^media\/[\w.-]{1,200}$/;

/** The attributes with the whole address of a file: a path for one that we serve, else a web address or nothing. */
function withFile({ src = "", ...attributes }: Attributes, { base, mediaBase }: Body): Attributes {
  if (mediaName.test(src)) return { ...attributes, src: mediaBase + src.slice("media/".length) };
  const url = URL.parse(src, base);
  return src !== "" && url && /^https?:$/.test(url.protocol) ? { ...attributes, src: url.href } : attributes;
}

/** The words of a form's controls, which are left out. The rest of a form is kept. */
function isLabel({ open }: Body): boolean {
  const has = (each: string) => (open.get(each) ?? 0) > 0;
  return has("form") && (has("label") || has("legend") || has("button"));
}
