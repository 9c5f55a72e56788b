import {
  findPosting,
  IN_NAME,
  IN_HEADING,
  IN_TITLE,
  IN_TOPIC,
  listPostings,
  type SearchIndex,
  toPlace,
  toTimes,
} from "./search-index.ts";
import type { Part, Query, Role, Wording } from "./query.ts";

/** Ranks by tier, and within a tier by BM25 (Robertson and Zaragoza, 2009); a part of the term counts once however it is said. */

/** The whole phrase in title or topic; all parts, of several at least one there; some of them. */
export const tiers = ["phrase", "all", "near"] as const;
export type Tier = (typeof tiers)[number];
export const NOT_FOUND = 255;

export type Ranking = {
  /** By item: an index into `tiers`, or `NOT_FOUND`. */
  ranks: Uint8Array;
  scores: Float32Array;
  /** Not found, but with a known part of the question; the best first. */
  listPartial: (most: number) => number[];
};

/** The weight of a word in title, topic or heading, against one in the text. */
const TITLE = 4;
const TOPIC = 3;
const HEADING = 1.5;
/**
 * BM25's constants: how soon repetition stops counting (later than usual, since a title counts for many times), and how
 * much long texts are discounted.
 */
const SATURATION = 2;
const LENGTH_SHARE = 0.75;
/** How much of a part's rarity counts. */
const shares: Record<Role, number> = { subject: 1, complaint: 0.35, detail: 0.5 };
/** A near item needs the first share of the total weight, or the second within title or topic. */
const NEAR_SHARE = 0.45;
const NEAR_NAME_SHARE = 0.1;
/** A word of so many items is in every text, and shows nothing. */
const COMMON_SHARE = 0.3;
/** From so many words on, stop words alone are a phrase: "what to do". */
const STOP_PHRASE_LENGTH = 3;

function isNeeded({ role }: Part): boolean {
  return role !== "complaint";
}

type Sums = {
  scores: Float32Array;
  /** The weight of the parts that it has, and of those in title or topic. */
  weights: Float32Array;
  weightsInName: Float32Array;
  /** The number of the parts that it has, and of those in title or topic. */
  counts: Uint8Array;
  countsInName: Uint8Array;
  /** Has something that few items have: in title or topic, or anywhere if it has synonyms. */
  hasRare: Uint8Array;
  sought: number;
};

export function rankItems(index: SearchIndex, query: Query): Ranking {
  const number = query.parts.filter(isNeeded).length;
  // One word of several, the others idle, may be incidental: "how much does it cost per month".
  const isAlone =
    number === 1 && (query.phrase.length === 1 || query.parts.some(({ synonyms }) => synonyms.length > 0));
  const { scores, weights, weightsInName, counts, countsInName, hasRare, sought } = sumParts(index, query.parts);
  const ranks = new Uint8Array(scores.length).fill(NOT_FOUND);
  if (number === 0 && query.phrase.length < STOP_PHRASE_LENGTH) return { ranks, scores, listPartial: () => [] };
  const [least, leastInName] = [NEAR_SHARE * sought, NEAR_NAME_SHARE * sought];
  for (let place = 0; place < ranks.length; place += 1) {
    const found = counts[place] ?? 0;
    if (found === 0) continue;
    // A long transcript has nearly every word somewhere.
    const isAbout = isAlone || (countsInName[place] ?? 0) > 0;
    if (found === number && isAbout) ranks[place] = 1;
    else if ((weights[place] ?? 0) >= least || (weightsInName[place] ?? 0) >= leastInName) ranks[place] = 2;
  }
  for (const place of listPlacesOfPhrase(index, query.phrase)) ranks[place] = 0;
  return { ranks, scores, listPartial: (most) => listPartial({ ranks, scores, hasRare }, most) };
}

function listPartial(
  { ranks, scores, hasRare }: Pick<Ranking, "ranks" | "scores"> & { hasRare: Uint8Array },
  most: number,
): number[] {
  const places = [...ranks.keys()].filter((place) => ranks[place] === NOT_FOUND && hasRare[place] === 1);
  return places.toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, most);
}

/** The items with these words in this order in title or topic; starts from the rarest word. */
function listPlacesOfPhrase({ names, namePlaces }: SearchIndex, words: string[]): number[] {
  const found = words.map((word) => namePlaces.get(word) ?? []);
  const [rarest = []] = found.toSorted((a, b) => a.length - b.length);
  if (words.length < 2) return rarest;
  const phrase = ` ${words.join(" ")} `;
  return rarest.filter((place) => names[place]?.includes(phrase));
}

