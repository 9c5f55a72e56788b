import { cutCharacters } from "../items/cards.ts";
import { type Item, type ItemTexts, listBlocks } from "../items/item.ts";
import { excerptLengths } from "../items/kinds.ts";
import type { Lexicon } from "./lexicon.ts";
import { hasStem, type SearchIndex } from "./search-index.ts";
import type { Wording } from "./query.ts";
import { listWords, type Word } from "./words.ts";

export type Excerpt = {
  /** Every second piece is a match. The first is empty where the text begins with a match. */
  pieces: string[];
  /** Of the transcript's paragraph, if the excerpt is from there. */
  anchor: string | undefined;
  /** From the beginning, if the transcript has times. */
  seconds: number | undefined;
};

const LEAD_IN_LENGTH = 100;

/** Words of a text that may match, and the numbers of their stems. */
type Reading = { words: Word[]; numbers: number[] };

/** Reads the texts of one search, and knows what all of them mark. */
export type Reader = { read: Read; marks: Marks };

/** Finds words that may match; of other words it reads only where they are. */
type Read = (text: string) => Reading;

export function createReader(lexicon: Lexicon, targets: Target[]): Reader {
  const marks = toMarks(targets);
  const wanted = lexicon.findBeginnings(marks);
  function read(text: string): Reading {
    const words = listWords(text, wanted);
    return { words, numbers: words.map((word) => lexicon.find(word.text) ?? -1) };
  }
  return { read, marks };
}

/** A part of the term as a text may have it: for each wording the stems of each word. */
export type Target = number[][][];

export function toTarget(wordings: Wording[]): Target {
  return wordings.filter(({ isOnlyInNames }) => !isOnlyInNames).map(({ words }) => words);
}

/** The very words if an item has them, or else synonyms. */
export function pickWordings(index: SearchIndex, wordings: Wording[], place: number): Wording[] {
  const [own] = wordings;
  const hasOwn = own?.words.every((forms) => hasStem(index, place, forms));
  return own && hasOwn ? [own] : wordings;
}

function has(readings: Reading[], target: Target): boolean {
  const isThere = (forms: number[]) => readings.some(({ numbers }) => forms.some((form) => numbers.includes(form)));
  return target.some((words) => words.every(isThere));
}

/** The stems whose words a text marks. */
type Marks = ReadonlySet<number>;

function toMarks(targets: Target[]): Marks {
  return new Set(targets.flat(3));
}

function listHits({ words, numbers }: Reading, marks: Marks): Word[] {
  return words.filter((_, place) => marks.has(numbers[place] ?? -1));
}

/** The first place of one of these stems in an item's text, as a share of its length. */
type FindShare = (stems: number[]) => number;

/**
 * An excerpt of a found item: its opening, or the first place of a word that the opening lacks, in the body or else in
 * the transcript. `sought`: the targets that title and topics lack, as this item has them.
 */
export function makeExcerpt(
  item: Item,
  { read, marks, opening, sought, findShare }: Reader & { opening: string; sought: Target[]; findShare: FindShare },
): Excerpt {
  const shown = read(opening);
  const unseen = sought.filter((target) => !has([shown], target));
  if (unseen.length === 0) return { pieces: markHits(opening, shown, marks), anchor: undefined, seconds: undefined };

  const { text, transcriptHtml } = item.readTexts();
  const { start, unwritten } = findWritten({ text, transcriptHtml }, { read, targets: unseen, findShare });
  const spoken = findSpoken(transcriptHtml, { read, targets: unwritten });
  const quote = spoken?.quote ?? (start === undefined ? opening : cutAround(text, start));
  const pieces = markHits(quote, quote === opening ? shown : read(quote), marks);
  return { pieces, anchor: spoken?.anchor, seconds: spoken?.seconds };
}

type Search = { read: Read; targets: Target[] };

/** A sentence or two: a search reads a body only as far as its first match. */
const PASSAGE_LENGTH = 100;

/** The first match in the body, and the targets that the body lacks, which count only where there is a transcript. */
function findWritten(
  { text, transcriptHtml }: Pick<ItemTexts, "text" | "transcriptHtml">,
  { read, targets, findShare }: Search & { findShare: FindShare },
) {
  let unwritten = transcriptHtml ? targets : [];
  let start: number | undefined;
  const readings: Reading[] = [];
  const marks = toMarks(targets);
  // Before a transcript the whole body counts.
  const share = transcriptHtml === undefined ? findShare([...marks]) : 0;
  const first = text.lastIndexOf(". ", share * text.length) + 1;
  for (let from = first; from < text.length && (start === undefined || unwritten.length > 0);) {
    const stop = text.indexOf(". ", from + PASSAGE_LENGTH);
    const to = stop === -1 ? text.length : stop + 1;
    const reading = read(text.slice(from, to));
    readings.push(reading);
    const [hit] = start === undefined ? listHits(reading, marks) : [];
    if (hit) start = from + hit.start;
    unwritten = unwritten.filter((target) => !has(readings, target));
    from = to;
  }
  return { start, unwritten };
}

function findSpoken(transcriptHtml: string | undefined, { read, targets }: Search) {
  if (!transcriptHtml || targets.length === 0) return undefined;
  const blocks = listBlocks(transcriptHtml);
  const marks = toMarks(targets);
  for (const [place, { id, seconds, text }] of blocks.entries()) {
    const [first] = listHits(read(text), marks);
    if (!first) continue;
    const before = blocks.slice(0, place).map((block) => `${block.text} `);
    const start = before.join("").length + first.start;
    return { quote: cutAround(blocks.map((block) => block.text).join(" "), start), anchor: id, seconds };
  }
  return undefined;
}

function cutAround(text: string, place: number): string {
  const earliest = Math.max(0, Math.min(place - LEAD_IN_LENGTH, text.length - excerptLengths.searchText));
  if (earliest === 0) return cutCharacters(text, excerptLengths.searchText);
  const space = text.indexOf(" ", earliest);
  const start = space === -1 || space >= place ? place : space + 1;
  return `…${cutCharacters(text.slice(start), excerptLengths.searchText)}`;
}

function markHits(text: string, reading: Reading, marks: Marks): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const hit of listHits(reading, marks)) {
    pieces.push(text.slice(end, hit.start), text.slice(hit.start, hit.end));
    end = hit.end;
  }
  return [...pieces, text.slice(end)];
}
