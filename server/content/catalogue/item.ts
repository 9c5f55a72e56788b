import { type KeepText, keepInMemory } from "./text-file.ts";
import { toTextKey } from "../../platform/text.ts";
import { type Loss, type Losses, noteLoss, readReferences, unusableFileText } from "./blocks.ts";
import { type Fields, noteField, readFields } from "./fields.ts";
import { isDrawn, listWidths } from "./pictures.ts";
import type { Links, LinkTargets } from "./links.ts";
import { toMediaBase, sanitiseBody, type Surroundings, toText, withoutOwnWords } from "./sanitise.ts";
import { excerptLengths, type ItemKind, type SceneName, sceneNumber, toKind } from "./kinds.ts";
import type { SourceItem } from "./source.ts";
import { AWAKE_TAG, defaultAuthor, lengthText, type Tags } from "./rules.ts";
import { rankScenes } from "./scenes.ts";
import { findSound, type Sound } from "./sound.ts";
import { readTags } from "./tags.ts";
import { findVideo, type Playing, type Video } from "./video.ts";

/** A video (watch), an article (read) or a webinar (learn), ready to be shown. */
export type Item = Tags & {
  id: number;
  kind: ItemKind;
  title: string;
  author: string;
  publishedAt: Date;
  /** The first ten characters of the stored date, as pages show it: `2026-11-20`. */
  date: string;
  isSticky: boolean;
  picture: Picture;
  /** How the body begins, headings left out: what cards quote. */
  lead: string;
  /** How long it takes, in words; nothing where nothing says so. */
  length: string | undefined;
  /** Reads its texts, which may be on disk: a page that shows none of them does without. */
  readTexts: () => ItemTexts;
  video: Video | undefined;
  sound: Sound | undefined;
  /** The day on which its text was last reviewed: `2026-11-16`. */
  reviewed: string | undefined;
  /** One quiet line that says that a sample is no advice. */
  sampleNote?: string | undefined;
  /** The rhythm of a breathing shape, in seconds. */
  breathing: { in: number; out: number } | undefined;
};

/** The long texts of an item. */
export type ItemTexts = {
  bodyHtml: string;
  /** The body without its tags. */
  text: string;
  /** Its paragraphs have ids, `transcript-1` and so on. */
  transcriptHtml: string | undefined;
};

/** An item with its texts read. */
export function withTexts(item: Item): Item & ItemTexts {
  return { ...item, ...item.readTexts() };
}

/** A picture of the item's own, or one of the nine scenes. */
export type Picture =
  /** `isChosen`: an editor chose it by its name. */
  | { scene: number; isChosen?: true }
  /**
   * `widths`: it is served in these widths, as `src?w=…`; without them it is one file. `ground`: which of our grounds shows while it
   * loads, where its colours are known.
   */
  | { src: string; alt: string; width: number; height: number; widths?: number[]; ground?: number };

/** Longer than the longest excerpt, so that a cut can still be seen to be one. */
const LEAD_LENGTH = 2 * excerptLengths.searchText;

/** The site that shows an item: its product, the path it is served under, and where its texts are kept, which is memory if nothing is said. */
export type ItemSetting = { productName: string; basePath: string; keepText?: KeepText };

/** `mediaBase`: where the files of a draft are served. */
export type DraftSetting = ItemSetting & { mediaBase?: string };

/** `site`: where the source's own pages are; `targets`: where links to other items lead. */
export type ItemSource = { site?: string | undefined; targets?: LinkTargets };

/** An item with what became of its texts: what its links depend on, and what could not be brought in. */
export type PreparedItem = { item: Item; linkKeys: string[]; losses: Loss[] };

/**
 * Turns what a source gave into an item.
 * @throws when its date cannot be read or its text is nested too deep.
 */
export function prepareItem(
  source: SourceItem,
  setting: DraftSetting,
  { site, targets }: ItemSource = {},
): PreparedItem {
  const links: Links = { targets: targets ?? new Map(), lookedUp: new Set() };
  const losses: Losses = new Map();
  const base = site && (URL.parse(source.link ?? "", site)?.href ?? site);
  const item = toItem(source, { ...setting, site, base, links, losses });
  return { item, linkKeys: [...links.lookedUp], losses: [...losses.values()] };
}

