import { cleanText, toTextKey } from "../../platform/text.ts";
import type { ItemKind, Section } from "./kinds.ts";
import type { Sound } from "./sound.ts";
import type { Video } from "./video.ts";

/** In characters. A longer term costs time and finds nothing more (docs/behaviour.md, Search). */
const TERM_MAX_LENGTH = 64;

/** The search box and addresses carry a whole sentence: its last words may be a cry for help. */
export const TYPED_MAX_LENGTH = 500;

/** UTF-16 units a character: a code point has at most two, and white space is lost. */
const UNITS = 4;

export function cutTerm(term: string): string {
  const start = toOneLine(term.trimStart().slice(0, UNITS * TERM_MAX_LENGTH));
  return Array.from(start).slice(0, TERM_MAX_LENGTH).join("").trim();
}

/** Cleaned and on one line. A longer text keeps its first and last halves, where people say what they need. */
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

/** An article for Awake now: no page of its own, and in no list or search. */
export function isAwakePiece({ kind, isForAwakeNow }: Pick<ItemPlace, "kind" | "isForAwakeNow">): boolean {
  return kind === "read" && isForAwakeNow;
}

const months = "January February March April May June July August September October November December".split(" ");

const DAY_IN_MS = 86_400_000;

/**
 * "today", "yesterday", "14 November", or with its year if that differs. Both days are dates such as `2026-11-14`, so
 * no time zone counts. Any other text is returned.
 */
export function dayText(day: string, today = ""): string {
  const [, year, month = "", date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const name = months[Number(month) - 1];
  if (!name) return day;
  const daysAgo = (Date.parse(today) - Date.parse(day)) / DAY_IN_MS;
  if (daysAgo === 0 || daysAgo === 1) return daysAgo === 0 ? "today" : "yesterday";
  return `${Number(date)} ${name}${today.startsWith(`${year}-`) ? "" : ` ${year}`}`;
}

export function itemPath(item: ItemPlace): string {
  const { kind, id } = item;
  return isAwakePiece(item) ? `awake?piece=${kind}-${id}` : `?view=${kind}&item=${id}`;
}

/** It has sound, and neither a film nor a text to read first. */
export function isRecording({ kind, video, sound }: { kind: ItemKind } & Playable): boolean {
  return kind !== "read" && video === undefined && sound !== undefined;
}

export function findSection(item: { kind: ItemKind } & Playable): Section {
  return isRecording(item) ? "listen" : item.kind;
}

type Playable = { video?: Video | undefined; sound?: Sound | undefined };

/** The part that our player plays and stores a position for: the film, or else the recording. */
export function findPlayed({ video, sound }: Playable): { durationInSeconds?: number } | undefined {
  return video?.kind === "file" ? video : sound && toSoundLength(sound);
}

/** A loop lasts as long as it is played. */
function toSoundLength(sound: Sound): { durationInSeconds?: number } {
  return sound.playMinutes === undefined ? sound : { durationInSeconds: sound.playMinutes * 60 };
}

/** Silent reading of English prose is 200 to 250 words a minute; the lower figure suits late nights. */
const WORDS_PER_MINUTE = 200;

/** "4 min read", counted from its text, or "45 min". */
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

/** So that a member does not wait for a voice. */
export function silenceText(video: Video | undefined): string | undefined {
  if (!video?.isSilent) return undefined;
  return video.kind === "file" && video.captions ? keepTogether("silent, with captions") : "silent";
}

function readingTimeText(text: string): string | undefined {
  const words = text.match(/\S+/g)?.length ?? 0;
  return words === 0 ? undefined : keepTogether(`${Math.ceil(words / WORDS_PER_MINUTE)} min read`);
}

/** No seconds: all that lasts less than two minutes is "1 min". */
function playingTimeText(seconds: number): string {
  return keepTogether(`${seconds < 120 ? 1 : Math.round(seconds / 60)} min`);
}

function keepTogether(words: string): string {
  return words.replaceAll(" ", "\u00a0");
}

/** Four tags are no topics: they place the item (docs/parts.md). */
export type Tags = {
  terms: string[];
  /** `Awake now`: an article becomes a piece of that screen, and is in no list. */
  isForAwakeNow: boolean;
  /** `Help`: it is about the product, and in no list or search but that of Help. */
  isForHelp: boolean;
  guideSteps: GuideStep[];
  nightSteps: GuideStep[];
};

/** `intro`: of the whole guide, a line for each paragraph; `order`: its place; `why`: one line about it. */
export type GuideStep = { topic: string; intro: string | undefined; order: number; why: string };

/** The tags that make an item a step, with the fields of each and its list in `Tags`. */
export const stepTags = [
  { list: "guideSteps", tag: "Start here:", order: "start_here_order", why: "start_here_why" },
  { list: "nightSteps", tag: "Nights:", order: "night_order", why: "night_why" },
] as const;

/** docs/behaviour.md, Landing. Guides lead into them. */
export const landingTopics = [
  "Can't get to sleep",
  "Waking in the night",
  "Temperature",
  "Snoring/Sleep apnea",
  "Menopause",
  "Shift Work",
] as const;

export type LandingTopic = (typeof landingTopics)[number];

/** Equal for "Can’t get to sleep" and "can't get to sleep". */
export function topicKey(topic: string): string {
  return toTextKey(topic).replaceAll("’", "'");
}

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

export function nightsText(nights: number): string {
  return nightCounts[nights] ?? "Seven nights";
}

export const AWAKE_TAG = "Awake now";
export const HELP_TAG = "Help";

export function writeTags({
  terms,
  isForAwakeNow,
  isForHelp,
  ...tags
}: Tags): { name: string; description?: string }[] {
  return [
    ...terms.map((name) => ({ name })),
    ...(isForAwakeNow ? [{ name: AWAKE_TAG }] : []),
    ...(isForHelp ? [{ name: HELP_TAG }] : []),
    ...stepTags.flatMap(({ list, tag }) =>
      tags[list].map(({ topic, intro }) => ({ name: `${tag} ${topic}`, ...(intro && { description: intro }) })),
    ),
  ];
}

/** In the order of the operators' list. */
export const gaps = ["transcript", "picture", "author", "review", "links"] as const;

export type Gap = (typeof gaps)[number];

export const gapLabels: Record<Gap, string> = {
  transcript: "No transcript",
  picture: "No picture",
  author: "No author",
  review: "Not reviewed for a year",
  links: "Dead links",
};

export const gapFilters = ["any", ...gaps, "none"] as const;

export type GapFilter = (typeof gapFilters)[number];

export function defaultAuthor(productName: string): string {
  return `${productName} Team`;
}
