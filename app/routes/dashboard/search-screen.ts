import type { Catalogue } from "../../../server/content/catalogue.ts";
import { type ItemKind, itemKinds, mapKinds } from "../../../server/content/kinds.ts";
import type { SearchOrder, SearchResult } from "../../../server/content/search.ts";
import { dayOf } from "../../../server/format.ts";
import type { SearchView } from "./view.ts";

/** What was found, as far as one page shows it. */
export type SearchScreen = {
  name: "search";
  term: string;
  kind: ItemKind;
  order: SearchOrder;
  counts: Record<ItemKind, number>;
  results: FoundItem[];
  page: number;
  pageCount: number;
  /** Where to look instead, when nothing was found. */
  nearest: string[];
};

/** A result with its date as a reader says it. */
export type FoundItem = SearchResult & { age: string };

const PAGE_SIZE = 24;
const DAY_IN_MS = 86_400_000;

/** Search opens on the type that was asked for, else on the first that has a hit (design, section 3). `undefined` past the last page. */
export function findSearchScreen(catalogue: Catalogue, view: SearchView, now: Date): SearchScreen | undefined {
  const { order, page } = view;
  const { byKind, toResult } = catalogue.search({ term: view.term, order });
  const kind = view.kind ?? itemKinds.find((candidate) => byKind[candidate].length > 0) ?? "watch";
  const counts = mapKinds((each) => byKind[each].length);
  const pageCount = Math.max(1, Math.ceil(counts[kind] / PAGE_SIZE));
  if (page > pageCount) return undefined;

  const hits = byKind[kind].slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const results = hits.map(toResult).map((result) => Object.assign(result, { age: ageOf(result.date, now) }));
  const isEmpty = itemKinds.every((each) => counts[each] === 0);
  const nearest = isEmpty ? catalogue.suggestInstead(view.term) : [];
  return { name: "search", term: view.term, kind, order, counts, results, page, pageCount, nearest };
}

/** "Today", "1 day ago" up to a week, then the date (spec, section 2). Both days are London's, so they are whole days apart. */
function ageOf(date: string, now: Date): string {
  const days = (Date.parse(dayOf(now)) - Date.parse(date)) / DAY_IN_MS;
  if (days === 0) return "Today";
  if (days > 0 && days <= 7) return days === 1 ? "1 day ago" : `${days} days ago`;
  return date;
}
