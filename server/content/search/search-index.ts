import { giveWay } from "../../platform/turns.ts";
import { compact, type Item, listBlocks, listHeadings } from "../items/item.ts";
import { mapSections, type Section } from "../items/kinds.ts";
import { findSection } from "../items/item-facts.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { listWords } from "./words.ts";
import { loadEnglish } from "./spelling.ts";
import { bundledSayings } from "./sayings.ts";

/**
 * Which items have which words, and where. Items are numbered newest first, and every list of them is in that order.
 * `docs/decisions/0006-a-search-index-of-our-own.md` gives the reasons.
 */
export type SearchIndex = {
  items: Item[];
  /** The items of each section, by their numbers. */
  sectionPlaces: Record<Section, Uint32Array>;
  /** The words of its title, topics and other names, with blanks around each; a stroke ends a phrase. */
  names: string[];
  /** The items that have a word, as written, in title or topics. */
  namePlaces: Map<string, number[]>;
  /** Words of each item, and the same in relation to the average. */
  wordCounts: Uint32Array;
  lengths: Float32Array;
  postings: Postings;
  lexicon: Lexicon;
};

/** The postings of all stems in the order of their numbers (`IN_TITLE`), and where each stem's begin. */
type Postings = { all: Uint32Array; starts: Uint32Array };

/**
 * A posting is one number: the item, the sixteenth of its text in which the stem comes first, where it has it (a bit
 * each), and how often.
 */
export const IN_TITLE = 128;
export const IN_TOPIC = 64;
export const IN_NAME = IN_TITLE | IN_TOPIC;
export const IN_HEADING = 32;
const MOST_TIMES = 31;
const PART_SHIFT = 8;
const PARTS = 16;
const PLACE_SHIFT = 12;
const USE_BITS = 2 ** PLACE_SHIFT - 1;

export function toPlace(posting: number): number {
  return posting >>> PLACE_SHIFT;
}

export function toTimes(posting: number): number {
  return posting & MOST_TIMES;
}

/** Not a copy: a search reads all postings of a common word. */
export function listPostings({ postings: { all, starts } }: SearchIndex, stem: number): Uint32Array {
  return all.subarray(starts[stem] ?? all.length, starts[stem + 1] ?? all.length);
}

/** How many items have the stem. */
export function countUses({ postings: { all, starts } }: SearchIndex, stem = Infinity): number {
  return (starts[stem + 1] ?? all.length) - (starts[stem] ?? all.length);
}

export function isInUse(index: SearchIndex, word: string): boolean {
  return countUses(index, index.lexicon.find(word)) > 0;
}

export function hasStem(index: SearchIndex, place: number, stems: number[]): boolean {
  return stems.some((stem) => findPosting(listPostings(index, stem), place) !== undefined);
}

export type Field = "title" | "topic" | "heading" | "text";

/** Where an item has one of the stems; what it is also called counts as a topic. */
export function findFields(index: SearchIndex, place: number, stems: number[]): Field[] {
  const all = stems.reduce((uses, stem) => uses | (findPosting(listPostings(index, stem), place) ?? 0), 0);
  const found: Field[] = [];
  if (all & IN_TITLE) found.push("title");
  if (all & IN_TOPIC) found.push("topic");
  if (all & IN_HEADING) found.push("heading");
  if (toTimes(all) > 0) found.push("text");
  return found;
}

/** Whether title or topics have one of the stems of each word. */
export function isInName(index: SearchIndex, place: number, words: number[][]): boolean {
  const isNamed = (stem: number) => ((findPosting(listPostings(index, stem), place) ?? 0) & IN_NAME) > 0;
  return words.every((stems) => stems.some(isNamed));
}

/** Whether an item has one of the stems of each word. */
export function hasItem(index: SearchIndex, words: number[][], isOnlyInNames = false): boolean {
  const [first = []] = words;
  return first.some((stem) =>
    listPostings(index, stem).some((posting) => {
      const place = toPlace(posting);
      return isOnlyInNames ? isInName(index, place, words) : words.every((stems) => hasStem(index, place, stems));
    }),
  );
}

