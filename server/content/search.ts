import { type PreparedCard, toSearchCard } from "./cards.ts";
import { type ItemKind, mapSections, type Section, sectionNames } from "./kinds.ts";
import { createReader, makeExcerpt, toTarget } from "./search-excerpt.ts";
import type { SearchIndex, Sought, SoughtWord, Synonym } from "./search-index.ts";
import { cleanTerm, isStopWord, listWords } from "./search-words.ts";
import { findSaying } from "./synonyms.ts";

/** Finds items by a term, in titles, topics, texts and transcripts. */
export type Search = (query: { term: string; order: SearchOrder }) => SearchResults;

/** Best first is by tier, and the newest first within one; the others are by date alone. */
export type SearchOrder = "best" | "newest" | "oldest";

export type SearchResults = {
  /** The term that was searched for, as it was cut and cleaned. */
  term: string;
  /** How many of each section were found. */
  counts: Record<Section, number>;
  /** The hits of a section, in order, from one number to before another: a page makes no more than it shows. */
  list: (section: Section, from?: number, to?: number) => SearchHit[];
  toResult: (hit: SearchHit) => SearchResult;
};

/** An item that was found; `place` is its number in the index. */
export type SearchHit = { kind: ItemKind; id: number; tier: Tier; place: number };

/** A card whose text comes in pieces; every second one matches the term. */
export type SearchResult = Omit<PreparedCard, "text"> & {
  excerpt: string[];
  /** The id of the transcript's paragraph that is quoted, when what was searched for is only said there. */
  anchor: string | undefined;
};

export function createSearch(index: SearchIndex): Search {
  const read = createReader(index.lexicon);
  return ({ term, order }) => {
    const cleaned = cleanTerm(term);
    const query = readQuery(index, cleaned);
    const targets = query.sought.map(toTarget);
    const ranks = rankItems(index, query);
    return {
      term: cleaned,
      counts: countFound(index, ranks),
      list: (section, from = 0, to = Infinity) =>
        listPlaces(index, { ranks, order, section, from, to }).flatMap((place) => toHit(index, { place, ranks })),
      toResult({ place }) {
        const item = index.items[place];
        if (!item) throw new Error("this hit is of another search");
        const { text, ...card } = toSearchCard(item);
        const { pieces, anchor } = makeExcerpt(item, { opening: text, targets, read });
        return { ...card, excerpt: pieces, anchor };
      },
    };
  };
}

function countFound({ sectionNumbers }: SearchIndex, ranks: Uint8Array): Record<Section, number> {
  const counts = sectionNames.map(() => 0);
  for (let place = 0; place < ranks.length; place += 1) {
    const section = sectionNumbers[place] ?? 0;
    if (isFound(ranks[place])) counts[section] = (counts[section] ?? 0) + 1;
  }
  return mapSections((section) => counts[sectionNames.indexOf(section)] ?? 0);
}

function isFound(rank = NOT_FOUND): boolean {
  return rank < tiers.length;
}

type Wanted = { ranks: Uint8Array; order: SearchOrder; section: Section; from: number; to: number };

/** The places in the index of a part of a section's hits. A common word is in thousands of items, and a page shows a few. */
function listPlaces({ sectionNumbers }: SearchIndex, { ranks, order, section, from, to }: Wanted): number[] {
  const sectionNumber = sectionNames.indexOf(section);
  const last = ranks.length - 1;
  const places: number[] = [];
  let count = 0;
  // The index is in the order of dates, newest first: only the best come tier by tier.
  for (const tier of order === "best" ? tiers.keys() : [undefined]) {
    for (let step = 0; step <= last && count < to; step += 1) {
      const place = order === "oldest" ? last - step : step;
      const isHit = tier === undefined ? isFound(ranks[place]) : ranks[place] === tier;
      if (!isHit || sectionNumbers[place] !== sectionNumber) continue;
      if (count >= from) places.push(place);
      count += 1;
    }
  }
  return places;
}

function toHit({ items }: SearchIndex, { place, ranks }: { place: number; ranks: Uint8Array }): SearchHit[] {
  const item = items[place];
  const tier = tiers[ranks[place] ?? NOT_FOUND];
  return item && tier ? [{ kind: item.kind, id: item.id, tier, place }] : [];
}

/** The words of a term, each in all its forms. */
export type Query = {
  /** The whole term as words, stop words too. */
  phrase: string[];
  sought: Sought[];
};

/** Beyond this number, words that occur nowhere are not taken for misspellings. */
const MISSPELT_LIMIT = 4;

