import { cleanText } from "../../platform/text.ts";
import { listAddresses, readAddress, toWebAddress } from "./addresses.ts";
import { type Losses, noteLoss } from "./blocks.ts";
import { readDay, readDuration, readNumber } from "./field-values.ts";
import { sourceLimits } from "./source.ts";
import { sceneNames } from "./kinds.ts";
import { parseVideoAddress } from "./video-address.ts";

/** Custom fields as the source gives them: ACF's settings make one a text, a number, an object or a list. */
export type GivenFields = Record<string, unknown> | null | undefined;

type Reading<Value> = { value: Value } | { why: string };

/** The known custom fields, and how each is read (docs/parts.md). */
const readers = {
  video_network: readChoice,
  vimeo_url: (given: unknown) => readLocation(given, toVimeoAddress),
  youtube_url: (given: unknown) => readLocation(given, toYoutubeAddress),
  video_url: (given: unknown) => readLocation(given),
  orientation: (given: unknown) => readOneChoice(given, ["landscape", "portrait"] as const),
  scene: (given: unknown) => readOneChoice(given, sceneNames),
  /** The film of `video_url` in a second format, for browsers that cannot play the first. */
  webm_url: (given: unknown) => readLocation(given),
  /** WebVTT for that film. */
  captions_url: (given: unknown) => readLocation(given),
  video_silent: readFlag,
  video_duration: (given: unknown) => readSpan(given, { unit: "s", min: 1, max: 86_400 }),
  audio_url: (given: unknown) => readLocation(given),
  /** The recording of `audio_url` as AAC, for browsers that cannot play the first. */
  m4a_url: (given: unknown) => readLocation(given),
  audio_duration: (given: unknown) => readSpan(given, { unit: "s", min: 1, max: 86_400 }),
  play_minutes: (given: unknown) => readSpan(given, { unit: "min", min: 1, max: 1440 }),
  transcript: readTranscript,
  reviewed: readReview,
  /** A quiet line below the text that says what it is, such as a sample. */
  sample_note: (given: unknown) => readText(given, sourceLimits.name),
  /** Further words that the item is found by, separated by commas or lines; never shown. */
  also_called: (given: unknown) => readText(given, sourceLimits.text),
  /** The rhythm of a breathing shape of Awake now, in seconds. */
  breathe_in: (given: unknown) => readSpan(given, { unit: "s", min: 1, max: 20 }),
  breathe_out: (given: unknown) => readSpan(given, { unit: "s", min: 1, max: 20 }),
  /** The place in a guide, and one line on why it comes there. */
  start_here_order: (given: unknown) => readPlace(given, { min: 0, max: 1000 }),
  start_here_why: (given: unknown) => readText(given, sourceLimits.name),
  night_order: (given: unknown) => readPlace(given, { min: 0, max: 1000 }),
  night_why: (given: unknown) => readText(given, sourceLimits.name),
} satisfies Record<string, (given: unknown) => Reading<unknown>>;

export type FieldName = keyof typeof readers;
export const fieldNames = Object.keys(readers) as FieldName[];

type FieldValue<Name extends FieldName> = Extract<ReturnType<(typeof readers)[Name]>, { value: unknown }>["value"];

export type Fields = { [Name in FieldName]?: FieldValue<Name> };

/** Reads the fields and counts invalid ones. ACF gives an empty value for a field that was never filled in. */
export function readFields(given: GivenFields, losses: Losses): Fields {
  const read: [FieldName, unknown][] = [];
  for (const name of fieldNames) {
    const [first, ...others] = listGiven(given?.[name]);
    if (first === undefined) continue;
    const reading: Reading<unknown> = readers[name](first);
    if ("why" in reading) noteField(losses, name, reading.why);
    else if (reading.value !== undefined) read.push([name, reading.value]);
    if (others.length > 0) noteField(losses, name, `it holds ${others.length} more than the one that is shown`);
  }
  return Object.fromEntries(read);
}

export function noteField(losses: Losses, name: FieldName, why: string): void {
  noteLoss(losses, `field ${name}`, why);
}

export function pickFields(given: GivenFields): Record<string, unknown> {
  return Object.fromEntries(fieldNames.filter((name) => given && name in given).map((name) => [name, given?.[name]]));
}

export const fileFields = ["video_url", "webm_url", "captions_url", "audio_url", "m4a_url"] as const;

/** By address, or by the source's number. */
export type FileReference = { address: string } | { number: number };

export function findFileReference(given: unknown): FileReference | undefined {
  const [first] = listGiven(given);
  const address = findAddress(first);
  if (address !== undefined) return { address };
  const number = findNumber(first);
  return number === undefined ? undefined : { number };
}

/** Replaces the first value of a field: an address in place of a file's number. */
export function replaceFirst(given: unknown, value: string): unknown {
  const [, ...others] = listGiven(given);
  return others.length === 0 ? value : [value, ...others];
}

/** Galleries and relationships have several values. */
function listGiven(given: unknown): unknown[] {
  return (Array.isArray(given) ? given.flat() : [given]).filter((each) => !isEmpty(each)).slice(0, MOST_VALUES);
}

const MOST_VALUES = 1000;

/** ACF's values for a field that was never saved, or was emptied. */
function isEmpty(value: unknown): boolean {
  if (typeof value === "string") return cleanText(value) === "";
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === false;
}

