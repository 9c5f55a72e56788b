import sanitizeHtml from "sanitize-html";

import { cleanText } from "../../platform/text.ts";
import { arrangeBlocks, type Losses, noteLoss, noteLostElement, readReferences, unusableFileText } from "./blocks.ts";
import { drawnWidths, isDrawn } from "./pictures.ts";
import { listShown, toWebAddress } from "./addresses.ts";
import { findHiding } from "./hidden.ts";
import { findTarget, type Links, toAnchor } from "./links.ts";
import { isFilmHost, parseVideoAddress, type VideoPlace } from "./video-address.ts";

/** The site that shows a text, and the source that it comes from. */
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
    mediaBase: toMediaBase(surroundings),
    host: URL.parse(surroundings.site ?? "")?.host,
    open: new Map(),
    path: [],
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
    nonTextTags: ["script", "style", "textarea", "option", "template", "title", "annotation", "annotation-xml"],
    selfClosing: ["img", "br", "hr", "source", "track"],
    nestingLimit: NESTING_LIMIT,
    transformTags: {
      // Runs after the tag's own.
      "*": (tagName, attributes) => {
        if (isForUsers(tagName, body) || isHidden(body)) return { tagName: LEFT_OUT, attribs: {} };
        noteLostElement(tagName, attributes, body);
        if ((body.open.get(ALL) ?? 0) > NESTING_LIMIT) noteTooDeep(tagName, body.losses);
        return { tagName: toAnchorTag(tagName, attributes), attribs: withAnchor(attributes) };
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
    textFilter: (text) => (isLeftOut(text, body) ? "" : text),
    ...createDepthLimit(body),
  });
  // Once more for those that were written as references.
  return arrangeBlocks(withoutControls(clean), body);
}

/** No writer needs deeper ones. The contents of a deeper element stay; the element goes. */
const NESTING_LIMIT = 40;

function noteTooDeep(tagName: string, losses: Losses): void {
  const what = { a: "link", audio: "audio", iframe: "frame", img: "picture", video: "video" }[tagName];
  if (what !== undefined) noteLoss(losses, what, `it is nested more than ${NESTING_LIMIT} deep`);
}

/** An element of this name goes with all that is in it. */
const LEFT_OUT = "template";

/** The link of a Log-in/out block: an address of the CMS, for the user as whom it was read, and of no use to a member. */
function isForUsers(tagName: string, { losses, path }: Body): boolean {
  const isIt = tagName === "a" && path.at(-2)?.includes(LOG_IN) === true;
  if (isIt) noteLoss(losses, "log-in link", "it is for the users of the CMS");
  return isIt;
}

/** A trick for search machines, or a part that the theme shows elsewhere: its readers never see it, so ours do not, either. */
function isHidden({ losses, open, path }: Body): boolean {
  const hiding = path.at(-1)?.find((name) => name.startsWith(HIDDEN) && name !== HIDDEN);
  // Counted once, however much is in it.
  if (hiding !== undefined && open.get(HIDDEN) === 1)
    noteLoss(losses, "hidden text", `the source hides it by “${hiding.slice(HIDDEN.length)}”`);
  return hiding !== undefined;
}

export function toMediaBase({ basePath, mediaBase }: Pick<Surroundings, "basePath" | "mediaBase">): string {
  return mediaBase ?? `${basePath}media/`;
}

/**
 * A text while it is cleaned; `path`: of each open element its name, and which of `ALL`, `ICON`, `LOG_IN` and `HIDDEN` it is; `open`: how many
 * there are of each.
 */
type Body = Surroundings & {
  losses: Losses;
  mediaBase: string;
  host: string | undefined;
  open: Map<string, number>;
  path: string[][];
};

/**
 * The plain text of some HTML: no tags, no words of ours, no footnote marks, entities read, white space folded, nothing invisible.
 * @throws when its elements are nested deeper than `MAX_DEPTH`.
 */
