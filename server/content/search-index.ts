import { setImmediate as nextTurn } from "node:timers/promises";

import { type Item, listBlocks, listHeadings } from "./item.ts";
import { sectionNames } from "./kinds.ts";
import { findSection } from "./rules.ts";
import { listWords, toStem } from "./search-words.ts";
import { createVocabulary, loadEnglish, type Vocabulary } from "./spelling.ts";
import { isSaid, listSaid } from "./synonyms.ts";

/**
 * Which items have which words, and where. Items are known by their place, newest first, and every list of places is in that order. Why
 * we keep lists of numbers of our own: `docs/decisions/0006-a-search-index-of-our-own.md`.
 */
export type SearchIndex = {
  items: Item[];
  /** The section of each item, as its place in `sectionNames`. */
  sectionNumbers: Uint8Array;
  /** Title and topics of each item. */
  heads: Head[];
  /** The places of the items that have a word in title or topic, as it is written there. */
  headPlaces: Map<string, number[]>;
  /** How many words an item has beside the average, by its place. */
  lengths: Float32Array;
  /** By the number of a stem: the items that have it, a posting each (`IN_TITLE`). A search reads all of a common word's. */
  postings: (Uint32Array | undefined)[];
  lexicon: Lexicon;
  /** The postings of an item, so that the next index does not read it again. */
  readings: WeakMap<Item, Reading>;
};

/** As words and as stems, each between blanks; a stroke keeps a phrase from running out of the title into a topic. */
type Head = { words: string; stems: string };

/** The stems of an item, where and how often it has each, and how many words it has. */
type Reading = { stems: Uint32Array; uses: Uint8Array; length: number };

/** A posting is one number: the place of the item, where it has the stem (a bit each), and how often its text does. */
export const IN_TITLE = 128;
export const IN_TOPIC = 64;
export const IN_HEADING = 32;
const MOST_TIMES = 31;
const PLACE_SHIFT = 8;

export function toPlace(posting: number): number {
  return posting >>> PLACE_SHIFT;
}

export function toTimes(posting: number): number {
  return posting & MOST_TIMES;
}

/** How many characters are read before other work gets its turn: 5 to 10 ms. */
const BATCH_LENGTH = 80_000;
/** Items that were read before cost only their numbers. */
const KNOWN_ITEM_LENGTH = 500;

export function createEmptyIndex(): SearchIndex {
  return {
    items: [],
    sectionNumbers: new Uint8Array(),
    heads: [],
    headPlaces: new Map(),
    lengths: new Float32Array(),
    postings: [],
    lexicon: createLexicon(),
    readings: new WeakMap(),
  };
}

/** Builds the index of a snapshot in slices, with what a previous index has read. */
export async function buildSearchIndex(items: Item[], previous: SearchIndex): Promise<SearchIndex> {
  const { lexicon, readings } = previous;
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id);
  const sectionNumbers = Uint8Array.from(newestFirst, (item) => sectionNames.indexOf(findSection(item)));
  const lengths = new Float32Array(items.length);
  const shared = { items: newestFirst, sectionNumbers, heads: [], headPlaces: new Map(), lengths, lexicon, readings };
  const index: Growing = { ...shared, postings: [] };
  await loadEnglish();
  let length = 0;
  for (const [place, item] of newestFirst.entries()) {
    length += KNOWN_ITEM_LENGTH + (readings.has(item) ? 0 : measureLength(item));
    if (length > BATCH_LENGTH) {
      await nextTurn();
      length = 0;
    }
    addItem(index, { place, item });
  }
  const average = lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, items.length);
  return {
    ...shared,
    lengths: lengths.map((each) => each / Math.max(1, average)),
    postings: await packPostings(index.postings),
  };
}

/** How many postings are packed before other work gets its turn. */
const BATCH_OF_POSTINGS = 200_000;

async function packPostings(lists: number[][]): Promise<SearchIndex["postings"]> {
  const packed: SearchIndex["postings"] = [];
  let count = 0;
  for (const list of lists) {
    // Words of items that were withdrawn leave gaps.
    packed.push(list && new Uint32Array(list));
    count += list?.length ?? 0;
    if (count > BATCH_OF_POSTINGS) {
      await nextTurn();
      count = 0;
    }
  }
  return packed;
}