function readQuery(index: SearchIndex, term: string): Query {
  const phrase = listWords(term).map(({ text }) => text);
  const sought: Sought[] = [];
  let misspeltCount = 0;

  const readWord = (text: string, isLast: boolean): SoughtWord => {
    const stem = index.lexicon.find(text);
    const isMisspelt = !isInUse(index, stem) && ++misspeltCount <= MISSPELT_LIMIT;
    const completions = isLast ? index.lexicon.complete(text) : [];
    const meant = isMisspelt ? [...completions, ...findMeant(index, text)] : [];
    return { text, stem, meant, completions };
  };

  for (let start = 0; start < phrase.length;) {
    const saying = findSaying(phrase, start);
    const end = start + (saying?.length ?? 1);
    const isLast = end === phrase.length;
    const words = phrase.slice(start, end).filter((word) => !isStopWord(word));
    const read = words.map((word, place) => readWord(word, isLast && place === words.length - 1));
    if (read.length > 0) sought.push({ words: read, synonyms: findSynonyms(index, saying?.phrases ?? []) });
    start = end;
  }
  return { phrase, sought };
}

/** A word that occurs in some text is no misspelling: "light" does not mean "night". */
function isInUse({ texts }: SearchIndex, stem: number | undefined): boolean {
  return stem !== undefined && (texts[stem]?.length ?? 0) > 0;
}

function findMeant({ misspellings, lexicon }: SearchIndex, word: string): number[] {
  return misspellings
    .findMeant(word)
    .map((meant) => lexicon.find(meant))
    .filter((stem) => stem !== undefined);
}

function findSynonyms({ lexicon }: SearchIndex, phrases: string[]): Synonym[] {
  return phrases
    .map((phrase) => ({ phrase, stems: phrase.split(" ").map((stem) => lexicon.findStem(stem)) }))
    .filter((synonym): synonym is Synonym => synonym.stems.every((stem) => stem !== undefined));
}

/**
 * How an item came to be found, best first: the whole phrase in its title or a topic; all words there; other forms of them; other
 * words for them; words that are nearly them; and last, words anywhere in what it says.
 */
const tiers = ["phrase", "words", "stems", "synonyms", "misspellings", "text"] as const;
export type Tier = (typeof tiers)[number];

type Rank = 0 | 1 | 2 | 3 | 4 | 5;
const NOT_FOUND = 255;
/** A phrase of stop words alone is a phrase from here on: "what to do". */
const STOP_PHRASE_LENGTH = 3;

/** The rank of every item, by its place: an index into `tiers`, and past its end for what is not found. */
function rankItems(index: SearchIndex, query: Query): Uint8Array {
  const ranks = new Uint8Array(index.items.length).fill(query.sought.length > 0 ? 0 : NOT_FOUND);
  for (const sought of query.sought) {
    const reached = rankSought(index, sought);
    for (let place = 0; place < ranks.length; place += 1) {
      ranks[place] = Math.max(ranks[place] ?? NOT_FOUND, reached[place] ?? NOT_FOUND);
    }
  }
  const phrase = ` ${query.phrase.join(" ")} `;
  const isStopPhrase = query.sought.length === 0 && query.phrase.length >= STOP_PHRASE_LENGTH;
  for (let place = 0; place < ranks.length; place += 1) {
    if ((ranks[place] === 1 || isStopPhrase) && index.heads[place]?.words.includes(phrase)) ranks[place] = 0;
  }
  return ranks;
}

/** The best rank at which each item has one thing that is sought. */
function rankSought(index: SearchIndex, { words, synonyms }: Sought): Uint8Array {
  const { headWords, headStems, heads, texts } = index;
  const reached = new Uint8Array(index.items.length).fill(NOT_FOUND);
  const reach = (rank: Rank, places: readonly number[]) => {
    for (const place of places) if ((reached[place] ?? 0) > rank) reached[place] = rank;
  };
  const inHead = (stem: number) => headStems.get(stem) ?? [];
  const inText = (stem: number) => texts[stem] ?? [];

  reach(1, intersect(words.map(({ text }) => headWords.get(text) ?? [])));
  reach(2, intersect(words.map(({ stem }) => (stem === undefined ? [] : inHead(stem)))));
  for (const { phrase, stems } of synonyms) {
    reach(
      3,
      intersect(stems.map(inHead)).filter((place) => heads[place]?.stems.includes(` ${phrase} `)),
    );
  }
  if (words.some(({ meant }) => meant.length > 0)) {
    reach(4, intersect(words.map((word) => unite(listForms(word, word.meant).map(inHead)))));
  }
  reach(5, intersect(words.map((word) => unite(listForms(word, word.completions).map(inText)))));
  for (const { stems } of synonyms) if (stems[0] !== undefined && stems.length === 1) reach(5, inText(stems[0]));
  return reached;
}

function listForms({ stem }: SoughtWord, others: number[]): number[] {
  return stem === undefined ? others : [...new Set([stem, ...others])];
}

/** The numbers that all lists have. The lists are in ascending order, and so is the answer. */
function intersect(lists: number[][]): readonly number[] {
  const [shortest = [], ...others] = lists.toSorted((a, b) => a.length - b.length);
  return others.reduce((common, list) => {
    let next = 0;
    return common.filter((place) => {
      while ((list[next] ?? Infinity) < place) next += 1;
      return list[next] === place;
    });
  }, shortest);
}

function unite(lists: number[][]): number[] {
  if (lists.length <= 1) return lists[0] ?? [];
  return Array.from(new Set(lists.flat())).toSorted((a, b) => a - b);
}
