import { lazy } from "../../platform/lazy.ts";
import { createNearNames } from "./near-names.ts";
import type { Search, SearchResults } from "./search.ts";
import { tiers } from "./ranking.ts";
import { toStem } from "./stems.ts";
import { cleanTerm, isStopWord, listWords } from "./words.ts";
import { sectionNames } from "../items/kinds.ts";
import { completeTopics, frequentTopics, topics } from "./topics.ts";
import type { Sayings } from "./sayings.ts";

/** A topic to search for, or an item by its path below the base path. */
export type Suggestion = { label: string; path?: string };

const MOST_TOPICS = 8;
const MOST_TITLES = 5;
/** Titles without the typed words mean little by themselves: a few are enough. */
const MOST_OTHER_TITLES = 3;
/** Titles with the words are among the best hits of a section; reading thousands would delay every other request. */
const LOOKED_AT = 50;

/**
 * Suggestions for a typed text: topics that continue it, else synonyms or near ones; then titles with each word, the
 * last one perhaps incomplete, else near titles, else the best titles of the search.
 */
export function suggest({ search, sayings }: Sought, typed: string): Suggestion[] {
  const results = search({ term: typed, order: "best" });
  const words = toWords(results.corrected ?? typed);
  if (words.length === 0) return [];
  const labels = listTopics(sayings, typed, results.corrected).slice(0, MOST_TOPICS);
  const hits = sectionNames
    .flatMap((section) => results.list(section, 0, LOOKED_AT))
    .toSorted((a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || b.score - a.score);
  const titles = listTitles(results, { hits, words });
  const items = titles.length + labels.length > 0 ? titles : hits.slice(0, MOST_OTHER_TITLES);
  return [...labels.map((label) => ({ label })), ...items.map(({ title, path }) => ({ label: title, path }))];
}

type Sought = { search: Search; sayings: Sayings };

type Hits = ReturnType<SearchResults["list"]>;

function listTitles({ listPerhaps }: SearchResults, { hits, words }: { hits: Hits; words: string[] }): Hits {
  const begun = hits.filter(({ title }) => mayBecome(words, title));
  return begun.length > 0 ? begun.slice(0, MOST_TITLES) : listPerhaps().slice(0, MOST_OTHER_TITLES);
}

function mayBecome(typed: string[], title: string): boolean {
  const words = toWords(title);
  return typed.every((each) => words.some((word) => word.startsWith(each) || toStem(word) === toStem(each)));
}

function listTopics(sayings: Sayings, typed: string, corrected = typed): string[] {
  const completed = unique([...completeTopics(typed), ...completeTopics(corrected)]);
  if (completed.length > 0) return completed;
  return unique([...listMeant(sayings, toWords(corrected)), ...listNear(corrected), ...listNear(typed)]);
}

const LEAST_INSTEAD = 3;
const MOST_INSTEAD = 6;
/** A shorter word says little. */
const TELLING_LENGTH = 4;

/** Three to six topics for a term that found nothing: the nearest, filled up with frequent ones. */
export function suggestInstead({ sayings }: Pick<Sought, "sayings">, term: string): string[] {
  const words = toWords(term);
  const telling = words.filter((word) => word.length >= TELLING_LENGTH && !isStopWord(word));
  const near = [term, ...telling].flatMap((each) => completeTopics(each).concat(listNear(each)));
  const found = unique([...near, ...listMeant(sayings, words)]);
  const count = Math.min(MOST_INSTEAD, Math.max(LEAST_INSTEAD, found.length));
  return unique([...found, ...frequentTopics]).slice(0, count);
}

/** Topics that mean the same: "kids" are Children. */
function listMeant(sayings: Sayings, words: string[]): string[] {
  const phrases = new Set(words.flatMap((_, start) => sayings.find(words, start)?.phrases ?? []));
  return topics.filter((topic) => phrases.has(toWords(topic).map(toStem).join(" ")));
}

/** With so few names a short word may have a mistake: "cofe" is Coffee. */
const FUZZY_FROM = 4;

const nearTopics = lazy(() =>
  createNearNames(
    topics.map((topic) => ` ${toWords(topic).join(" ")} `),
    FUZZY_FROM,
  ),
);

function listNear(typed: string): string[] {
  const places = nearTopics()(toWords(typed).join(" "));
  return places.flatMap((place) => topics[place] ?? []);
}

function toWords(text: string): string[] {
  return listWords(cleanTerm(text)).map((word) => word.text);
}

function unique(labels: string[]): string[] {
  return [...new Set(labels)];
}
