import { readReferences, type Loss } from "../items/blocks.ts";
import { type Item, withTexts } from "../items/item.ts";
import { type ItemRef, itemKinds, parseItemKey } from "../items/kinds.ts";
import { defaultAuthor, type Gap, isAwakePiece } from "../items/item-facts.ts";

export type Finding = { gap: Gap; message: string };

/** The context of an examination, which sends no request to other sites. */
export type GapSetting = {
  productName: string;
  basePath: string;
  mediaBase: string;
  /** Of the source's own pages. */
  site: string | undefined;
  today: string;
  hasItem(ref: ItemRef): boolean;
  hasPiece(ref: ItemRef): boolean;
  /** Whether an address at the source looks like an item's but belongs to no published page. */
  isLost(address: URL): boolean;
  /** Asks no other host. */
  hasFile(name: string): Promise<boolean>;
  losses: Loss[];
};

/** In the order of `gaps`. A piece of Awake now shows no author and no picture, so it needs neither. */
export async function findGaps(item: Item, setting: GapSetting): Promise<Finding[]> {
  const found: Finding[] = [];
  const note = (gap: Gap, message: string) => void found.push({ gap, message });
  if (hasSpeech(item) && item.readTexts().transcriptHtml === undefined) note("transcript", "It has no transcript.");
  if (!isAwakePiece(item)) {
    if ("scene" in item.picture && !item.picture.isChosen)
      note("picture", "It has no picture: a night scene is shown.");
    // The team signs a sample on purpose.
    if (item.sampleNote === undefined && item.author === defaultAuthor(setting.productName))
      note("author", `It has no author: “${item.author}” is shown.`);
  }
  const overdue = findOverdueReview(item, setting.today);
  if (overdue) note("review", overdue);
  for (const message of await listDeadLinks(item, setting)) note("links", message);
  return found;
}

/** Everything that plays has speech, except loops of sound. */
function hasSpeech({ video, sound }: Item): boolean {
  return video !== undefined || (sound !== undefined && sound.playMinutes === undefined);
}

/** Overdue: the last review, or else the date, is more than a year ago. */
function findOverdueReview({ reviewed, date }: Item, today: string): string | undefined {
  // Days compare as text, so the 29th of February needs no special case.
  const lastYear = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  if (reviewed !== undefined) return reviewed < lastYear ? `It was last reviewed on ${reviewed}.` : undefined;
  return date < lastYear ? `It has never been reviewed, and is from ${date}.` : undefined;
}

/** Links to missing items, missing files, and unreadable addresses. */
async function listDeadLinks(item: Item, setting: GapSetting): Promise<string[]> {
  const { links, files } = readAddresses(item, setting.mediaBase);
  const dead = links.map((link) => explainDeadLink(link, setting)).filter((message) => message !== undefined);
  const isThere = await Promise.all(files.map((name) => setting.hasFile(name)));
  const missing = files.filter((_, index) => !isThere[index]).map((name) => `The file ${name} is missing.`);
  const unread = setting.losses.filter(isUnreadAddress).map(({ what, why }) => `Its ${what} leads nowhere: ${why}.`);
  return [...new Set([...dead, ...missing, ...unread])];
}

function isUnreadAddress({ what, why }: Loss): boolean {
  return what === "link" || what === "button" || why === NO_FILE;
}

const NO_FILE = "it doesn't name a file";

const SHOWN_LENGTH = 100;

function explainDeadLink(link: string, setting: GapSetting): string | undefined {
  const shown = link.length > SHOWN_LENGTH ? `${link.slice(0, SHOWN_LENGTH)}…` : link;
  const url = URL.parse(link, OWN_SITE + setting.basePath);
  if (!url) return `We can't read an address: ${shown}`;
  if (url.origin === OWN_SITE) return hasPage(url, setting) ? undefined : `A link leads nowhere here: ${shown}`;
  // Links to items now lead to our pages; this one did not match an item.
  const isShortLink = url.host === URL.parse(setting.site ?? "")?.host && url.searchParams.has("p");
  return isShortLink || setting.isLost(url) ? `A link doesn't lead to a published item: ${shown}` : undefined;
}

const OWN_SITE = "http://own.invalid";

/** The screens that a text may link to, below the base path. */
const ownPages = new Set(["", "dashboard", "awake", "signup", "signmeup", "login"]);

function hasPage({ pathname, searchParams }: URL, setting: GapSetting): boolean {
  const { basePath } = setting;
  const isBelow = `${pathname}/`.startsWith(basePath);
  if (!isBelow || !ownPages.has(pathname.slice(basePath.length))) return false;
  const piece = searchParams.get("piece");
  if (piece !== null) {
    const ref = parseItemKey(piece);
    return ref !== undefined && setting.hasPiece(ref);
  }
  const item = searchParams.get("item");
  if (item === null) return true;
  const kind = itemKinds.find((each) => each === (searchParams.get("kind") ?? searchParams.get("view")));
  return kind !== undefined && setting.hasItem({ kind, id: Number(item) });
}

/** The server sends no request to them, so a person has to try them. */
export function listOutsideLinks(item: Item, setting: GapSetting): string[] {
  return readAddresses(item, setting.mediaBase).links.filter((link) => {
    const url = URL.parse(link, OWN_SITE + setting.basePath);
    const isOutside = url !== null && /^https?:$/.test(url.protocol) && url.origin !== OWN_SITE;
    return isOutside && explainDeadLink(link, setting) === undefined;
  });
}

/** Each once: `links` lead elsewhere, `files` are the names of shown files. */
function readAddresses(item: Item, mediaBase: string): { links: string[]; files: string[] } {
  const { picture, video, sound, bodyHtml, transcriptHtml = "" } = withTexts(item);
  const film = video?.kind === "file" ? [video.src, video.webm, video.captions] : [video?.src];
  const own = ["src" in picture ? picture.src : undefined, ...film, sound?.src, sound?.m4a];
  const named = [...own, ...listAttributes(bodyHtml), ...listAttributes(transcriptHtml)];
  const addresses = new Set(named.filter((each) => each !== undefined));
  const links = [...addresses].filter((address) => !address.startsWith("#") && !address.startsWith(mediaBase));
  const files = [...addresses].filter((address) => address.startsWith(mediaBase));
  return { links, files: files.map((file) => file.slice(mediaBase.length)) };
}

/** Sanitised HTML has `<` only in tags, and each value in double quotes. */
function listAttributes(html: string): string[] {
  return [...html.matchAll(/<[a-z][^<>]*>/g)].flatMap(([tag]) =>
    [...tag.matchAll(/ (?:href|src|poster)="([^"]*)"/g)].map(([, value = ""]) => readReferences(value)),
  );
}