/** An index that items are still added to. */
type Growing = Omit<SearchIndex, "postings"> & { postings: number[][] };

function measureLength({ text, transcriptHtml }: Item): number {
  return text.length + (transcriptHtml?.length ?? 0);
}

function addItem(index: Growing, { place, item }: { place: number; item: Item }): void {
  const parts = [item.title, ...item.terms].map((part) => listWords(part).map(({ text }) => text));
  for (const word of new Set(parts.flat())) {
    const places = index.headPlaces.get(word);
    if (places) places.push(place);
    else index.headPlaces.set(word, [place]);
  }
  index.heads.push({ words: toHead(parts), stems: toHead(parts.map((words) => words.map(toStem))) });
  const reading = index.readings.get(item) ?? readItem(index.lexicon, item);
  index.readings.set(item, reading);
  index.lengths[place] = reading.length;
  for (const [at, stem] of reading.stems.entries()) {
    (index.postings[stem] ??= []).push((place << PLACE_SHIFT) + (reading.uses[at] ?? 0));
  }
}

function toHead(parts: string[][]): string {
  return ` ${parts.map((words) => words.join(" ")).join(" | ")} `;
}

function readItem(lexicon: Lexicon, item: Item): Reading {
  const uses = new Map<number, number>();
  let length = 0;
  const read = (text: string, add: (use: number) => number) => {
    for (const word of listWords(text)) {
      const stem = lexicon.learn(word.text, text.slice(word.start, word.end));
      uses.set(stem, add(uses.get(stem) ?? 0));
      length += 1;
    }
  };
  const spoken = item.transcriptHtml ? listBlocks(item.transcriptHtml).map(({ text }) => text) : [];
  for (const text of [item.text, ...spoken]) read(text, (use) => Math.min(use + 1, MOST_TIMES));
  for (const text of listHeadings(item.bodyHtml)) read(text, (use) => use | IN_HEADING);
  read(item.title, (use) => use | IN_TITLE);
  for (const term of item.terms) read(term, (use) => use | IN_TOPIC);
  return { stems: Uint32Array.from(uses.keys()), uses: Uint8Array.from(uses.values()), length };
}

/**
 * Every word that texts have, numbered by its stem, so that an index keeps numbers and not words. It outlives a refresh of the
 * catalogue: what was read once is not read again, and a word of an item that was withdrawn is a few bytes until the next start.
 */
export type Lexicon = {
  /** The number of a word's stem; a new one for a stem that was never seen. `written`: as a text has it. */
  learn(word: string, written: string): number;
  /** The number of a word's stem, if any text has had it. */
  find(word: string): number | undefined;
  findStem(stem: string): number | undefined;
  /** A word as texts write it: "apnoea" for "apnea". */
  toWritten(word: string): string;
  /** The stems of all words that begin so; none for a beginning too short to mean one. */
  complete(start: string): number[];
  vocabulary: Vocabulary;
};

const START_LENGTH = 3;

function createLexicon(): Lexicon {
  const byWord = new Map<string, number>();
  const byStem = new Map<string, number>();
  const byStart = new Map<string, string[]>();
  const writtenForms = new Map<string, string>();
  const vocabulary = createVocabulary();
  for (const word of listSaid()) vocabulary.add(word);

  return {
    learn(word, written) {
      const known = byWord.get(word);
      if (known !== undefined) return known;
      const stem = toStem(word);
      const number = byStem.get(stem) ?? byStem.size;
      byStem.set(stem, number);
      byWord.set(word, number);
      const plain = written.toLowerCase();
      if (plain !== word) writtenForms.set(word, plain);
      const start = word.slice(0, START_LENGTH);
      const companions = byStart.get(start);
      if (companions) companions.push(word);
      else byStart.set(start, [word]);
      if (!isSaid(word)) vocabulary.add(word);
      return number;
    },

    find: (word) => byWord.get(word) ?? byStem.get(toStem(word)),

    findStem: (stem) => byStem.get(stem),

    toWritten: (word) => writtenForms.get(word) ?? word,

    complete(start) {
      if (start.length < START_LENGTH) return [];
      const words = (byStart.get(start.slice(0, START_LENGTH)) ?? []).filter((word) => word.startsWith(start));
      return [...new Set(words.map((word) => byWord.get(word) ?? -1))];
    },

    vocabulary,
  };
}
