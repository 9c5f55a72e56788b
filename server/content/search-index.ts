import { setImmediate as nextTurn } from "node:timers/promises";
import Fuse from "fuse.js";

import { type Item, listBlocks } from "./item.ts";
import { sectionNames } from "./kinds.ts";
import { findSection } from "./rules.ts";
import { listWords, toStem } from "./search-words.ts";

/**
 * Which items have which words. Items are known by their place, newest first, and every list of places is in that order. Why we
 * keep lists of numbers of our own: `docs/decisions/0006-a-search-index-of-our-own.md`.
 */
export type SearchIndex = {
  items: Item[];
  /** The section of each item, as its place in `sectionNames`. */
  sectionNumbers: Uint8Array;
  /** Title and topics of each item. */
  heads: Head[];
  headWords: Map<string, number[]>;
  headStems: Map<number, number[]>;
  /** By the number of a stem: the items that have it anywhere. */
  texts: number[][];
  misspellings: Misspellings;
  lexicon: Lexicon;
  /** The stems of an item, so that the next index does not read it again. */
  knownStems: WeakMap<Item, Uint32Array>;
};

/** As words and as stems, each between blanks; a stroke keeps a phrase from running out of the title into a topic. */
type Head = { words: string; stems: string };

/** A word that carries meaning, or a saying of several, and the other ways to say it. */
export type Sought = { words: SoughtWord[]; synonyms: Synonym[] };

/** Stems by their numbers in the lexicon. */
export type SoughtWord = {
  text: string;
  stem: number | undefined;
  /** The words that a word that occurs nowhere may have meant. */
  meant: number[];
  /** The words that begin with the last word of a term. */
  completions: number[];
};

export type Synonym = { phrase: string; stems: number[] };

/** How many characters are read before other work gets its turn: 5 to 10 ms. */
const BATCH_LENGTH = 80_000;
/** Items that were read before cost only their numbers. */
const KNOWN_ITEM_LENGTH = 500;

export function createEmptyIndex(): SearchIndex {
  const lexicon = createLexicon();
  return {
    items: [],
    sectionNumbers: new Uint8Array(),
    heads: [],
    headWords: new Map(),
    headStems: new Map(),
    texts: [],
    misspellings: createMisspellings([]),
    lexicon,
    knownStems: new WeakMap(),
  };
}

/** Builds the index of a snapshot in slices, with what a previous index has read. */
export async function buildSearchIndex(items: Item[], previous: SearchIndex): Promise<SearchIndex> {
  const { lexicon, knownStems } = previous;
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id);
  const sectionNumbers = Uint8Array.from(newestFirst, (item) => sectionNames.indexOf(findSection(item)));
  const index: SearchIndex = { ...createEmptyIndex(), lexicon, knownStems, items: newestFirst, sectionNumbers };
  let length = 0;
  for (const [place, item] of newestFirst.entries()) {
    length += KNOWN_ITEM_LENGTH + (knownStems.has(item) ? 0 : measureLength(item));
    if (length > BATCH_LENGTH) {
      await nextTurn();
      length = 0;
    }
    addItem(index, { place, item });
  }
  await nextTurn();
  return { ...index, misspellings: createMisspellings([...index.headWords.keys()]) };
}

function measureLength({ text, transcriptHtml }: Item): number {
  return text.length + (transcriptHtml?.length ?? 0);
}

function addItem(index: SearchIndex, { place, item }: { place: number; item: Item }): void {
  const parts = [item.title, ...item.terms].map((part) => listWords(part).map(({ text }) => text));
  index.heads.push({ words: toHead(parts), stems: toHead(parts.map((words) => words.map(toStem))) });
  for (const word of parts.flat()) {
    addPlace(index.headWords, word, place);
    addPlace(index.headStems, index.lexicon.learn(word), place);
  }
  for (const stem of findStems(index, item)) (index.texts[stem] ??= []).push(place);
}

function toHead(parts: string[][]): string {
  return ` ${parts.map((words) => words.join(" ")).join(" | ")} `;
}

function addPlace<Key>(places: Map<Key, number[]>, key: Key, place: number): void {
  const list = places.get(key);
  if (!list) places.set(key, [place]);
  else if (list.at(-1) !== place) list.push(place);
}

