import { lazy } from "../../platform/lazy.ts";
import { type PreparedCard, toSearchCard } from "../items/cards.ts";
import { type ItemKind, mapSections, type Section, sectionNames } from "../items/kinds.ts";
import { isUnknown } from "./corrections.ts";
import { createNearNames, type NearNames } from "./near-names.ts";
import { itemPath } from "../items/item-facts.ts";
import { createReader, makeExcerpt, pickWordings, toTarget } from "./excerpt.ts";
import { findFirstShare, isInName, type SearchIndex } from "./search-index.ts";
import { explainQuery, type Explanation } from "./explanation.ts";
import { readQuery } from "./query.ts";
import { NOT_FOUND, rankItems, type Ranking, type Tier, tiers } from "./ranking.ts";
import { cleanTerm, listCapitals } from "./words.ts";
import { isCorrect } from "./spelling.ts";

/**
 * How a term becomes a page:
 *
 * 1. `query.ts` reads it as parts, each with its synonyms (`sayings.ts`, and what people say in `sayings/`). Before that
 *    `rewriting.ts` drops idioms and says times in words, and `corrections.ts` puts misspelt words right.
 * 2. `ranking.ts` gives each item a tier and a score, from the index of words (`search-index.ts`, `lexicon.ts`). Both sides
 *    are read by `words.ts` and `stems.ts`.
 * 3. This file counts, sorts and lists the hits of each section, and `excerpt.ts` quotes those of a page. Where there are
 *    few, `near-names.ts` finds titles and topics that nearly read so.
 *
 * While a term is typed, `topics.ts` (in the browser) and `suggestions.ts` complete it.
 */
export type Search = (query: SearchQuery) => SearchResults;

export type SearchQuery = {
  term: string;
  order: SearchOrder;
  /** As typed, without corrections. */
  isLiteral?: boolean;
};

/** Best is by tier, then by score, then the newest first. Near hits come last in the other orders too. */
export type SearchOrder = "best" | "newest" | "oldest";

export type SearchResults = {
  /** After cutting and cleaning. */
  term: string;
  /** With its misspelt words corrected; `undefined` if there were none. */
  corrected: string | undefined;
  /** Another reading that was searched for too; `undefined` if there is none. */
  also: string | undefined;
  /** Some of it is in another language than the library. */
  isForeign: boolean;
  counts: Record<Section, number>;
  /** Of the best hit, the first tab between equals; `undefined` without hits. */
  bestSection: Section | undefined;
  /** The first of a section in the best order. */
  findBest: (section: Section) => SearchHit | undefined;
  /** The hits of a section from one number to before another; only these are made. */
  list: (section: Section, from?: number, to?: number) => SearchHit[];
  /** Where little was found: items of any section that have what is known of the term, then those with near names. */
  listPerhaps: () => SearchHit[];
  toResult: (hit: SearchHit) => SearchResult;
  /** For operators: what the term was read as, and what the first hits of all sections have of it. */
  explain: () => Explanation;
};

export type SearchHit = {
  kind: ItemKind;
  id: number;
  title: string;
  path: string;
  tier: Tier;
  score: number;
  place: number;
};

/** `text` comes in pieces; every second one matches the term. */
export type SearchResult = Omit<PreparedCard, "text"> & {
  excerpt: string[];
  /** Of the quoted paragraph, where only the transcript has the term. */
  anchor?: string;
  /** When that is said in a film of our own. */
  seconds?: number;
  /** Below the site's base path. */
  path: string;
};

export function createSearch(index: SearchIndex): Search {
  const nearNames = lazy(() => createNearNames(index.names));
  return ({ term, order, isLiteral = false }) => {
    const cleaned = cleanTerm(term);
    const query = readQuery(index, cleaned, { isLiteral, names: listCapitals(term) });
    const targets = query.parts.map(({ wordings }) => toTarget(wordings));
    const reader = createReader(index.lexicon, targets);
    const ranking = rankItems(index, query);
    const { counts, bestSection, findBest } = countHits(index, ranking);
    return {
      term: cleaned,
      corrected: query.corrected,
      also: query.also,
      isForeign: query.parts.some(({ isForeign }) => isForeign),
      counts,
      bestSection,
      findBest,
      list: (section, from = 0, to = Infinity) =>
        sortFirst(listKeys(index, ranking, { section, order }), to)
          .slice(from)
          .map((key) => (order === "oldest" ? index.items.length - 1 - (key % PLACES) : key % PLACES))
          .flatMap((place) => toRankedHit(index, { place, ranking })),
      listPerhaps() {
        const count = sectionNames.reduce((sum, section) => sum + counts[section], 0);
        if (count >= FEW || isLiteral) return [];
        const near = findPerhaps(index, { phrase: query.phrase, near: nearNames() });
        return [...new Set([...ranking.listPartial(MOST_PERHAPS), ...near])]
          .filter((place) => ranking.ranks[place] === NOT_FOUND)
          .slice(0, MOST_PERHAPS)
          .flatMap((place) => toHit(index, { place, tier: "near", score: 0 }));
      },
      toResult({ place }) {
        const item = index.items[place];
        if (!item) throw new Error("this hit is of another search");
        const { card, opening } = toSearchCard(item);
        const parts = query.parts.map(({ wordings }) => pickWordings(index, wordings, place));
        const sought = parts
          .filter((wordings) => !wordings.some(({ words }) => isInName(index, place, words)))
          .map(toTarget);
        const findShare = (stems: number[]) => findFirstShare(index, place, stems);
        const { pieces, anchor, seconds } = makeExcerpt(item, { ...reader, opening, sought, findShare });
        return {
          ...card,
          excerpt: pieces,
          path: itemPath(item),
          ...(anchor !== undefined && { anchor }),
          ...(seconds !== undefined && item.video?.kind === "file" && { seconds }),
        };
      },
      explain() {
        const hits = sectionNames.flatMap((section) =>
          sortFirst(listKeys(index, ranking, { section, order: "best" }), MOST_EXPLAINED),
        );
        const places = hits.toSorted((a, b) => a - b).map((key) => key % PLACES);
        return explainQuery(index, { query, ranking, places: places.slice(0, MOST_EXPLAINED) });
      },
    };
  };
}

