import { toAnchor } from "./links.ts";

/** A part of a text that is not imported, and how often. */
export type Loss = { what: string; why: string; count: number };

export type Losses = Map<string, Loss>;

/** A text with more kinds of losses is a mistake as a whole. */
const MOST_KINDS = 50;

export function noteLoss(losses: Losses, what: string, why: string): void {
  const isNew = !losses.has(`${what}: ${why}`);
  const loss =
    isNew && losses.size >= MOST_KINDS ? { what: "others", why: "there are too many to list" } : { what, why };
  const key = `${loss.what}: ${loss.why}`;
  losses.set(key, { ...loss, count: (losses.get(key)?.count ?? 0) + 1 });
}

/** Elements that are left out whole, with the loss of each. Elements that only mark or arrange text lose nothing. */
const lostElements = new Map<string, [what: string, why: string]>([
  ["script", ["script", "scripts of a text never run here"]],
  ["object", ["object", "plug-ins and documents are not embedded here"]],
  ["embed", ["object", "plug-ins and documents are not embedded here"]],
  ["applet", ["object", "plug-ins and documents are not embedded here"]],
  ["form", ["form", "forms of the CMS do not work here"]],
  ["input", ["form field", "forms of the CMS do not work here"]],
  ["select", ["form field", "forms of the CMS do not work here"]],
  ["textarea", ["form field", "forms of the CMS do not work here"]],
  ["svg", ["drawing", "drawings inside a text are not shown"]],
  ["canvas", ["drawing", "drawings inside a text are not shown"]],
  ["math", ["formula", "only its letters and figures are shown"]],
  ["map", ["image map", "only its picture is shown"]],
]);

const customName = /^(?!annotation-)[a-z][a-z\d]{0,30}-[\w-]{1,60}$/;

/** `open`: the number of open elements by name, including this one. */
type Noting = { open: ReadonlyMap<string, number>; losses: Losses };

/** Counts an element that is left out, once however much it contains. */
export function noteLostElement(name: string, attributes: Record<string, string>, { open, losses }: Noting): void {
  // Elements of the page's own script have a dash (WHATWG HTML, section 4.13.3).
  const lost = customName.test(name) ? [name, "it only works with a script"] : lostElements.get(name);
  if (!lost) return noteBackground(attributes, losses);
  const [what = "", why = ""] = lost;
  const has = (each: string) => (open.get(each) ?? 0) > 0;
  // Counted with its form, or no field at all, such as the boxes of a check list.
  const isNoField = what === "form field" && (has("form") || attributes.type === "hidden" || "disabled" in attributes);
  const isIcon = what === "drawing" && (has("a") || has("button") || attributes["aria-hidden"] === "true");
  // The preview of a file block, whose link stays.
  const isPreview = attributes.class?.includes("wp-block-file__embed");
  const isInside = (open.get(name) ?? 0) > 1 || (what === "object" && has("object") && name !== "object");
  if (!isNoField && !isIcon && !isPreview && !isInside) noteLoss(losses, what, why);
}

/** A picture only in the style: the parallax background of a cover block, the paper of an old table. */
function noteBackground({ style, background }: Record<string, string>, losses: Losses): void {
  if (style?.includes("url(") || background) noteLoss(losses, "picture", "it is only the background of a block");
}

type Element = { name: string; tag: string; children: Node[] };
type Node = Element | string;

type Arrangement = {
  /** The address that `media/NAME` is served under. */
  mediaBase: string;
  host: string | undefined;
  losses: Losses;
};

type Surroundings = { isInTable: boolean; isCode: boolean; caption: string };

/**
 * Arranges sanitised HTML for our pages: players without autoplay, embeds behind a fold, scrolling tables. Removes
 * elements that lost all they held. Relies on the sanitiser's output: every tag is closed, every value is in double
 * quotes, and `<`, `>` and `"` within values are references.
 */
