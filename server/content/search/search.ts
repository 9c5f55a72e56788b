import { lazy } from "../../platform/lazy.ts";
import { type PreparedCard, toSearchCard } from "../catalogue/cards.ts";
import { type ItemKind, mapSections, type Section, sectionNames } from "../catalogue/kinds.ts";
import { createNearNames, type NearNames } from "./near-names.ts";
import { itemPath } from "../catalogue/rules.ts";
import { createReader, makeExcerpt, pickTarget, toTarget } from "./search-excerpt.ts";
import { findFirstShare, type SearchIndex } from "./search-index.ts";
import { isUnknown, readQuery } from "./search-query.ts";
import { NOT_FOUND, rankItems, type Ranking, type Tier, tiers } from "./search-ranking.ts";
import { cleanTerm } from "./search-words.ts";
import { isEnglish, MISSPELT_LIMIT } from "./spelling.ts";

/** Finds items by a term, in titles, topics, texts and transcripts. */
export type Search = (query: SearchQuery) => SearchResults;

export type SearchQuery = {
  term: string;
  order: SearchOrder;
  /** As it was typed: nothing is put right. */
  isLiteral?: boolean;
};

/** Best first is by tier, then by score, and the newest first between equals; in the others what comes near is last, too. */
export type SearchOrder = "best" | "newest" | "oldest";

export type SearchResults = {
  /** The term that was searched for, as it was cut and cleaned. */
  term: string;
  /** The term with its misspelt words put right; `undefined` if none was. */
  corrected: string | undefined;
  /** How many of each section were found. */
  counts: Record<Section, number>;
  /** The section of the best hit, the first of the tabs between equals; `undefined` if nothing was found. */
  bestSection: Section | undefined;
  /** The hits of a section, in order, from one number to before another: a page makes no more than it shows. */
  list: (section: Section, from?: number, to?: number) => SearchHit[];
  /** Where next to nothing was found: what has names near the term, in any section and nothing of the above. */
  listPerhaps: () => SearchHit[];
  toResult: (hit: SearchHit) => SearchResult;
};

/** An item that was found; `place` is its number in the index. */
export type SearchHit = {
  kind: ItemKind;
  id: number;
  title: string;
  path: string;
  tier: Tier;
  score: number;
  place: number;
};

/** A card whose text comes in pieces; every second one matches the term. */
export type SearchResult = Omit<PreparedCard, "text"> & {
  excerpt: string[];
  /** The id of the transcript's paragraph that is quoted, when what was searched for is only said there. */
  anchor: string | undefined;
  /** When that is said in a film of our own, in seconds. */
  seconds: number | undefined;
  /** It has only some of what was searched for. */
  isNear: boolean;
  /** The path of its page, below the site's base path. */
  path: string;
};

export function createSearch(index: SearchIndex): Search {
  const nearNames = lazy(() => createNearNames(index.heads.map(({ words }) => words)));
  return ({ term, order, isLiteral = false }) => {
    const cleaned = cleanTerm(term);
    const query = readQuery(index, cleaned, { isLiteral });
    const targets = query.things.map(toTarget);
    const read = createReader(index.lexicon, targets);
    const ranking = rankItems(index, query);
    const found = findHits(index, ranking, order);
    const best = order === "best" ? found : findHits(index, ranking, "best");
    return {
      term: cleaned,
      corrected: query.corrected,
      counts: mapSections((section) => found[section].length),
      bestSection: findBestSection(best),
      list: (section, from = 0, to = Infinity) =>
        sortFirst(found[section], to)
          .slice(from)
          .map((key) => (order === "oldest" ? index.items.length - 1 - (key % PLACES) : key % PLACES))
          .flatMap((place) => toRankedHit(index, { place, ranking })),
      listPerhaps() {
        const count = sectionNames.reduce((sum, section) => sum + found[section].length, 0);
        if (count >= FEW || isLiteral) return [];
        return findPerhaps(index, { phrase: query.phrase, near: nearNames() })
          .filter((place) => ranking.ranks[place] === NOT_FOUND)
          .slice(0, MOST_PERHAPS)
          .flatMap((place) => toHit(index, { place, tier: "near", score: 0 }));
      },
      toResult({ place, tier }) {
        const item = index.items[place];
        if (!item) throw new Error("this hit is of another search");
        const { text, ...card } = toSearchCard(item);
        const sought = query.things.map((thing) => pickTarget(index, thing, place));
        const findShare = (stems: number[]) => findFirstShare(index, place, stems);
        const { pieces, anchor, seconds } = makeExcerpt(item, { opening: text, sought, targets, read, findShare });
        return {
          ...card,
          excerpt: pieces,
          anchor,
          seconds: item.video?.kind === "file" ? seconds : undefined,
          isNear: tier === "near",
          path: itemPath(item),
        };
      },
    };
  };
}