const MOST_EXPLAINED = 10;
/** With so few hits, near names are searched too. */
const FEW = 3;
const MOST_PERHAPS = 6;

/**
 * Items with names near a term that has a word which no text has: near the whole term, then near each such word that may
 * be misspelt: "baking" is not "waking".
 */
function findPerhaps(index: SearchIndex, { phrase, near }: { phrase: string[]; near: NearNames }): number[] {
  const unknown = [...new Set(phrase)].filter((word) => isUnknown(index, word));
  const isWholeNear = phrase.length > 1 && unknown.length > 0;
  const misspelt = unknown.filter((word) => !isCorrect(word));
  return [...new Set([...(isWholeNear ? near(phrase.join(" ")) : []), ...misspelt.flatMap(near)])];
}

/** Scores are below 1,000, and a thousandth makes no difference. */
const SCORE_STEPS = 1000;
const MOST_SCORE = 1000 * SCORE_STEPS;

/** The lower the better: by tier, then by score. */
function toMerit({ ranks, scores }: Ranking, place: number): number {
  return ((ranks[place] ?? NOT_FOUND) + 1) * MOST_SCORE - Math.round((scores[place] ?? 0) * SCORE_STEPS);
}

/** How many hits each section has, and its best one. */
function countHits(index: SearchIndex, ranking: Ranking): Pick<SearchResults, "counts" | "bestSection" | "findBest"> {
  const tallies = mapSections((section) => tallySection(index.sectionPlaces[section], ranking));
  const [bestSection] = sectionNames
    .filter((section) => tallies[section].count > 0)
    .toSorted((a, b) => tallies[a].merit - tallies[b].merit);
  return {
    counts: mapSections((section) => tallies[section].count),
    bestSection,
    findBest: (section) => toRankedHit(index, { place: tallies[section].best, ranking })[0],
  };
}

/** `best`: the place of the best hit, the newest between equals. */
function tallySection(places: Uint32Array, ranking: Ranking): { count: number; best: number; merit: number } {
  let [count, best, least] = [0, -1, Infinity];
  for (const place of places) {
    if (ranking.ranks[place] === NOT_FOUND) continue;
    count += 1;
    const merit = toMerit(ranking, place);
    if (merit >= least) continue;
    least = merit;
    best = place;
  }
  return { count, best, merit: least };
}

/** A sort key has the merit, and the place by date, which decides between equals. */
const PLACES = 2 ** 20;

/** Shared: one list is made before the next begins. */
let keys = new Float64Array();

/** The index is in the order of dates, newest first. */
function listKeys(
  { sectionPlaces }: SearchIndex,
  ranking: Ranking,
  { section, order }: { section: Section; order: SearchOrder },
): Float64Array {
  const { ranks } = ranking;
  if (keys.length < ranks.length) keys = new Float64Array(ranks.length);
  let count = 0;
  for (const place of sectionPlaces[section]) {
    if (ranks[place] === NOT_FOUND) continue;
    const merit = order === "best" ? toMerit(ranking, place) : Number(tiers[ranks[place] ?? NOT_FOUND] === "near");
    keys[count++] = merit * PLACES + (order === "oldest" ? ranks.length - 1 - place : place);
  }
  return keys.subarray(0, count);
}

/** A common word matches thousands of items, and a page shows a few: we select those and do not sort all. */
function sortFirst(all: Float64Array, count: number): number[] {
  if (count >= all.length / 4) return Array.from(all.toSorted()).slice(0, count);
  const first: number[] = [];
  let last = Infinity;
  for (let place = 0; place < all.length; place += 1) {
    const key = all[place] ?? 0;
    if (key >= last) continue;
    let at = first.length;
    while (at > 0 && (first[at - 1] ?? 0) > key) at -= 1;
    first.splice(at, 0, key);
    if (first.length > count) first.pop();
    if (first.length === count) last = first[count - 1] ?? Infinity;
  }
  return first;
}

function toRankedHit(index: SearchIndex, { place, ranking }: { place: number; ranking: Ranking }): SearchHit[] {
  const tier = tiers[ranking.ranks[place] ?? NOT_FOUND];
  return tier ? toHit(index, { place, tier, score: ranking.scores[place] ?? 0 }) : [];
}

function toHit({ items }: SearchIndex, { place, ...rank }: Pick<SearchHit, "place" | "tier" | "score">): SearchHit[] {
  const item = items[place];
  return item ? [{ kind: item.kind, id: item.id, title: item.title, path: itemPath(item), place, ...rank }] : [];
}
