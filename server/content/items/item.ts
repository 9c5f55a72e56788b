import { type KeepText, keepInMemory } from "./text-file.ts";
import { toTextKey } from "../../platform/text.ts";
import { type Loss, type Losses, noteLoss, readReferences, unusableFileText } from "./blocks.ts";
import { type Fields, noteField, readFields } from "./fields.ts";
import { isDrawn, listWidths } from "./pictures.ts";
import type { Links, LinkTargets } from "./links.ts";
import { toText, toTextOfBody, withoutOwnWords } from "./html-text.ts";
import { toMediaBase, sanitiseBody, type Surroundings } from "./sanitise.ts";
import { excerptLengths, type ItemKind, type SceneName, sceneNumber, toKind } from "./kinds.ts";
import { type SourceItem, sourceLimits } from "./source.ts";
import { AWAKE_TAG, defaultAuthor, lengthText, type Tags } from "./item-facts.ts";
import { rankScenes } from "./scenes.ts";
import { findSound, type Sound } from "./sound.ts";
import { readTags } from "./tags.ts";
import { findVideo, type Playing, type Video } from "./video.ts";

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
  /** The beginning of the body without headings, which cards quote. */
  lead: string;
  length: string | undefined;
  /** The texts may be on disk, so only pages that show them read them. */
  readTexts: () => ItemTexts;
  video: Video | undefined;
  sound: Sound | undefined;
  /** When its text was last reviewed: `2026-11-16`. */
  reviewed: string | undefined;
  sampleNote?: string | undefined;
  /** Its other names: it is found by them as by its topics, and shows none. */
  alsoCalled: string[];
  breathing: { in: number; out: number } | undefined;
};

export type ItemTexts = {
  bodyHtml: string;
  text: string;
  /** Paragraphs have ids: `transcript-1` and so on. */
  transcriptHtml: string | undefined;
};

export function withTexts(item: Item): Item & ItemTexts {
  return { ...item, ...item.readTexts() };
}

export type Picture =
  /** `isChosen`: an editor chose it by its name. */
  | { scene: number; isChosen?: true }
  /**
   * `widths`: served as `src?w=…`; without them it is one file. `ground`: shown while it loads, if its colours are
   * known.
   */
  | { src: string; alt: string; width: number; height: number; widths?: number[]; ground?: number };

/** Longer than the longest excerpt, so that every cut shows. */
const LEAD_LENGTH = 2 * excerptLengths.searchText;

/** `basePath`: the site's path; `keepText`: where texts are stored, in memory by default. */
export type ItemSetting = { productName: string; basePath: string; keepText?: KeepText };

export type DraftSetting = ItemSetting & { mediaBase?: string };

/** `site`: the source's own pages; `targets`: where links to other items lead. */
export type ItemSource = { site?: string | undefined; targets?: LinkTargets };

/** `linkKeys`: the links that it depends on; `losses`: what was not imported. */
export type PreparedItem = { item: Item; linkKeys: string[]; losses: Loss[] };

/** @throws when its date cannot be read or its text is nested too deep. */
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
  const text = toTextOfBody(bodyHtml);
  const transcript = numberBlocks(sanitiseBody(fields.transcript ?? "", setting));
  const playing = { host: URL.parse(setting.site ?? "")?.host, losses };
  const video = findVideo(fields, playing);
  const sound = findSound(fields, playing);
  const kind = toKind(source.type);
  const tags = readTags(source, fields, losses);
  if (tags.isForAwakeNow && kind !== "read" && !sound) {
    noteLoss(losses, `tag ${AWAKE_TAG}`, "Awake now only has articles and recordings");
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
    lead: compact(toTextOfBody(withoutHeadings(bodyHtml)).slice(0, LEAD_LENGTH)),
    length: lengthText({ kind, text, video, sound }),
    readTexts: keepTexts(
      { bodyHtml, text, transcriptHtml: showsNothing(transcript) ? undefined : transcript },
      keepText,
    ),
    video: video?.kind === "file" ? serveFiles(video, mediaBase) : video,
    sound: sound && serveFiles(sound, mediaBase),
    reviewed: fields.reviewed,
    sampleNote: toText(fields.sample_note ?? "") || undefined,
    alsoCalled: readNames(fields, losses),
    breathing: readBreathing(fields, losses),
  };
}

/** Each is read separately: a search reads the plain text alone. HTML has no NUL. */
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

/** More would be a text. */
const MOST_NAMES = 100;

