import { toSearchCard, type Card } from "./cards.ts";
import type { ItemKind } from "./item.ts";
import { rankItems, tiers, type Tier } from "./ranking.ts";
import { createFinder, makeExcerpt, type ExcerptPiece } from "./search-excerpt.ts";
import type { SearchIndex } from "./search-index.ts";
import { readQuery } from "./search-query.ts";
import { cleanTerm } from "./search-words.ts";

/** Finds items by a term, in titles, topics, texts and transcripts. */
export type Search = (query: { term: string; order: SearchOrder }) => SearchResults;

/** Best first is by tier, and the newest first within one; the others are by date alone. */
export type SearchOrder = "best" | "newest" | "oldest";

export type SearchResults = {
  /** The term that was searched for, as it was cut and cleaned. */
  term: string;
  /** Everything that was found, in order; cheap, so that a page makes cards of no more than it shows. */
  byKind: Record<ItemKind, SearchHit[]>;
  toResult: (hit: SearchHit) => SearchResult;
};

/** An item that was found; `place` is where it stands in the index that found it. */
export type SearchHit = { kind: ItemKind; id: number; tier: Tier; place: number };

/** A card whose text comes in pieces, those that were searched for marked. */
export type SearchResult = Omit<Card, "text"> & {
  excerpt: ExcerptPiece[];
  /** The id of the transcript's paragraph that is quoted, when what was searched for is only said there. */
  anchor: string | undefined;
};

export function createSearch(index: SearchIndex): Search {
  const finder = createFinder(index.lexicon);
  return ({ term, order }) => {
    const cleaned = cleanTerm(term);
    const query = readQuery(index, cleaned);
    return {
      term: cleaned,
      byKind: divide(orderHits(listHits(index, rankItems(index, query)), order)),
      toResult({ place }) {
        const item = index.items[place];
        if (!item) throw new Error("this hit is of another search");
        const { text, ...card } = toSearchCard(item);
        const { pieces, anchor } = makeExcerpt(item, { opening: text, sought: query.sought, finder });
        return { ...card, excerpt: pieces, anchor };
      },
    };
  };
}

/** Newest first, as the index is. */
function listHits({ items }: SearchIndex, ranks: Uint8Array): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const [place, { kind, id }] of items.entries()) {
    const tier = tiers[ranks[place] ?? tiers.length];
    if (tier) hits.push({ kind, id, tier, place });
  }
  return hits;
}

function orderHits(hits: SearchHit[], order: SearchOrder): SearchHit[] {
  if (order === "newest") return hits;
  if (order === "oldest") return hits.toReversed();
  return tiers.flatMap((tier) => hits.filter((hit) => hit.tier === tier));
}

function divide(hits: SearchHit[]): Record<ItemKind, SearchHit[]> {
  const byKind: Record<ItemKind, SearchHit[]> = { watch: [], read: [], learn: [] };
  for (const hit of hits) byKind[hit.kind].push(hit);
  return byKind;
}