export function toText(html: string): string {
  const spaced = withoutOwnWords(html)
    .replace(/<sup><a [^<>]*>[^<]*<\/a><\/sup>/g, "")
    .replace(blockTags, " $&");
  const text = sanitizeHtml(spaced, {
    allowedTags: [],
    allowedAttributes: {},
    ...createDepthLimit({ open: new Map(), path: [] }),
  });
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

/** Elements of any name, those that are only for the eye, and WordPress's way in and out. */
const ALL = "*";
const ICON = "[aria-hidden]";
const LOG_IN = ".wp-block-loginout";
/** With the way in which it is hidden behind it. */
const HIDDEN = "[hidden]";

const iconClass = /(?:^|[-_\s])(?:icon|indicator|arrow|chevron|caret|sign)(?:$|[-_\s])/i;

/** Hooks for one run of the sanitiser that count what is open, and end the run at an element that is nested too deep. */
function createDepthLimit({
  open,
  path,
}: Pick<Body, "open" | "path">): Pick<sanitizeHtml.IOptions, "onOpenTag" | "onCloseTag"> {
  const add = (name: string, count: number) => open.set(name, (open.get(name) ?? 0) + count);
  return {
    onOpenTag(name, attributes) {
      const { class: classes = "", "aria-hidden": hidden } = attributes;
      const isIcon = hidden === "true" || iconClass.test(classes);
      const isLogIn = /(?:^|\s)wp-block-loginout(?:\s|$)/.test(classes);
      const hiding = findHiding(attributes, { isInLink: (open.get("a") ?? 0) > 0 });
      const names = [name, ALL, ...(isIcon ? [ICON] : []), ...(isLogIn ? [LOG_IN] : [])];
      if (hiding !== undefined) names.push(HIDDEN, HIDDEN + hiding);
      path.push(names);
      for (const each of names) add(each, 1);
      if (path.length > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    },
    onCloseTag() {
      for (const each of path.pop() ?? []) add(each, -1);
    },
  };
}

const blockTags =
  /<\/?(?:p|h\d|[duo]l|li|d[dt]|table|caption|t[rdh]|br|hr|div|pre|blockquote|section|fig\w+|details|summary)\b/gi;

const allowedTags = `
  h1 h2 h3 h4 h5 h6 p br hr blockquote pre code section div
  ul ol li dl dt dd a em strong b i u s del ins mark small q
  sub sup abbr cite time kbd figure figcaption img iframe
  table caption thead tbody tfoot tr th td audio video source track details summary span noscript
`
  .trim()
  .split(/\s+/);

const allowedSchemes = ["https", "http", "mailto", "tel"];

type Attributes = Record<string, string>;

function withAnchor({ id, ...attributes }: Attributes): Attributes {
  return id?.trim() ? { ...attributes, id: toAnchor(id) } : attributes;
}

/** Elements that go, unless a link may lead to them: what they become then. */
const anchored: Record<string, "span" | "div"> = Object.fromEntries([
  ..."span font label button big tt bdo bdi data legend ruby".split(" ").map((name) => [name, "span"]),
  ..."article main header footer aside nav address center form fieldset hgroup search dialog"
    .split(" ")
    .map((name) => [name, "div"]),
]);

function toAnchorTag(tagName: string, { id, lang }: Attributes): string {
  const replacement = anchored[tagName];
  if (replacement === undefined) return tagName;
  return id?.trim() || (replacement === "span" && lang) ? replacement : NO_TAG;
}

/** An element of this name goes, and what is in it stays. */
const NO_TAG = "font";

/** A link to another item leads to its page here; a relative link leads where it does at the source. */
function toLink(
  { href: given, rel: _rel, name, ...named }: Attributes,
  { base, basePath, links, losses }: Body,
): Attributes {
  // `<a name>` is an older way to mark a place.
  const rest = name && !named.id ? { ...named, id: name } : named;
  const href = given?.trim() ?? "";
  if (href === "" || href === "#") {
    const isButton = rest.class?.includes("wp-block-button__link");
    if (isButton || given !== undefined) noteLoss(losses, isButton ? "button" : "link", "it has no address");
    return rest;
  }
  if (rest.class?.includes("wp-block-query-pagination")) {
    noteLoss(losses, "link", "a list of the CMS has its first page alone here");
    return rest;
  }
  if (href.startsWith("#")) return { ...rest, href: toFragment(href) };
  const url = URL.parse(href, toBase(href, base));
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
  return hash.length > 1 ? `#${toAnchor(hash.slice(1))}` : "";
}

/** Short links, `?p=ID`, name an item of the whole site. */
function toBase(href: string, base: string | undefined): string | undefined {
  return base !== undefined && /^\?p=\d/.test(href) ? new URL("/", base).href : base;
}

/** A picture from another host would tell that host who reads what and when. Without an address it is left out later. */
function toPicture({ src = "", ...given }: Attributes, { base, host, mediaBase, losses, open }: Body): Attributes {
  const { srcset: _srcset, sizes: _sizes, ...attributes } = given;
  const name = src.startsWith("media/") ? src.slice("media/".length) : undefined;
  const address = name === undefined ? ((src && URL.parse(src, base)?.href) ?? src) : mediaBase + name;
  const isOurs = /^\/(?![/\\])/.test(address);
  // In place of a picture that script brings: that one is counted, if it is not shown.
  if (!isOurs && !open.get("noscript")) noteLoss(losses, "picture", unusableFileText(address, host));
  const choice = name !== undefined && isDrawn(name) && toWidths(address);
  return { alt: "", ...attributes, ...(isOurs && { src: address }), ...choice, loading: "lazy", decoding: "async" };
}

/** As wide as the text is set, or nearly as wide as a phone. */
const BODY_SIZES = "(min-width: 800px) 760px, 94vw";

function toWidths(address: string): Attributes {
  return { srcset: drawnWidths.map((width) => `${address}?w=${width} ${width}w`).join(", "), sizes: BODY_SIZES };
}

function isPlayed({ kind }: VideoPlace): boolean {
  return kind === "youtube" || kind === "vimeo";
}

/** An embed without an address is left out later; one that cannot be embedded, but belongs to YouTube or Vimeo, becomes a link. */
function toEmbed(attributes: Attributes, { losses, open }: Body): Attributes {
  const addresses = listShown(attributes);
  const places = addresses.map(parseVideoAddress).filter((each) => each !== undefined);
  const place = places.find(isPlayed) ?? places.find(({ src }) => isFilmHost(new URL(src, "https://own.invalid")));
  if (!place || !isPlayed(place)) {
    // WordPress puts a link to one of its own pages beside the frame that shows it.
    const isCounted = !attributes.class?.includes("wp-embedded-content") && !open.get("noscript");
    const host = toWebAddress(addresses[0] ?? "")?.hostname || "its address";
    const why = `${host} is not embedded here${place ? "; a link replaces it" : ""}`;
    if (isCounted) noteLoss(losses, "frame", why);
    return place ? { src: place.src } : {};
  }
  const { id = "", title = "Video" } = attributes;
  return {
    src: place.src,
    ...(id && { id }),
    title,
    loading: "lazy",
    allow: "fullscreen; picture-in-picture",
    allowfullscreen: "",
    referrerpolicy: "strict-origin-when-cross-origin",
  };
}

/** The sources of a player that is made later: of files that we serve, or of none. */
function toPlayer({ poster = "", width, height, ...attributes }: Attributes, body: Body): Attributes {
  if (poster !== "" && !mediaName.test(poster)) noteLoss(body.losses, "poster", unusableFileText(poster, body.host));
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

const headings = "h1 h2 h3 h4 h5 h6 summary".split(" ");

/** The sign of an accordion that it opens: a plus, a cross, an arrow. */
const SIGN = /^\s*(?:(?:[+\-−–—×✕✖▾▼▴▲▸▶▹►‹›«»⌄⌃∨∧˅˄↓↑→]|&gt;)[\s\ufe0e\ufe0f]*)+$/;

/**
 * The words of a form's controls; the rest of a form is kept. The sign in the heading of an accordion. A fallback for script: only its
 * pictures and players are kept.
 */
function isLeftOut(text: string, { open }: Body): boolean {
  const has = (each: string) => (open.get(each) ?? 0) > 0;
  // A form that has no end goes on into what follows.
  const isLabel = has("form") && (has("label") || has("legend") || has("button")) && !headings.some(has);
  const isSign = has(ICON) && (has("button") || headings.some(has)) && SIGN.test(text);
  return isLabel || isSign || has("noscript");
}
