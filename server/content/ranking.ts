import type { Query, Sought, SoughtWord } from "./search-query.ts";
import type { SearchIndex } from "./search-index.ts";

/**
 * How an item came to be found, best first: the whole phrase in its title or a topic; all words there; other forms of them; other
 * words for them; words that are nearly them; and last, words anywhere in what it says.
 */
export const tiers = ["phrase", "words", "stems", "synonyms", "misspellings", "text"] as const;
export type Tier = (typeof tiers)[number];

type Rank = 0 | 1 | 2 | 3 | 4 | 5;
const NOT_FOUND = 255;
/** A phrase of stop words alone is a phrase from here on: "what to do". */
const STOP_PHRASE_LENGTH = 3;

/** The rank of every item, by its place: an index into `tiers`, and past its end for what is not found. */
export function rankItems(index: SearchIndex, query: Query): Uint8Array {
  const ranks = new Uint8Array(index.items.length).fill(query.sought.length > 0 ? 0 : NOT_FOUND);
  for (const sought of query.sought) {
    const reached = rankSought(index, sought);
    for (let place = 0; place < ranks.length; place += 1) {
      ranks[place] = Math.max(ranks[place] ?? NOT_FOUND, reached[place] ?? NOT_FOUND);
    }
  }
  const phrase = ` ${query.phrase.join(" ")} `;
  const isStopPhrase = query.sought.length === 0 && query.phrase.length >= STOP_PHRASE_LENGTH;
  for (const [place, { words }] of index.heads.entries()) {
    if ((ranks[place] === 1 || isStopPhrase) && words.includes(phrase)) ranks[place] = 0;
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
    reach(4, intersect(words.map((word) => unite(formsOf(word, word.meant).map(inHead)))));
  }
  reach(5, intersect(words.map((word) => unite(formsOf(word, word.completions).map(inText)))));
  for (const { stems } of synonyms) if (stems[0] !== undefined && stems.length === 1) reach(5, inText(stems[0]));
  return reached;
}

function formsOf({ stem }: SoughtWord, others: number[]): number[] {
  return stem === undefined ? others : [...new Set([stem, ...others])];
}

/** What all lists have; they are in ascending order, and so is the answer. */
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
