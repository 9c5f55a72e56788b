import type { Catalogue } from "../../../../server/content/catalogue/catalogue.ts";
import { itemKey, type Section } from "../../../../server/content/items/kinds.ts";
import { cutTerm, dayText } from "../../../../server/content/items/item-facts.ts";
import type { SearchHit, SearchResult, SearchResults } from "../../../../server/content/search/search.ts";
import type { HelpLine } from "../../../../server/content/urgent-help/matcher.ts";
import { toDay } from "../../../../server/platform/format.ts";
import type { ShownGuide } from "./search-guide.ts";
import type { BestHit } from "./search-notes.tsx";
import type { SearchView } from "./view.ts";
import { countPages } from "../../../../server/platform/count.ts";

/** One page of results. */
export type SearchScreen = SearchView & {
  /** The part of the term that was searched for. */
  searched: string;
  section: Section;
  filters: Section[];
  counts: Record<Section, number>;
  results: FoundItem[];
  pageCount: number;
  /** With its misspelt words corrected; the results are for this. */
  corrected: string | undefined;
  /** Another reading that was searched for too. */
  also: string | undefined;
  /** Some of it was not in English. */
  isForeign: boolean;
  /** Of other sections with all of the words. */
  others: BestHit[];
  /**
   * `from`: the page's first result with only some of the words; `isAll`: the section has some with all. `undefined` if
   * the page has none.
   */
  near: { from: number; isAll: boolean } | undefined;
  /** Items of any section with near names, where next to nothing has all words. */
  perhaps: FoundItem[];
  /** Topics to try when nothing was found. */
  nearest: string[];
  /** A line with a number: before the results where help replaced them at first, else below. */
  quiet?: { line: HelpLine; isFirst: boolean } | undefined;
  /** Above a search for a landing topic. */
  guide?: ShownGuide | undefined;
};

/** With its date in words. Without a picture where the guide above shows the same one. */
export type FoundItem = Omit<SearchResult, "picture"> & { age: string; picture?: SearchResult["picture"] | undefined };

const PAGE_SIZE = 24;
const DAY_IN_MS = 86_400_000;

/**
 * Opens the requested section, else that of the best hit (docs/behaviour.md, Search). `undefined` past the last page.
 */
export function findSearch(catalogue: Catalogue, view: SearchView, now: Date): SearchScreen | undefined {
  const { order, page, isLiteral } = view;
  const term = cutTerm(view.term);
  const found = catalogue.search({ term, order, isLiteral });
  const { counts, list, toResult, corrected, also, isForeign } = found;
  const filters = catalogue.listSections();
  const section = filters.find((each) => each === view.section) ?? found.bestSection ?? "watch";
  const pageCount = countPages(counts[section], PAGE_SIZE);
  if (page > pageCount) return undefined;

  const hits = list(section, (page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const today = toDay(now);
  const toFound = (shown: SearchHit[]): FoundItem[] => {
    const made = shown.map(toResult).map((result) => Object.assign(result, { age: ageText(result.date, today) }));
    return made.map(catalogue.separateScenes(made));
  };
  const results = toFound(hits);
  const perhaps = page === 1 ? toFound(found.listPerhaps()) : [];
  const isEmpty = filters.every((each) => counts[each] === 0);
  const nearest = isEmpty && perhaps.length === 0 ? catalogue.suggestInstead(term) : [];
  const from = hits.findIndex(({ tier }) => tier === "near");
  const near = from === -1 ? undefined : { from, isAll: from === 0 && page === 1 };
  const others = order === "best" && page === 1 ? findOthers(found, filters, section) : [];
  return {
    ...view,
    searched: term === view.term ? term : `${term}…`,
    section,
    filters,
    counts,
    results,
    pageCount,
    perhaps,
    nearest,
    corrected,
    also,
    isForeign,
    others,
    near,
  };
}

/** Not of the open one, and only with all of the words. */
function findOthers({ findBest }: SearchResults, filters: Section[], open: Section): BestHit[] {
  return filters.flatMap((section) => {
    const hit = section === open ? undefined : findBest(section);
    return hit && hit.tier !== "near" ? [{ key: itemKey(hit), section, title: hit.title, path: hit.path }] : [];
  });
}

/**
 * "Today", "1 day ago" up to a week, then the date (docs/behaviour.md, Search). Both days are London's, so they are
 * whole days apart.
 */
function ageText(date: string, today: string): string {
  const days = (Date.parse(today) - Date.parse(date)) / DAY_IN_MS;
  if (days === 0) return "Today";
  if (days > 0 && days <= 7) return days === 1 ? "1 day ago" : `${days} days ago`;
  return dayText(date, today);
}

/** No picture is twice on the screen, and no item of the guide is named as the best of another section. */
export function putAbove(found: SearchScreen, guide: ShownGuide): SearchScreen {
  const pictured = new Set([guide.first, ...guide.sounds].map((each) => each?.key));
  const shown = new Set([...pictured, ...guide.others.map(({ key }) => key)]);
  return {
    ...found,
    guide,
    results: found.results.map((each) => (pictured.has(itemKey(each)) ? { ...each, picture: undefined } : each)),
    others: found.others.filter(({ key }) => !shown.has(key)),
  };
}
