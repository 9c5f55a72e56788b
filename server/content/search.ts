import Fuse from "fuse.js";

import { toSearchCard, type Card } from "./cards.ts";
import { itemKinds, type Item, type ItemKind } from "./item.ts";

/** Finds items by a term, best first, at most `SEARCH_LIMIT` of each kind. */
export type Search = (term: string) => SearchResults;

export type SearchResults = Record<ItemKind, Card[]>;

/** A longer term costs time and finds nothing more (design, section 3). */
const SEARCH_TERM_MAX_LENGTH = 64;
const SEARCH_LIMIT = 24;

/** Fuzzy over title and topics; `ignoreLocation`, because a word late in a title counts as much (spec, section 5). */
export function createSearch(items: Item[]): Search {
  const fuse = new Fuse(items, {
    keys: ["title", "terms"],
    threshold: 0.3,
    ignoreLocation: true,
    ignoreDiacritics: true,
  });
  return (term) => {
    const found = fuse.search(term.slice(0, SEARCH_TERM_MAX_LENGTH)).map(({ item }) => item);
    const byKind = itemKinds.map((kind) => [
      kind,
      found
        .filter((item) => item.kind === kind)
        .slice(0, SEARCH_LIMIT)
        .map(toSearchCard),
    ]);
    return Object.fromEntries(byKind) as SearchResults;
  };
}
