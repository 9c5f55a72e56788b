import { setImmediate as nextTurn } from "node:timers/promises";

import type { Item } from "./item.ts";
import { createLexicon, type Lexicon } from "./lexicon.ts";
import { createMisspellings, type Misspellings } from "./misspellings.ts";
import { listWords } from "./search-words.ts";
import { stemOf } from "./stems.ts";
import { listBlocks } from "./transcript.ts";

/**
 * Which items have which words. Items are known by their place, newest first, and every list of places is in that order. We keep
 * our own lists of numbers: MiniSearch took 13 s and 128 MB for 10,000 items of 600 words, and has to begin anew at every change.
 */
export type SearchIndex = {
  items: Item[];
  /** Title and topics of each item. */
  heads: Head[];
  headWords: Map<string, number[]>;
  headStems: Map<number, number[]>;
  /** By the number of a stem: who has it anywhere. */
  texts: number[][];
  misspellings: Misspellings;
  lexicon: Lexicon;
  /** The stems of an item, so that the next index does not read it again. */
  stemsOfItem: WeakMap<Item, Uint32Array>;
};

/** As words and as stems, each between blanks; a stroke keeps a phrase from running out of the title into a topic. */
type Head = { words: string; stems: string };

/** How many characters are read before other work gets its turn: 5 to 10 ms. */
const BATCH_LENGTH = 80_000;
/** Items that were read before cost only their numbers. */
const KNOWN_ITEM_LENGTH = 500;

export function createEmptyIndex(): SearchIndex {
  const lexicon = createLexicon();
  return {
    items: [],
    heads: [],
    headWords: new Map(),
    headStems: new Map(),
    texts: [],
    misspellings: createMisspellings([]),
    lexicon,
    stemsOfItem: new WeakMap(),
  };
}

/** Builds the index of a snapshot in slices, with what a previous index has read. */
export async function buildSearchIndex(items: Item[], previous: SearchIndex): Promise<SearchIndex> {
  const { lexicon, stemsOfItem } = previous;
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id);
  const index: SearchIndex = { ...createEmptyIndex(), lexicon, stemsOfItem, items: newestFirst };
  let length = 0;
  for (const [place, item] of newestFirst.entries()) {
    length += KNOWN_ITEM_LENGTH + (stemsOfItem.has(item) ? 0 : lengthOf(item));
    if (length > BATCH_LENGTH) {
      await nextTurn();
      length = 0;
    }
    addItem(index, { place, item });
  }
  await nextTurn();
  return { ...index, misspellings: createMisspellings([...index.headWords.keys()]) };
}

function lengthOf({ text, transcriptHtml }: Item): number {
  return text.length + (transcriptHtml?.length ?? 0);
}

function addItem(index: SearchIndex, { place, item }: { place: number; item: Item }): void {
  const parts = [item.title, ...item.terms].map((part) => listWords(part).map(({ text }) => text));
  index.heads.push({ words: toHead(parts), stems: toHead(parts.map((words) => words.map(stemOf))) });
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

function findStems({ lexicon, stemsOfItem }: SearchIndex, item: Item): Uint32Array {
  const known = stemsOfItem.get(item);
  if (known) return known;
  const said = item.transcriptHtml ? listBlocks(item.transcriptHtml).map(({ text }) => text) : [];
  const found = new Set<number>();
  for (const text of [item.title, ...item.terms, item.text, ...said]) {
    for (const word of listWords(text)) found.add(lexicon.learn(word.text));
  }
  const stems = Uint32Array.from(found);
  stemsOfItem.set(item, stems);
  return stems;
}