function toItem(source: SourceItem, setting: DraftSetting & Surroundings & { losses: Losses }): Item {
  const { losses, keepText = keepInMemory } = setting;
  const mediaBase = toMediaBase(setting);
  const fields = readFields(source.acf, losses);
  const publishedAt = toInstant(source.date_gmt || source.date);
  if (Number.isNaN(publishedAt.getTime())) throw new Error(`its date cannot be read: ${source.date}`);
  const bodyHtml = sanitiseBody(source.content.rendered, setting);
  const text = toText(bodyHtml);
  const transcript = numberBlocks(sanitiseBody(fields.transcript ?? "", setting));
  const playing = { host: URL.parse(setting.site ?? "")?.host, losses };
  const video = findVideo(fields, playing);
  const sound = findSound(fields, playing);
  const kind = toKind(source.type);
  const tags = readTags(source, fields, losses);
  if (tags.isForAwakeNow && kind !== "read" && !sound) {
    noteLoss(losses, `tag ${AWAKE_TAG}`, "Awake now has articles and recordings alone");
  }
  return {
    ...tags,
    id: source.id,
    kind,
    title: toText(source.title.rendered) || "Untitled",
    author: authorLabel(toText(source._embedded?.author?.[0]?.name ?? ""), setting.productName),
    publishedAt,
    date: source.date.slice(0, 10),
    isSticky: source.type === "post" && source.sticky === true,
    picture:
      toPicture(source, { mediaBase, ...playing }) ?? toScene(source, { scene: fields.scene, terms: tags.terms }),
    lead: compact(toText(withoutHeadings(bodyHtml)).slice(0, LEAD_LENGTH)),
    length: lengthText({ kind, text, video, sound }),
    readTexts: keepTexts(
      { bodyHtml, text, transcriptHtml: showsNothing(transcript) ? undefined : transcript },
      keepText,
    ),
    video: video?.kind === "file" ? serveFiles(video, mediaBase) : video,
    sound: sound && serveFiles(sound, mediaBase),
    reviewed: fields.reviewed,
    sampleNote: toText(fields.sample_note ?? "") || undefined,
    breathing: readBreathing(fields, losses),
  };
}

/** Each is read when it is asked for: a search reads the plain text alone. HTML has no NUL. */
function keepTexts({ bodyHtml, text, transcriptHtml }: ItemTexts, keepText: KeepText): () => ItemTexts {
  const readText = keepText(text);
  const readHtml = keepText([bodyHtml, transcriptHtml ?? ""].join("\0"));
  const hasTranscript = transcriptHtml !== undefined;
  return () => {
    let html: string[] | undefined;
    const readParts = () => (html ??= readHtml().split("\0"));
    return {
      get text() {
        return readText();
      },
      get bodyHtml() {
        return readParts()[0] ?? "";
      },
      get transcriptHtml() {
        return hasTranscript ? readParts()[1] : undefined;
      },
    };
  };
}

/** A rhythm needs both. */
function readBreathing({ breathe_in: breatheIn, breathe_out: breatheOut }: Fields, losses: Losses): Item["breathing"] {
  if (breatheIn !== undefined && breatheOut !== undefined) return { in: breatheIn, out: breatheOut };
  if (breatheIn !== undefined) noteField(losses, "breathe_in", "there is no breathe_out with it");
  if (breatheOut !== undefined) noteField(losses, "breathe_out", "there is no breathe_in with it");
  return undefined;
}

/** A film or a recording with the addresses of its files on this server. */
function serveFiles<Played extends (Video & { kind: "file" }) | Sound>(played: Played, mediaBase: string): Played {
  const served = Object.entries(played).map(([key, value]) =>
    typeof value === "string" && value.startsWith("media/")
      ? [key, mediaBase + value.slice("media/".length)]
      : [key, value],
  );
  return Object.fromEntries(served) as Played;
}

function withoutHeadings(html: string): string {
  let depth = 0;
  // Before the first tag is text, behind each end the text that follows it.
  return html
    .split(/(?=<\/?h[1-6]\b)/)
    .map((piece) => {
      if (!/^<\/?h[1-6]\b/.test(piece)) return piece;
      depth += piece.startsWith("</") ? -1 : 1;
      return depth > 0 ? "" : piece.slice(piece.indexOf(">") + 1);
    })
    .join("");
}

/** The same text as one flat string: V8 keeps the pieces of a joined string, and the whole of a sliced one, in memory. */
export function compact(text: string): string {
  return Buffer.from(text).toString();
}

/** An editor leaves paragraphs with a no-break space behind. */
function showsNothing(html: string): boolean {
  return !/<(?:(?:img|audio|video|iframe)\b|a class="media-link")/.test(html) && toText(html) === "";
}