function findStems({ lexicon, knownStems }: SearchIndex, item: Item): Uint32Array {
  const known = knownStems.get(item);
  if (known) return known;
  const spoken = item.transcriptHtml ? listBlocks(item.transcriptHtml).map(({ text }) => text) : [];
  const found = new Set<number>();
  for (const text of [item.title, ...item.terms, item.text, ...spoken]) {
    for (const word of listWords(text)) found.add(lexicon.learn(word.text));
  }
  const stems = Uint32Array.from(found);
  knownStems.set(item, stems);
  return stems;
}

/**
 * Every word that texts have, numbered by its stem, so that an index keeps numbers and not words. It outlives a refresh of the
 * catalogue: what was read once is not read again, and a word of an item that was withdrawn is a few bytes until the next start.
 */
export type Lexicon = {
  /** The number of a word's stem; a new one for a stem that was never seen. */
  learn(word: string): number;
  /** The number of a word's stem, if any text has had it. */
  find(word: string): number | undefined;
  findStem(stem: string): number | undefined;
  /** The stems of all words that begin so; none for a beginning too short to mean one. */
  complete(start: string): number[];
};

const START_LENGTH = 3;

function createLexicon(): Lexicon {
  const byWord = new Map<string, number>();
  const byStem = new Map<string, number>();
  const byStart = new Map<string, string[]>();

  return {
    learn(word) {
      const known = byWord.get(word);
      if (known !== undefined) return known;
      const stem = toStem(word);
      const number = byStem.get(stem) ?? byStem.size;
      byStem.set(stem, number);
      byWord.set(word, number);
      const start = word.slice(0, START_LENGTH);
      const companions = byStart.get(start);
      if (companions) companions.push(word);
      else byStart.set(start, [word]);
      return number;
    },

    find: (word) => byWord.get(word) ?? byStem.get(toStem(word)),

    findStem: (stem) => byStem.get(stem),

    complete(start) {
      if (start.length < START_LENGTH) return [];
      const words = (byStart.get(start.slice(0, START_LENGTH)) ?? []).filter((word) => word.startsWith(start));
      return [...new Set(words.map((word) => byWord.get(word) ?? -1))];
    },
  };
}

/**
 * Finds what a misspelt word may have meant among the words of titles and topics. Fuse's cost grows with the texts it looks
 * at, so it looks at those words once each and by their length, never at the items.
 */
export type Misspellings = { findMeant(word: string): string[] };

/** docs/behaviour.md, Search: of ten letters three may be wrong. */
const THRESHOLD = 0.3;
const SHORTEST = 4;
/** "breth" is meant for "breathing" as much as for "breath". */
const ENDING_LENGTH = 3;

function createMisspellings(words: string[]): Misspellings {
  const known = new Set(words);
  const byLength = Map.groupBy(known, ({ length }) => length);
  const fuses = new Map<number, Fuse<string>>();

  function getFuse(length: number): Fuse<string> {
    const fuse =
      fuses.get(length) ??
      new Fuse(byLength.get(length) ?? [], { threshold: THRESHOLD, ignoreLocation: true, ignoreDiacritics: true });
    fuses.set(length, fuse);
    return fuse;
  }

  return {
    findMeant(word) {
      if (word.length < SHORTEST) return [];
      const swapped = listSwaps(word).filter((each) => known.has(each));
      if (swapped.length > 0) return swapped;
      const errors = Math.floor(word.length * THRESHOLD);
      const count = 2 * errors + 1 + ENDING_LENGTH;
      const lengths = Array.from({ length: count }, (_, index) => word.length - errors + index);
      return lengths
        .flatMap((length) => getFuse(length).search(word))
        .map(({ item }) => item)
        .filter((item) => item.length >= SHORTEST);
    },
  };
}

/** The word with two neighbouring letters the other way round, which Fuse counts as two mistakes. */
function listSwaps(word: string): string[] {
  return Array.from(
    { length: word.length - 1 },
    (_, index) => word.slice(0, index) + word[index + 1] + word[index] + word.slice(index + 2),
  );
}
