import { cleanText, toTextKey } from "../../platform/text.ts";
import type { ItemKind, Section } from "./kinds.ts";
import type { Sound } from "./sound.ts";
import type { Video } from "./video.ts";

/** A longer term costs time and finds nothing more (docs/behaviour.md, Search). In characters, as are all lengths here. */
const TERM_MAX_LENGTH = 64;

/** The search box and addresses carry a whole sentence: despair may be in its last words. */
export const TYPED_MAX_LENGTH = 500;

/** A code point is two units of a string at the most, and a few more are lost as white space. */
const UNITS = 4;

/** A term as it is searched for and named on screens: clean, on one line, and cut. */
export function cutTerm(term: string): string {
  const start = toOneLine(term.trimStart().slice(0, UNITS * TERM_MAX_LENGTH));
  return Array.from(start).slice(0, TERM_MAX_LENGTH).join("").trim();
}

/** A search as it was typed: clean and on one line. Of a longer text the first half and the last, where people say what they ask for. */
export function cleanTyped(text: string): string {
  const most = UNITS * TYPED_MAX_LENGTH;
  const ends = text.length > 2 * most ? `${text.trimStart().slice(0, most)} ${text.trimEnd().slice(-most)}` : text;
  const characters = Array.from(toOneLine(ends));
  if (characters.length <= TYPED_MAX_LENGTH) return characters.join("");
  const half = TYPED_MAX_LENGTH / 2;
  return [characters.slice(0, half), characters.slice(1 - half)].map((part) => part.join("").trim()).join(" ");
}

function toOneLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\uFFFD]+/gu, " ")
    .trim();
}

type ItemPlace = { kind: ItemKind; id: number; isForAwakeNow: boolean };

/** An article for Awake now: it has no page of its own, and is in no list and no search. */
export function isAwakePiece({ kind, isForAwakeNow }: Pick<ItemPlace, "kind" | "isForAwakeNow">): boolean {
  return kind === "read" && isForAwakeNow;
}

const months = "January February March April May June July August September October November December".split(" ");

const DAY_IN_MS = 86_400_000;

/**
 * A day as people say it: "today", "yesterday", "14 November", and with its year where that is another. Both days are written
 * `2026-11-14` and are of one calendar, so no time zone of a server or a browser counts. Any other text stays as it is.
 */