/** `complete` makes an address of something shorter, such as a film's number. */
function readLocation(given: unknown, complete: Completion = () => undefined): Reading<string | undefined> {
  const address = findAddress(given, complete);
  if (address !== undefined) {
    return address.length > sourceLimits.address ? { why: "its address is too long" } : { value: address };
  }
  const number = findNumber(given);
  if (number !== undefined) return { why: `the source shows no file with the number ${number}` };
  return Number(given) === 0 ? { value: undefined } : { why: "it has no address" };
}

type Completion = (text: string) => string | undefined;

function findAddress(given: unknown, complete: Completion = () => undefined): string | undefined {
  const isNumbered = findNumber(given) !== undefined;
  // A numbered file also has the address of a page about it.
  const text = findValue(given, ["url", "source_url", "value", ...(isNumbered ? [] : ["link", "guid"])]);
  const trimmed = typeof text === "number" || typeof text === "string" ? String(text).trim() : "";
  const completed = complete(trimmed);
  if (completed !== undefined) return completed;
  if (/^\d*$/.test(trimmed)) return undefined;
  if (trimmed.length > sourceLimits.text) return trimmed;
  if (trimmed.includes("<")) return findFilm(listAddresses(trimmed));
  // WordPress's own shortcodes: `[embed]…[/embed]`, `[video mp4="…"]`.
  const [, inside] = /^\[\w+[^\]]*?(?:\]|=["”]?)((?:https?:)?\/\/[^\s"”[\]]+)/.exec(trimmed) ?? [];
  return readAddress(inside ?? trimmed);
}

/** The first address that plays here, or else the first. */
function findFilm(addresses: string[]): string | undefined {
  const usable = addresses.filter((each) => toWebAddress(each) ?? parseVideoAddress(each));
  return usable.find((each) => (parseVideoAddress(each)?.kind ?? "elsewhere") !== "elsewhere") ?? usable[0];
}

function findNumber(given: unknown): number | undefined {
  const number = readNumber(findValue(given, ["ID", "id"]));
  return Number.isSafeInteger(number) && Number(number) > 0 ? number : undefined;
}

/** Alone, or in an object; the REST API writes HTML into `rendered`. */
function findValue(given: unknown, keys: string[]): unknown {
  if (typeof given !== "object" || given === null) return given;
  const found = keys.map((key) => (given as Record<string, unknown>)[key]).find((each) => !isEmpty(each));
  return typeof found === "object" ? findValue(found, ["rendered", "url"]) : found;
}

/** Editors may give Vimeo's number of a film. */
function toVimeoAddress(text: string): string | undefined {
  return /^\d{6,12}(?:\/[\da-f]{6,40})?$/.test(text) ? `https://vimeo.com/${text}` : undefined;
}

function toYoutubeAddress(text: string): string | undefined {
  return /^(?!\d+$)[\w-]{11}$/.test(text) ? `https://youtu.be/${text}` : undefined;
}

export function findText(given: unknown): string | undefined {
  const text = findValue(listGiven(given)[0], ["value", "rendered"]);
  return typeof text === "string" || typeof text === "number" ? String(text) : undefined;
}

function readText(given: unknown, max: number): Reading<string> {
  const text = findText(given);
  if (text === undefined) return { why: "it isn't text" };
  return text.length > max ? { why: "it is too long" } : { value: text };
}

/** A file field gives a number, and a file is no text. */
function readTranscript(given: unknown): Reading<string> {
  const isFile = /^\s*(?:<p>)?\d+(?:<\/p>)?\s*$/.test(findText(given) ?? "");
  return isFile ? { why: "it is the number of a file, not text" } : readText(given, sourceLimits.text);
}

/** A select stores the value, or `{ value, label }`. */
function readChoice(given: unknown): Reading<string> {
  const read = readText(given, sourceLimits.name);
  return "value" in read ? { value: read.value.trim().toLowerCase() } : read;
}

/** ACF's True/False. */
function readFlag(given: unknown): Reading<true | undefined> {
  if (given === true || given === 1 || given === "1") return { value: true };
  return given === 0 || given === "0" ? { value: undefined } : { why: "it is neither true nor false" };
}

function readOneChoice<Choice extends string>(given: unknown, choices: readonly Choice[]): Reading<Choice> {
  const read = readChoice(given);
  if ("why" in read) return read;
  const choice = choices.find((each) => each === read.value);
  return choice === undefined ? { why: `it isn't one of ${choices.join(", ")}` } : { value: choice };
}

type Span = { unit: "s" | "min"; min: number; max: number };

/** Zero means none: many forms begin with it. */
function readSpan(given: unknown, { unit, min, max }: Span): Reading<number | undefined> {
  const text = findValue(given, ["value"]);
  const seconds = typeof text === "string" || typeof text === "number" ? readDuration(text, unit) : undefined;
  if (seconds === undefined) return { why: "it isn't a length of time" };
  if (seconds === 0) return { value: undefined };
  const count = unit === "s" ? seconds : seconds / 60;
  return count < min || count > max ? { why: `it is not between ${min} and ${max}` } : { value: count };
}

function readPlace(given: unknown, { min, max }: { min: number; max: number }): Reading<number> {
  const place = readNumber(findValue(given, ["value"]));
  if (place === undefined) return { why: "it isn't a number" };
  return place < min || place > max ? { why: `it is not between ${min} and ${max}` } : { value: place };
}

function readReview(given: unknown): Reading<string> {
  const day = readDay(findValue(given, ["date", "value"]));
  return day === undefined ? { why: "it isn't a day" } : { value: day };
}
