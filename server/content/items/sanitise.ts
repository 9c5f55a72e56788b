import sanitizeHtml from "sanitize-html";

import { arrangeBlocks, type Losses, noteLoss, noteLostElement, unusableFileText } from "./blocks.ts";
import { drawnWidths, isDrawn } from "./pictures.ts";
import { listShown, toWebAddress } from "./addresses.ts";
import { withoutControls } from "./html-text.ts";
import { findTarget, type Links, toAnchor } from "./links.ts";
import { ALL, countOpenElements, HIDDEN, ICON, LOG_IN, type OpenElements } from "./open-elements.ts";
import { isFilmHost, parseVideoAddress, type VideoSource } from "./video-address.ts";

/** The site that shows a text, and the source of the text. */
export type Surroundings = {
  /** With a slash at both ends. */
  basePath: string;
  /** Where `media/NAME` is served, if not below the base path: operators alone see files of drafts. */
  mediaBase?: string | undefined;
  /** Relative links resolve against it; without it they stay as they are. */
  base?: string | undefined;
  /** The source's address: a broken file there is another mistake than a file elsewhere. */
  site?: string | undefined;
  /** Without it, links to other items stay as they are. */
  links?: Links;
  losses?: Losses;
};

/**
 * Makes HTML of a source safe and fit for our pages: allowed tags only, no styles or scripts, headings below the page's
 * own, embeds only from YouTube and Vimeo and loaded on demand, players and pictures only of our own files, links to
 * items as links to their pages here.
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
    ...countOpenElements(body),
  });
  // A second time, for characters that were references.
  return arrangeBlocks(withoutControls(clean), body);
}

/** Deeper elements are removed; their contents stay. */
const NESTING_LIMIT = 40;

function noteTooDeep(tagName: string, losses: Losses): void {
  const what = { a: "link", audio: "audio", iframe: "frame", img: "picture", video: "video" }[tagName];
  if (what !== undefined) noteLoss(losses, what, `it is nested more than ${NESTING_LIMIT} deep`);
}

/** An element of this name is removed with its contents. */
const LEFT_OUT = "template";

/** The link of a Log-in/out block: an address of the CMS for its own user, useless to a member. */
function isForUsers(tagName: string, { losses, path }: Body): boolean {
  const isIt = tagName === "a" && path.at(-2)?.includes(LOG_IN) === true;
  if (isIt) noteLoss(losses, "log-in link", "it is for the users of the CMS");
  return isIt;
}

/** A trick for search engines, or a part that the theme shows elsewhere: the source's readers do not see it here. */
function isHidden({ losses, open, path }: Body): boolean {
  const hiding = path.at(-1)?.find((name) => name.startsWith(HIDDEN) && name !== HIDDEN);
  // Counted once, however much it contains.
  if (hiding !== undefined && open.get(HIDDEN) === 1)
    noteLoss(losses, "hidden text", `the source hides it by “${hiding.slice(HIDDEN.length)}”`);
  return hiding !== undefined;
}

export function toMediaBase({ basePath, mediaBase }: Pick<Surroundings, "basePath" | "mediaBase">): string {
  return mediaBase ?? `${basePath}media/`;
}

type Body = Surroundings & OpenElements & { losses: Losses; mediaBase: string; host: string | undefined };

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

/** Elements that are removed unless a link may lead to them, and what they become then. */
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

/** An element of this name is removed, its contents stay. */
const NO_TAG = "font";

/** A link to an item leads to its page here; a relative link leads to the source. */
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

/** A picture from another host would tell that host who reads and when. Without an address it is removed later. */
function toPicture({ src = "", ...given }: Attributes, { base, host, mediaBase, losses, open }: Body): Attributes {
  const { srcset: _srcset, sizes: _sizes, ...attributes } = given;
  const name = src.startsWith("media/") ? src.slice("media/".length) : undefined;
  const address = name === undefined ? ((src && URL.parse(src, base)?.href) ?? src) : mediaBase + name;
  const isOurs = /^\/(?![/\\])/.test(address);
  // In place of a picture that script loads: that one is counted, if it is not shown.
  if (!isOurs && !open.get("noscript")) noteLoss(losses, "picture", unusableFileText(address, host));
  const choice = name !== undefined && isDrawn(name) && toWidths(address);
  return { alt: "", ...attributes, ...(isOurs && { src: address }), ...choice, loading: "lazy", decoding: "async" };
}

/** The width of the text, or nearly that of a phone. */
const BODY_SIZES = "(min-width: 800px) 760px, 94vw";

function toWidths(address: string): Attributes {
  return { srcset: drawnWidths.map((width) => `${address}?w=${width} ${width}w`).join(", "), sizes: BODY_SIZES };
}

function isPlayed({ kind }: VideoSource): boolean {
  return kind === "youtube" || kind === "vimeo";
}

/** Without an address an embed is removed later. One of YouTube or Vimeo that cannot be embedded becomes a link. */
function toEmbed(attributes: Attributes, { losses, open }: Body): Attributes {
  const addresses = listShown(attributes);
  const films = addresses.map(parseVideoAddress).filter((each) => each !== undefined);
  const film = films.find(isPlayed) ?? films.find(({ src }) => isFilmHost(new URL(src, "https://own.invalid")));
  if (!film || !isPlayed(film)) {
    // WordPress puts a link to one of its pages beside the frame that shows it.
    const isCounted = !attributes.class?.includes("wp-embedded-content") && !open.get("noscript");
    const host = toWebAddress(addresses[0] ?? "")?.hostname || "its address";
    const why = `${host} is not embedded here${film ? "; a link replaces it" : ""}`;
    if (isCounted) noteLoss(losses, "frame", why);
    return film ? { src: film.src } : {};
  }
  const { id = "", title = "Video" } = attributes;
  return {
    src: film.src,
    ...(id && { id }),
    title,
    loading: "lazy",
    allow: "fullscreen; picture-in-picture",
    allowfullscreen: "",
    referrerpolicy: "strict-origin-when-cross-origin",
  };
}

/** Sources of our own files stay; the player is made later. */
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

/** Completes the address: a path for our own file, else a web address or nothing. */
function withFile({ src = "", ...attributes }: Attributes, { base, mediaBase }: Body): Attributes {
  if (mediaName.test(src)) return { ...attributes, src: mediaBase + src.slice("media/".length) };
  const url = URL.parse(src, base);
  return src !== "" && url && /^https?:$/.test(url.protocol) ? { ...attributes, src: url.href } : attributes;
}

const headings = "h1 h2 h3 h4 h5 h6 summary".split(" ");

/** The sign that an accordion opens: a plus, a cross, an arrow. */
const SIGN = /^\s*(?:(?:[+\-−–—×✕✖▾▼▴▲▸▶▹►‹›«»⌄⌃∨∧˅˄↓↑→]|&gt;)[\s\ufe0e\ufe0f]*)+$/;

/**
 * Labels of form controls, the sign of an accordion, and fallbacks for script, of which only pictures and players stay.
 */
function isLeftOut(text: string, { open }: Body): boolean {
  const has = (each: string) => (open.get(each) ?? 0) > 0;
  // A form without an end continues into what follows.
  const isLabel = has("form") && (has("label") || has("legend") || has("button")) && !headings.some(has);
  const isSign = has(ICON) && (has("button") || headings.some(has)) && SIGN.test(text);
  return isLabel || isSign || has("noscript");
}