/** The first place of one of the stems in an item's text, as a share of its length; 0 without any. */
export function findFirstShare(index: SearchIndex, place: number, stems: number[]): number {
  const postings = stems.map((stem) => findPosting(listPostings(index, stem), place) ?? 0);
  const parts = postings.filter((posting) => toTimes(posting) > 0).map((posting) => toPart(posting));
  return parts.length === 0 ? 0 : Math.min(...parts) / PARTS;
}

function toPart(posting: number): number {
  return (posting >>> PART_SHIFT) % PARTS;
}

/** Postings are in the order of items. */
export function findPosting(list: Uint32Array, place: number): number | undefined {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (toPlace(list[middle] ?? 0) < place) from = middle + 1;
    else to = middle;
  }
  const found = list[from];
  return found !== undefined && toPlace(found) === place ? found : undefined;
}

/** Words read before other work runs: 5 to 10 ms. */
const BATCH_LENGTH = 13_000;
/** Items that were read before cost only their numbers. */
const KNOWN_ITEM_LENGTH = 80;

export function createEmptyIndex(sayings = bundledSayings()): SearchIndex {
  return {
    items: [],
    sectionPlaces: mapSections(() => new Uint32Array()),
    names: [],
    namePlaces: new Map(),
    wordCounts: new Uint32Array(),
    lengths: new Float32Array(),
    postings: { all: new Uint32Array(), starts: new Uint32Array() },
    lexicon: createLexicon(sayings),
  };
}

/** Builds the index of a snapshot in slices; does not read items of the previous index again. */
export async function buildSearchIndex(items: Item[], previous: SearchIndex): Promise<SearchIndex> {
  const { lexicon } = previous;
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id);
  const sections = newestFirst.map(findSection);
  const wordCounts = new Uint32Array(items.length);
  const index: Growing = {
    items: newestFirst,
    sectionPlaces: mapSections((section) =>
      Uint32Array.from(sections.flatMap((each, place) => (each === section ? [place] : []))),
    ),
    names: [],
    namePlaces: new Map(),
    wordCounts,
    lexicon,
  };
  await loadEnglish();
  const placesBefore = new Map(previous.items.map((item, place) => [item, place]));
  const places = new Int32Array(previous.items.length).fill(-1);
  const fresh: FreshPostings = { stems: new Uint32Array(1024), postings: new Uint32Array(1024), count: 0 };
  let length = 0;
  for (const [place, item] of newestFirst.entries()) {
    addNames(index, { place, item });
    const before = placesBefore.get(item);
    if (before === undefined) wordCounts[place] = readItem(lexicon, item, { place, fresh });
    else {
      places[before] = place;
      wordCounts[place] = previous.wordCounts[before] ?? 0;
    }
    length += KNOWN_ITEM_LENGTH + (before === undefined ? (wordCounts[place] ?? 0) : 0);
    if (length < BATCH_LENGTH) continue;
    await giveWay();
    length = 0;
  }
  const average = wordCounts.reduce((sum, each) => sum + each, 0) / Math.max(1, items.length);
  const lengths = Float32Array.from(wordCounts, (each) => each / Math.max(1, average));
  return { ...index, lengths, postings: await mergePostings(previous, { places, fresh }) };
}

const BATCH_OF_POSTINGS = 200_000;