/** WordPress writes instants without a zone. */
function toInstant(text: string): Date {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

/** A featured picture that we serve ourselves. */
function toPicture(
  source: SourceItem,
  { mediaBase, host, losses }: Playing & { mediaBase: string },
): Picture | undefined {
  const media = source._embedded?.["wp:featuredmedia"]?.[0];
  if (!media?.source_url.startsWith("media/")) {
    const { featured_media: number } = source;
    if (media) noteLoss(losses, "picture", unusableFileText(media.source_url, host));
    else if (number) noteLoss(losses, "picture", `the source shows no file with the number ${number}`);
    return undefined;
  }
  const { width, height, widths, ground } = media.media_details ?? { width: 1200, height: 675 };
  const name = media.source_url.slice("media/".length);
  const picture = { src: mediaBase + name, alt: toText(media.alt_text ?? ""), width, height };
  if (isDrawn(name)) return { ...picture, widths: shareWidths(listWidths(width)) };
  return { ...picture, ...(widths && { widths: shareWidths(widths) }), ...(ground !== undefined && { ground }) };
}

const knownWidths = new Map<string, number[]>();

/** One array for all pictures of the same widths: the data of a page then have it once. */
function shareWidths(widths: number[]): number[] {
  const key = widths.join();
  const shared = knownWidths.get(key) ?? widths;
  knownWidths.set(key, shared);
  return shared;
}

/** The scene that an editor chose, or else that of what the item is about. */
function toScene(source: SourceItem, { scene, terms }: { scene: SceneName | undefined; terms: string[] }): Picture {
  if (scene !== undefined) return { scene: sceneNumber(scene), isChosen: true };
  const [best = 0] = rankScenes({ id: source.id, terms, title: toText(source.title.rendered) });
  return { scene: best };
}

/** Logins of the provider's own staff that a CMS gives as an author's name (docs/behaviour.md, Sections and items). */
const staffHandles = new Set(["dormouse-staff", "admin"]);

/** The author that an item shows, or the product's name if there is none or it was staff. */
function authorLabel(author: string, productName: string): string {
  return author === "" || staffHandles.has(toTextKey(author)) ? defaultAuthor(productName) : author;
}

/**
 * Gives every paragraph, heading and list entry of a sanitised transcript the id `transcript-1`, `transcript-2` …; one
 * within another goes with it. An id that the text brought along moves inside, so that links to it still lead there.
 */
export function numberBlocks(html: string): string {
  let count = 0;
  let open: { name: string; depth: number } | undefined;
  return html.replace(blockTags, (tag, ...[slash = "", name = "", attributes = ""]: string[]) => {
    if (open) {
      if (name === open.name) open.depth += slash ? -1 : 1;
      if (open.depth === 0) open = undefined;
      return tag;
    }
    if (slash) return tag;
    open = { name, depth: 1 };
    count += 1;
    const [own = ""] = / id="[^" ]*"/.exec(attributes) ?? [];
    return `<${name} id="transcript-${count}"${attributes.replace(own, "")}>${own && `<a${own}></a>`}`;
  });
}

/** A paragraph of a transcript; the text before the first has no id. `seconds`: when it is said, by the time that it begins with. */
type Block = { id: string | undefined; seconds: number | undefined; text: string };

/**
 * The paragraphs of a numbered transcript as plain text, without their times. Made when asked for: the text is kept
 * once, as HTML.
 */
export function listBlocks(html: string): Block[] {
  return html
    .split(/(?=<(?:p|h[2-4]|li) id="transcript-\d{1,6}")/)
    .map((block) => Object.assign(readTime(toPlainText(block)), { id: /^<\w+ id="(transcript-\d+)"/.exec(block)?.[1] }))
    .filter(({ text }) => text !== "");
}

/** "1:02:03 Then …" is said an hour, two minutes and three seconds after the beginning. */
function readTime(text: string): { seconds: number | undefined; text: string } {
  const [time, hours = "0", minutes, seconds] = /^\[?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\]?(?:\s+|$)/.exec(text) ?? [];
  if (time === undefined) return { seconds: undefined, text };
  return { seconds: (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds), text: text.slice(time.length) };
}

/** The headings within a body, without their tags. */
export function listHeadings(bodyHtml: string): string[] {
  return Array.from(bodyHtml.matchAll(/<h[2-6][^<>]*>([^]*?)<\/h[2-6]>/g), ([, html = ""]) => toPlainText(html));
}

const blockTags = /<(\/?)(p|h[2-4]|li)\b([^<>]*)>/g;
const inlineTags = /<\/?(?:a|em|strong|b|i|u|s|del|ins|mark|small|q|sub|sup|abbr|cite|time|kbd|code|span)\b[^<>]*>/g;

/** Sanitised HTML has no `<` or `>` but in tags, and four entities. */
function toPlainText(html: string): string {
  const text = withoutOwnWords(html)
    .replace(inlineTags, "")
    .replace(/<[^<>]*>/g, " ");
  return readReferences(text).replace(/\s+/g, " ").trim();
}