export function dayText(day: string, today = ""): string {
  const [, year, month = "", date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const name = months[Number(month) - 1];
  if (!name) return day;
  const daysAgo = (Date.parse(today) - Date.parse(day)) / DAY_IN_MS;
  if (daysAgo === 0 || daysAgo === 1) return daysAgo === 0 ? "today" : "yesterday";
  return `${Number(date)} ${name}${today.startsWith(`${year}-`) ? "" : ` ${year}`}`;
}

/** The path of an item's page, below the site's base path. */
export function itemPath(item: ItemPlace): string {
  const { kind, id } = item;
  return isAwakePiece(item) ? `awake?piece=${kind}-${id}` : `?view=${kind}&item=${id}`;
}

/** Whether an item is there to be listened to: it has sound, and neither a film nor a text to read first. */
export function isRecording({ kind, video, sound }: { kind: ItemKind } & Playable): boolean {
  return kind !== "read" && video === undefined && sound !== undefined;
}

/** The section that an item belongs to. */
export function findSection(item: { kind: ItemKind } & Playable): Section {
  return isRecording(item) ? "listen" : item.kind;
}

type Playable = { video?: Video | undefined; sound?: Sound | undefined };

/** The part of an item that our own player plays, where a member has a place: its film, or else its recording. */
export function findPlayed({ video, sound }: Playable): { durationInSeconds?: number } | undefined {
  return video?.kind === "file" ? video : sound && toSoundLength(sound);
}

/** A loop takes as long as it is played for. */
function toSoundLength(sound: Sound): { durationInSeconds?: number } {
  return sound.playMinutes === undefined ? sound : { durationInSeconds: sound.playMinutes * 60 };
}

/** Silent reading of English prose is at 200 to 250 words a minute; late at night the lower figure is the fairer one. */
const WORDS_PER_MINUTE = 200;

/** How long an item takes, in words: "4 minutes to read", counted from its text, or "45 minutes". */
export function lengthText({
  kind,
  text,
  video,
  sound,
}: { kind: ItemKind; text: string } & Playable): string | undefined {
  if (kind === "read") return readingTimeText(text);
  const { durationInSeconds: seconds } = video ?? (sound ? toSoundLength(sound) : {});
  return seconds === undefined ? undefined : playingTimeText(seconds);
}

function readingTimeText(text: string): string | undefined {
  const words = text.match(/\S+/g)?.length ?? 0;
  return words === 0 ? undefined : keepTogether(`${count(Math.ceil(words / WORDS_PER_MINUTE), "minute")} to read`);
}

function playingTimeText(seconds: number): string {
  return keepTogether(seconds < 120 ? count(Math.round(seconds), "second") : count(Math.round(seconds / 60), "minute"));
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function keepTogether(words: string): string {
  return words.replaceAll(" ", "\u00a0");
}

/** The tags of an item. Three of them are no topics: they say where the item is offered (docs/parts.md). */
export type Tags = {
  /** Its topics. */
  terms: string[];
  /** `Awake now`: an article is a piece of that screen then, and in no list. */
  isForAwakeNow: boolean;
  /** `Start here: TOPIC`, each a step of the guide to that topic. */
  guideSteps: GuideStep[];
  /** `Nights: TOPIC`, each a night of the nights for that topic. */
  nightSteps: GuideStep[];
};

/**
 * A step of a guide. `intro`: of the whole guide, a line for each paragraph; `order`: its place among the others; `why`: one line on why it
 * comes there.
 */
export type GuideStep = { topic: string; intro: string | undefined; order: number; why: string };

/** The tags that make an item a step of something: what begins each, its fields, and where `Tags` has the steps. */
export const stepTags = [
  { list: "guideSteps", tag: "Start here:", order: "start_here_order", why: "start_here_why" },
  { list: "nightSteps", tag: "Nights:", order: "night_order", why: "night_why" },
] as const;

/** The six topics of the landing (docs/behaviour.md, Landing), which guides lead into. */
export const landingTopics = [
  "Can't get to sleep",
  "Waking in the night",
  "Temperature",
  "Snoring/Sleep apnea",
  "Menopause",
  "Shift Work",
] as const;

export type LandingTopic = (typeof landingTopics)[number];

/** The same for "Can’t get to sleep" and "can't get to sleep". */
export function topicKey(topic: string): string {
  return toTextKey(topic).replaceAll("’", "'");
}

/** A topic as addresses have it: `cant-get-to-sleep`. */
export function topicSlug(topic: string): string {
  return topicKey(topic)
    .replaceAll("'", "")
    .replaceAll(/[^a-z0-9]+/g, "-");
}

const nightCounts = [
  "No nights",
  "One night",
  "Two nights",
  "Three nights",
  "Four nights",
  "Five nights",
  "Six nights",
];

/** "Seven nights". */
export function nightsText(nights: number): string {
  return nightCounts[nights] ?? "Seven nights";
}

export const AWAKE_TAG = "Awake now";

/** The tags of an item as a source writes them: what `readTags` reads. */
export function writeTags({ terms, isForAwakeNow, ...tags }: Tags): { name: string; description?: string }[] {
  return [
    ...terms.map((name) => ({ name })),
    ...(isForAwakeNow ? [{ name: AWAKE_TAG }] : []),
    ...stepTags.flatMap(({ list, tag }) =>
      tags[list].map(({ topic, intro }) => ({ name: `${tag} ${topic}`, ...(intro && { description: intro }) })),
    ),
  ];
}

/** The gaps of items that operators see, in the order of the list. */
export const gaps = ["transcript", "picture", "author", "review", "links"] as const;

export type Gap = (typeof gaps)[number];

export const gapLabels: Record<Gap, string> = {
  transcript: "No transcript",
  picture: "No picture",
  author: "No author",
  review: "Not reviewed for a year",
  links: "Dead links",
};

/** The filters of the list of gaps: items with one gap, with any, or with none. */
export const gapFilters = ["any", ...gaps, "none"] as const;

export type GapFilter = (typeof gapFilters)[number];

/** The author of an item without one. */
export function defaultAuthor(productName: string): string {
  return `${productName} Team`;
}