export function arrangeBlocks(html: string, arrangement: Arrangement): string {
  const nodes = parse(html);
  const anchors = new Set(listValues(nodes, "id"));
  const writing: Writing = {
    ...arrangement,
    pieces: [],
    visible: 0,
    anchors,
    shown: new Set(listValues(nodes, "src")),
  };
  for (const node of nodes) writeNode(writing, node, { isInTable: false, isCode: false, caption: "" });
  return writing.pieces.join("");
}

const tags = /<(\/?)([a-z][a-z\d]*)[^<>]*>/g;

function parse(html: string): Node[] {
  const root: Element = { name: "", tag: "", children: [] };
  const open = [root];
  let end = 0;
  for (const { 0: tag, 1: slash, 2: name = "", index } of html.matchAll(tags)) {
    const parent = open.at(-1) ?? root;
    if (index > end) parent.children.push(html.slice(end, index));
    end = index + tag.length;
    if (slash) {
      open.pop();
      continue;
    }
    const element: Element = { name, tag, children: [] };
    parent.children.push(element);
    if (!tag.endsWith("/>")) open.push(element);
  }
  if (end < html.length) root.children.push(html.slice(end));
  return root.children;
}

/** Removed when empty. Cells, list entries and terms have their place beside others. */
const vanishing = new Set(
  "a span blockquote details div dl figcaption figure h2 h3 h4 h5 h6 ol p section ul".split(" "),
);

/**
 * `visible`: how many pieces a reader sees; `anchors`: targets of links; `shown`: what is shown with or without script.
 */
type Writing = Arrangement & { pieces: string[]; visible: number; anchors: Set<string>; shown: Set<string> };

/** Leaves out fallbacks for script. */
function listValues(nodes: Node[], name: string): string[] {
  const values: string[] = [];
  for (const node of nodes) {
    if (typeof node === "string" || node.name === "noscript") continue;
    const value = readAttribute(node.tag, name);
    if (value !== undefined) values.push(value);
    for (const each of listValues(node.children, name)) values.push(each);
  }
  return values;
}

function write(writing: Writing, piece: string, { isVisible = false } = {}): void {
  writing.pieces.push(piece);
  if (isVisible) writing.visible += 1;
}

function writeNode(writing: Writing, node: Node, around: Surroundings): void {
  if (typeof node === "string") return writeText(writing, node, around);
  const { name, tag } = node;
  if (name === "noscript") return writeStandIns(writing, node, around);
  if (name === "iframe") return writeEmbed(writing, node);
  if (name === "audio" || name === "video") return writePlayer(writing, node, around);
  if (name === "img") return tag.includes(' src="') ? write(writing, tag, { isVisible: true }) : undefined;
  // They have no meaning outside a player.
  if (name === "source" || name === "track") return;
  if (tag.endsWith("/>")) return write(writing, tag, { isVisible: name === "hr" });
  const frame = name === "details" && findFoldedFrame(node);
  if (frame) return writeEmbed(writing, frame);
  const isScrolled = name === "table" && !around.isInTable;
  if (isScrolled) write(writing, '<div class="table-scroll" tabindex="0">');
  writeElement(writing, node, around);
  if (isScrolled) write(writing, "</div>");
}

/** Plug-ins for late loading put a picture or a film into `noscript`. It is dropped where the same is shown besides. */
function writeStandIns(writing: Writing, { children }: Element, around: Surroundings): void {
  for (const child of children) {
    if (typeof child === "string") continue;
    const isMedia = /^(?:img|iframe|audio|video)$/.test(child.name);
    if (!isMedia) writeStandIns(writing, child, around);
    else if (!listValues([child], "src").some((src) => writing.shown.has(src))) writeNode(writing, child, around);
  }
}

/** A link to a place that is not in the text loses its address; the top of a page always exists. */
function writeStart(writing: Writing, { name, tag }: Element): void {
  const href = name === "a" ? readAttribute(tag, "href") : undefined;
  const isDead = href?.startsWith("#") && !writing.anchors.has(href.slice(1));
  const isTop = isDead && href === `#${toAnchor("top")}`;
  if (isDead && !isTop) noteLoss(writing.losses, "link", "the place it leads to isn't in the text");
  const start = isDead ? tag.replace(` href="${href}"`, isTop ? ' href="#"' : "") : tag;
  // A link may lead here.
  write(writing, start, { isVisible: tag.includes(' id="') });
}

