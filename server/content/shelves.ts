import { toFeaturedCard, toListCard, toNewCard, type Card } from "./cards.ts";
import { itemKinds, type Item, type ItemKind } from "./item.ts";

/** One kind of content in its order, cut into cards once, so that a request only takes a slice. */
export type Shelf = {
  /** What the list pages through: everything, or for articles what is not featured. */
  listed: Card[];
  /** Sticky articles (spec, section 2). */
  featured: Card[];
  /** The newest few, for "Recommended For You". */
  newest: Card[];
  latest: Card | undefined;
};

export type Shelves = Record<ItemKind, Shelf>;

/** "Recommended For You" shows six (spec, section 9); one more is kept because the open item is left out. */
export const RECOMMENDED_COUNT = 6;
/** A slider is for a handful; sticky articles past it stand first in the list. */
const FEATURED_LIMIT = 12;

export function fillShelves(items: Item[]): Shelves {
  const newestFirst = items.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id);
  const shelves = itemKinds.map((kind) => [kind, fillShelf(newestFirst.filter((item) => item.kind === kind))]);
  return Object.fromEntries(shelves) as Shelves;
}

function fillShelf(items: Item[]): Shelf {
  const sticky = items.filter((item) => item.isSticky);
  const listed = [...sticky.slice(FEATURED_LIMIT), ...items.filter((item) => !item.isSticky)];
  return {
    listed: listed.map(toListCard),
    featured: sticky.slice(0, FEATURED_LIMIT).map(toFeaturedCard),
    newest: items.slice(0, RECOMMENDED_COUNT + 1).map(toListCard),
    latest: items[0] && toNewCard(items[0]),
  };
}