/** So little was found that near names are worth a look. */
const FEW = 3;
const MOST_PERHAPS = 6;

/**
 * The places of items with names near a term of which no text has some word: near the whole of it, then near each such word. A word that
 * all texts lack and English has is not misspelt: "baking" is not "waking".
 */
function findPerhaps(index: SearchIndex, { phrase, near }: { phrase: string[]; near: NearNames }): number[] {
  const unknown = [...new Set(phrase)].filter((word) => isUnknown(index, word));
  const isWholeNear = phrase.length > 1 && unknown.length > 0;
  const misspelt = unknown.filter((word) => !isEnglish(word));
  return [
    ...new Set([...(isWholeNear ? near(phrase.join(" ")) : []), ...misspelt.slice(0, MISSPELT_LIMIT).flatMap(near)]),
  ];
}

/** Keys of hits, the less the better, hold two numbers: merit, and the place by date, which decides between equals. */
const PLACES = 2 ** 20;
/** Scores are below 1,000, and a thousandth makes no difference. */
const SCORE_STEPS = 1000;
const MOST_SCORE = 1000 * SCORE_STEPS;

/** The keys of what was found of each section. The index is in the order of dates, newest first. */
function findHits(
  { sectionNumbers }: SearchIndex,
  { ranks, scores }: Ranking,
  order: SearchOrder,
): Record<Section, Float64Array> {
  const counts = sectionNames.map(() => 0);
  for (let place = 0; place < ranks.length; place += 1) {
    const section = sectionNumbers[place] ?? 0;
    if (ranks[place] !== NOT_FOUND) counts[section] = (counts[section] ?? 0) + 1;
  }
  const found = counts.map((count) => new Float64Array(count));
  const ends = counts.map(() => 0);
  for (let place = 0; place < ranks.length; place += 1) {
    const rank = ranks[place] ?? NOT_FOUND;
    if (rank === NOT_FOUND) continue;
    const score = Math.round((scores[place] ?? 0) * SCORE_STEPS);
    const merit = order === "best" ? (rank + 1) * MOST_SCORE - score : Number(tiers[rank] === "near");
    const age = order === "oldest" ? ranks.length - 1 - place : place;
    const section = sectionNumbers[place] ?? 0;
    const end = ends[section] ?? 0;
    (found[section] as Float64Array)[end] = merit * PLACES + age;
    ends[section] = end + 1;
  }
  return mapSections((section) => found[sectionNames.indexOf(section)] ?? new Float64Array());
}

/** The first so many in order. A common word is in thousands of items, and a page shows a few: these are picked out, not all sorted. */
function sortFirst(keys: Float64Array, count: number): number[] {
  if (count >= keys.length / 4) return Array.from(keys.toSorted()).slice(0, count);
  const first: number[] = [];
  let last = Infinity;
  for (const key of keys) {
    if (key >= last) continue;
    let at = first.length;
    while (at > 0 && (first[at - 1] ?? 0) > key) at -= 1;
    first.splice(at, 0, key);
    if (first.length > count) first.pop();
    if (first.length === count) last = first[count - 1] ?? Infinity;
  }
  return first;
}

/** The section of the best hit; of equals the first. */
function findBestSection(found: Record<Section, Float64Array>): Section | undefined {
  const merits = mapSections((section) => {
    let best = Infinity;
    for (const key of found[section]) if (key < best) best = key;
    return Math.floor(best / PLACES);
  });
  const [best] = sectionNames.filter((section) => found[section].length > 0).toSorted((a, b) => merits[a] - merits[b]);
  return best;
}

function toRankedHit(index: SearchIndex, { place, ranking }: { place: number; ranking: Ranking }): SearchHit[] {
  const tier = tiers[ranking.ranks[place] ?? NOT_FOUND];
  return tier ? toHit(index, { place, tier, score: ranking.scores[place] ?? 0 }) : [];
}

function toHit({ items }: SearchIndex, { place, ...rank }: Pick<SearchHit, "place" | "tier" | "score">): SearchHit[] {
  const item = items[place];
  return item ? [{ kind: item.kind, id: item.id, title: item.title, path: itemPath(item), place, ...rank }] : [];
}