function sumParts(index: SearchIndex, parts: Part[]): Sums {
  const { length } = index.items;
  const scores = new Float32Array(length);
  const { weights, weightsInName, counts, countsInName, measure } = beginWork(length);
  const hasRare = new Uint8Array(length);
  let sought = 0;
  let unknown = 0;
  for (const part of parts) {
    const { wordings, role } = part;
    measurePart(index, wordings, measure);
    const { amounts, isInName, places } = measure;
    const uses = countItems(wordings, measure);
    // A rarer part weighs more (inverse document frequency); one that no item has weighs most.
    const share = uses === 0 ? 1 : shares[role];
    const weight = share * Math.log(1 + (length - uses + 0.5) / (uses + 0.5));
    // Several parts that no item has weigh as much as one.
    if (uses === 0) unknown = weight;
    else sought += weight;
    const isCounted = isNeeded(part);
    const isRare = uses < COMMON_SHARE * length;
    for (let at = 0; at < measure.count; at += 1) {
      const place = places[at] ?? 0;
      const amount = amounts[place] ?? 0;
      const strength = (amount * (SATURATION + 1)) / (amount + SATURATION);
      add(scores, place, weight * strength);
      add(weights, place, weight);
      if (isCounted) count(counts, place);
      if (isRare && wordings.length > 1) hasRare[place] = 1;
      if (isInName[place] === 0) continue;
      add(weightsInName, place, weight);
      if (isCounted) count(countsInName, place);
      if (isRare) hasRare[place] = 1;
    }
  }
  return { scores, weights, weightsInName, counts, countsInName, hasRare, sought: sought + unknown };
}

/** Searches share it, except for their scores: one ends before the next begins. */
let work = createWork(0);

function createWork(length: number) {
  return {
    weights: new Float32Array(length),
    weightsInName: new Float32Array(length),
    counts: new Uint8Array(length),
    countsInName: new Uint8Array(length),
    measure: {
      amounts: new Float32Array(length),
      isInName: new Uint8Array(length),
      places: new Uint32Array(length),
      count: 0,
    },
  };
}

/** Clears the working memory. Allocating it would be a fifth of a search's time. */
function beginWork(length: number): typeof work {
  if (work.counts.length !== length) return (work = createWork(length));
  const { weights, weightsInName, counts, countsInName } = work;
  for (const sums of [weights, weightsInName, counts, countsInName]) sums.fill(0);
  return work;
}

/** How many items have a part. Where most texts have the words of a saying, titles and topics show what it is about. */
function countItems(wordings: Wording[], { isInName, count: uses }: Measure): number {
  const isSaidEverywhere = wordings.length > 1 && uses > COMMON_SHARE * isInName.length;
  const usesInName = isSaidEverywhere ? isInName.reduce((sum, each) => sum + each, 0) : 0;
  return usesInName > 0 ? usesInName : uses;
}

// Two functions, each for one kind of array: one for both is slower for each.
function add(sums: Float32Array, place: number, amount: number): void {
  sums[place] = (sums[place] ?? 0) + amount;
}

function count(counts: Uint8Array, place: number): void {
  counts[place] = (counts[place] ?? 0) + 1;
}

/** By item: the amount of a part, and whether title or topic has it. The first `count` of `places` have some of it. */
type Measure = { amounts: Float32Array; isInName: Uint8Array; places: Uint32Array; count: number };

/** Writes into `measure` how much each item has of a part, in all its wordings. */
function measurePart(index: SearchIndex, wordings: Wording[], measure: Measure): void {
  measure.amounts.fill(0);
  measure.isInName.fill(0);
  measure.count = 0;
  for (const wording of wordings) {
    const [first = [], ...others] = wording.words;
    if (others.length > 0) addWords(index, wording, measure);
    else for (const stem of first) addWord(index, { stem, weight: wording.weight }, measure);
  }
}

/** `amount` is more than nothing. */
function addAmount(measure: Measure, place: number, amount: number): void {
  if (measure.amounts[place] === 0) measure.places[measure.count++] = place;
  add(measure.amounts, place, amount);
}

/** An item has as much of several words as of the one that it has least of. Each is one stem. */
function addWords(index: SearchIndex, wording: Wording, measure: Measure): void {
  const lists = wording.words.map(([stem = NO_STEM]) => listPostings(index, stem));
  const [rarest = [], ...others] = lists.toSorted((a, b) => a.length - b.length);
  for (const posting of rarest) {
    const place = toPlace(posting);
    let least = toAmount(index, posting);
    let isNamed = (posting & IN_NAME) > 0;
    for (const list of others) {
      const other = findPosting(list, place) ?? 0;
      least = Math.min(least, toAmount(index, other));
      isNamed &&= (other & IN_NAME) > 0;
    }
    if (least === 0 || (wording.isOnlyInNames && !isNamed)) continue;
    addAmount(measure, place, wording.weight * least);
    if (isNamed) measure.isInName[place] = 1;
  }
}

/** No text has it. */
const NO_STEM = Infinity;

function addWord(index: SearchIndex, { stem, weight }: { stem: number; weight: number }, measure: Measure): void {
  const list = listPostings(index, stem);
  for (let at = 0; at < list.length; at += 1) {
    const posting = list[at] ?? 0;
    const place = toPlace(posting);
    addAmount(measure, place, weight * toAmount(index, posting));
    if (posting & IN_NAME) measure.isInName[place] = 1;
  }
}

/** How much an item has of a word: the times in its text, and what title, topic and heading are worth. */
function toAmount({ lengths }: SearchIndex, posting: number): number {
  const written = toTimes(posting) / (1 - LENGTH_SHARE + LENGTH_SHARE * (lengths[toPlace(posting)] ?? 1));
  return written + (posting & IN_TITLE && TITLE) + (posting & IN_TOPIC && TOPIC) + (posting & IN_HEADING && HEADING);
}