function readNames({ also_called: given = "" }: Fields, losses: Losses): string[] {
  const names = given
    .replaceAll(/<br ?\/?>|<\/(?:p|li)>/g, "\n")
    .split(/[,\n]/)
    .map(toText)
    .filter((name) => name !== "");
  const short = names.filter(({ length }) => length <= sourceLimits.name);
  if (short.length < names.length) noteField(losses, "also_called", "words between two commas are too long");
  if (short.length > MOST_NAMES) noteField(losses, "also_called", `only the first ${MOST_NAMES} are used`);
  return short.slice(0, MOST_NAMES);
}

function readBreathing({ breathe_in: breatheIn, breathe_out: breatheOut }: Fields, losses: Losses): Item["breathing"] {
  if (breatheIn !== undefined && breatheOut !== undefined) return { in: breatheIn, out: breatheOut };
  if (breatheIn !== undefined) noteField(losses, "breathe_in", "there is no breathe_out with it");
  if (breatheOut !== undefined) noteField(losses, "breathe_out", "there is no breathe_in with it");
  return undefined;
}

/** The addresses become those on this server. */
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

/** One flat string: V8 holds the pieces of a joined string, and the whole of a sliced one, in memory. */
export function compact(text: string): string {
  return Buffer.from(text).toString();
}

/** An editor leaves paragraphs with a no-break space behind. */
function showsNothing(html: string): boolean {
  return !/<(?:(?:img|audio|video|iframe)\b|a class="media-link")/.test(html) && toTextOfBody(html) === "";
}

/** WordPress writes instants without a zone. */
function toInstant(text: string): Date {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

/** We serve featured pictures ourselves. */
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

/** Pictures of the same widths share an array, so page data has it once. */
function shareWidths(widths: number[]): number[] {
  const key = widths.join();
  const shared = knownWidths.get(key) ?? widths;
  knownWidths.set(key, shared);
  return shared;
}

/** The editor's choice, or one by topic. */
function toScene(source: SourceItem, { scene, terms }: { scene: SceneName | undefined; terms: string[] }): Picture {
  if (scene !== undefined) return { scene: sceneNumber(scene), isChosen: true };
  const [best = 0] = rankScenes({ id: source.id, terms, title: toText(source.title.rendered) });
  return { scene: best };
}

/** Staff logins that a CMS gives as an author's name (docs/behaviour.md, Sections and items). */
const staffHandles = new Set(["dormouse-staff", "admin"]);

function authorLabel(author: string, productName: string): string {
  return author === "" || staffHandles.has(toTextKey(author)) ? defaultAuthor(productName) : author;
}

/**
 * Numbers every paragraph, heading and list entry of a sanitised transcript: `transcript-1`, `transcript-2` … Nested
 * ones get no number. The text's own ids move inside, so that links to them still work.
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

/** `id`: none before the first paragraph. `seconds`: the time that the paragraph begins with. */
type Block = { id: string | undefined; seconds: number | undefined; text: string };

/** The numbered paragraphs as plain text without times. Made on demand: the text is stored once, as HTML. */
export function listBlocks(html: string): Block[] {
  return html
    .split(/(?=<(?:p|h[2-4]|li) id="transcript-\d{1,6}")/)
    .map((block) => Object.assign(readTime(toPlainText(block)), { id: /^<\w+ id="(transcript-\d+)"/.exec(block)?.[1] }))
    .filter(({ text }) => text !== "");
}

/** "1:02:03 Then …" begins after 3,723 seconds. */
function readTime(text: string): { seconds: number | undefined; text: string } {
  const [time, hours = "0", minutes, seconds] = /^\[?(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\]?(?:\s+|$)/.exec(text) ?? [];
  if (time === undefined) return { seconds: undefined, text };
  return { seconds: (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds), text: text.slice(time.length) };
}

export function listHeadings(bodyHtml: string): string[] {
  return Array.from(bodyHtml.matchAll(/<h[2-6][^<>]*>([^]*?)<\/h[2-6]>/g), ([, html = ""]) => toPlainText(html));
}

const blockTags = /<(\/?)(p|h[2-4]|li)\b([^<>]*)>/g;
const inlineTags = /<\/?(?:a|em|strong|b|i|u|s|del|ins|mark|small|q|sub|sup|abbr|cite|time|kbd|code|span)\b[^<>]*>/g;

/** Sanitised HTML has `<` and `>` only in tags, and four entities. */
function toPlainText(html: string): string {
  const text = withoutOwnWords(html)
    .replace(inlineTags, "")
    .replace(/<[^<>]*>/g, " ");
  return readReferences(text).replace(/\s+/g, " ").trim();
}