function writeElement(writing: Writing, element: Element, around: Surroundings): void {
  const { pieces, visible } = writing;
  const { length } = pieces;
  const { name, children } = element;
  // Only style separates buttons in a row, or a link and its date.
  if ((name === "a" || name === "time") && pieces.at(-1) === "</a>") write(writing, " ");
  writeStart(writing, element);
  const inside = surroundingsWithin(element, around);
  const address = name === "div" ? findBareAddress(children) : undefined;
  if (address) write(writing, linkTo(address, address), { isVisible: true });
  else for (const child of children) writeNode(writing, child, inside);
  write(writing, `</${name}>`);
  if (!vanishing.has(name) || writing.visible !== visible) return;
  pieces.length = length;
  if (name === "a") writeWordlessLink(writing, element);
}

/** A link around an icon or a picture that is not shown: gets its name for screen readers, or is counted as lost. */
function writeWordlessLink(writing: Writing, { tag }: Element): void {
  const href = readAttribute(tag, "href") ?? "";
  const label = readAttribute(tag, "aria-label");
  // Counted with its picture, or a link to a place in the text, as headings have them.
  if (href === "" || href.startsWith("#") || pictureFile.test(href)) return;
  if (label === undefined) noteLoss(writing.losses, "link", "nothing in it can be shown here");
  else write(writing, `${tag}${label}</a>`, { isVisible: true });
}

const pictureFile = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|heic)$/i;

function writeText(writing: Writing, text: string, { isCode }: Surroundings): void {
  write(writing, text, { isVisible: /[^\t\n\f\r ]/.test(text) });
  if (isCode) return;
  for (const [, name = "", attributes = ""] of text.matchAll(shortcodes)) {
    // A shortcode has attributes, or a name that no word has.
    if (attributes.includes("=") || name.includes("_")) noteLoss(writing.losses, `shortcode [${name}]`, NOT_RUN);
  }
}

/** A lazy frame in a closed `<details>` loads nothing until it is opened. The frame's contents are dropped. */
function writeEmbed(writing: Writing, { tag }: Element): void {
  const src = readAttribute(tag, "src");
  if (src === undefined) return;
  const host = players.find(([start]) => src.startsWith(start))?.[1];
  if (host === undefined) {
    const text = `Watch the video at ${URL.parse(readReferences(src))?.hostname ?? ""}`;
    return write(writing, linkTo(src, text, ' class="media-link"'), { isVisible: true });
  }
  const summary = `<summary>${PLAY} ${host}</summary>`;
  write(writing, `<details class="embed">${summary}${tag}</iframe></details>`, { isVisible: true });
}

const PLAY = "Play the video from";

const players = [
  ["https://www.youtube-nocookie.com/embed/", "YouTube"],
  ["https://player.vimeo.com/video/", "Vimeo"],
] as const;

/** Writes a player for our own file, a link for a file elsewhere, and nothing without an address. */
function writePlayer(writing: Writing, { name, tag, children }: Element, { caption }: Surroundings): void {
  const parts = children.filter((child) => typeof child !== "string");
  const sources = parts.filter((part) => part.name === "source").map((part) => part.tag);
  const files = [tag, ...sources].map((each) => readAttribute(each, "src")).filter((file) => file !== undefined);
  const own = files.filter((file) => file.startsWith(writing.mediaBase));
  const label = readAttribute(tag, "title") ?? readAttribute(tag, "aria-label") ?? caption.replaceAll('"', "&quot;");
  if (own.length === 0) return writeFileLink(writing, { name, file: files[0], label });
  const tracks = parts.filter((part) => part.name === "track" && isOwnTrack(writing, part));
  const start = startPlayer(name, tag, { label, file: own.length === 1 ? own[0] : undefined });
  const offers = own.length === 1 ? [] : own.map((file) => `<source src="${file}" />`);
  write(writing, [start, ...offers, ...tracks.map((track) => track.tag), `</${name}>`].join(""), { isVisible: true });
}