/** Renumbers the previous postings that are still true, and adds the new ones, sorted by stem. */
async function mergePostings(
  previous: SearchIndex,
  { places, fresh }: { places: Int32Array; fresh: FreshPostings },
): Promise<Postings> {
  const stemCount = previous.lexicon.countStems();
  const starts = new Uint32Array(stemCount + 1);
  const hasFresh = new Uint8Array(stemCount);
  for (const stem of fresh.stems.subarray(0, fresh.count)) {
    starts[stem + 1] = (starts[stem + 1] ?? 0) + 1;
    hasFresh[stem] = 1;
  }
  const moved = new Uint32Array(previous.postings.all.length);
  const movedStarts = new Uint32Array(stemCount + 1);
  let end = 0;
  let turnAt = BATCH_OF_POSTINGS;
  for (let stem = 0; stem < stemCount; stem += 1) {
    for (const posting of listPostings(previous, stem)) {
      const place = places[toPlace(posting)] ?? -1;
      if (place !== -1) moved[end++] = (place << PLACE_SHIFT) + (posting & USE_BITS);
    }
    movedStarts[stem + 1] = end;
    starts[stem + 1] = (starts[stem] ?? 0) + (starts[stem + 1] ?? 0) + end - (movedStarts[stem] ?? 0);
    if (end < turnAt) continue;
    turnAt = end + BATCH_OF_POSTINGS;
    await giveWay();
  }
  const all = new Uint32Array(end + fresh.count);
  const ends = starts.slice();
  for (let stem = 0; stem < stemCount; stem += 1) {
    const list = moved.subarray(movedStarts[stem], movedStarts[stem + 1]);
    all.set(list, starts[stem]);
    ends[stem] = (starts[stem] ?? 0) + list.length;
  }
  for (let at = 0; at < fresh.count; at += 1) {
    const stem = fresh.stems[at] ?? 0;
    const place = ends[stem] ?? 0;
    all[place] = fresh.postings[at] ?? 0;
    ends[stem] = place + 1;
    if (at % BATCH_OF_POSTINGS === BATCH_OF_POSTINGS - 1) await giveWay();
  }
  for (let stem = 0; stem < stemCount; stem += 1) {
    if (hasFresh[stem] && movedStarts[stem] !== movedStarts[stem + 1])
      all.subarray(starts[stem], starts[stem + 1]).sort();
  }
  return { all, starts };
}

/** In the order of reading, with the stem of each. */
type FreshPostings = { stems: Uint32Array; postings: Uint32Array; count: number };

function addPosting(fresh: FreshPostings, stem: number, posting: number): void {
  if (fresh.count === fresh.stems.length) {
    fresh.stems = widen(fresh.stems);
    fresh.postings = widen(fresh.postings);
  }
  fresh.stems[fresh.count] = stem;
  fresh.postings[fresh.count] = posting;
  fresh.count += 1;
}

/** Doubles the array; the shorter one is freed at once. */
function widen({ buffer }: Uint32Array): Uint32Array {
  return new Uint32Array((buffer as ArrayBuffer).transfer(2 * buffer.byteLength));
}

type Growing = Omit<SearchIndex, "postings" | "lengths">;

function addNames(index: Growing, { place, item }: { place: number; item: Item }): void {
  const parts = [item.title, ...item.terms, ...item.alsoCalled].map((part) => listWords(part).map(({ text }) => text));
  for (const word of new Set(parts.flat())) {
    const places = index.namePlaces.get(word);
    if (places) places.push(place);
    else index.namePlaces.set(word, [place]);
  }
  index.names.push(compact(` ${parts.map((words) => words.join(" ")).join(" | ")} `));
}

function addTime(use: number): number {
  return toTimes(use) < MOST_TIMES ? use + 1 : use;
}

/** Returns how many words it has. */
function readItem(lexicon: Lexicon, item: Item, { place, fresh }: { place: number; fresh: FreshPostings }): number {
  const uses = new Map<number, number>();
  let length = 0;
  const read = (text: string, add: (use: number, share: number) => number) => {
    for (const word of listWords(text)) {
      const stem = lexicon.learn(word.text, text.slice(word.start, word.end));
      uses.set(stem, add(uses.get(stem) ?? 0, word.start / text.length));
      length += 1;
    }
  };
  const { bodyHtml, text: written, transcriptHtml } = item.readTexts();
  const spoken = transcriptHtml ? listBlocks(transcriptHtml).map(({ text }) => text) : [];
  read(written, (use, share) => (use === 0 ? (Math.floor(share * PARTS) << PART_SHIFT) + 1 : addTime(use)));
  for (const text of spoken) read(text, addTime);
  for (const text of listHeadings(bodyHtml)) read(text, (use) => use | IN_HEADING);
  read(item.title, (use) => use | IN_TITLE);
  for (const term of [...item.terms, ...item.alsoCalled]) read(term, (use) => use | IN_TOPIC);
  for (const [stem, use] of uses) addPosting(fresh, stem, (place << PLACE_SHIFT) + use);
  return length;
}