function isOwnTrack({ mediaBase, host, losses }: Writing, { tag }: Element): boolean {
  const file = readAttribute(tag, "src");
  if (file?.startsWith(mediaBase)) return true;
  noteLoss(losses, "captions", unusableFileText(file, host));
  return false;
}

type FileLink = { name: string; file: string | undefined; label: string };

function writeFileLink(writing: Writing, { name, file, label }: FileLink): void {
  const { host, losses } = writing;
  const url = URL.parse(readReferences(file ?? ""));
  const why = unusableFileText(file, host);
  if (!file || !url) return noteLoss(losses, name, why);
  noteLoss(losses, name, `${why}; a link replaces it`);
  const words = name === "audio" ? ["Listen", "Listen to the recording"] : ["Watch", "Watch the video"];
  const text = label === "" ? `${words[1]} at ${url.hostname}` : `${words[0]} at ${url.hostname}: ${label}`;
  write(writing, linkTo(file, text, ' class="media-link"'), { isVisible: true });
}

const shortcodes = /\[([a-z][\w-]{1,40})( [^[\]]{1,400})?\]/gi;
const NOT_RUN = "WordPress did not run it: it is shown as it was typed";

function surroundingsWithin({ name, children }: Element, around: Surroundings): Surroundings {
  if (name === "table") return { ...around, isInTable: true };
  if (name === "pre" || name === "code") return { ...around, isCode: true };
  if (name !== "figure") return around;
  const caption = children.find((child) => typeof child !== "string" && child.name === "figcaption");
  return { ...around, caption: caption ? readText(caption).replace(/\s+/g, " ").trim() : "" };
}

function readText(node: Node): string {
  return typeof node === "string" ? node : node.children.map(readText).join("");
}

/** An embed that was folded before, as in another Dormouse's text. */
function findFoldedFrame({ children }: Element): Element | undefined {
  const [summary, frame, ...rest] = children.filter((child) => typeof child !== "string" || child.trim() !== "");
  const isOurs = typeof summary === "object" && summary.name === "summary" && readText(summary).startsWith(PLAY);
  const isFold = isOurs && rest.length === 0;
  return isFold && typeof frame === "object" && frame.name === "iframe" ? frame : undefined;
}

/** WordPress leaves a bare address of an embed that it could not look up. */
function findBareAddress(children: Node[]): string | undefined {
  const [only, ...rest] = children;
  if (typeof only !== "string" || rest.length > 0) return undefined;
  return /^\s*(https?:\/\/[^\s"]+)\s*$/.exec(only)?.[1];
}

function startPlayer(name: string, tag: string, { label, file }: { label: string; file: string | undefined }): string {
  const attributes = [
    ...["id", "lang", "dir"].map((each) => [each, readAttribute(tag, each)]),
    ["src", file],
    ["aria-label", label === "" ? undefined : label],
    ...["poster", "width", "height"].map((each) => [each, name === "video" ? readAttribute(tag, each) : undefined]),
  ];
  const written = attributes.filter(([, value]) => value !== undefined).map(([each, value]) => ` ${each}="${value}"`);
  return `<${name} controls preload="none"${name === "video" ? " playsinline" : ""}${written.join("")}>`;
}

/** `href` and `text` are HTML. */
function linkTo(href: string, text: string, attributes = ""): string {
  return `<a${attributes} href="${href}" rel="noopener noreferrer">${text}</a>`;
}

export function unusableFileText(address: string | undefined, host: string | undefined): string {
  const url = URL.parse(readReferences(address ?? ""));
  if (!url || !/^https?:$/.test(url.protocol)) return "it doesn't name a file";
  return url.host === host
    ? "its file is of a kind that we can't use here"
    : `its file is on another host, ${url.host}`;
}

function readAttribute(tag: string, name: string): string | undefined {
  const start = tag.indexOf(` ${name}="`);
  if (start === -1) return undefined;
  const from = start + name.length + 3;
  return tag.slice(from, tag.indexOf('"', from));
}

export function readReferences(value: string): string {
  return value.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
