import type { Card } from "../../../server/content/cards.ts";
import type { CardPage, Catalogue } from "../../../server/content/catalogue.ts";
import type { Item } from "../../../server/content/item.ts";
import type { ItemKind } from "../../../server/content/kinds.ts";
import type { Services } from "../../../server/services.ts";
import type { Favourite, FavouriteListing } from "./favourites-screen.ts";
import { findSearchScreen, type SearchScreen } from "./search-screen.ts";
import type { View } from "./view.ts";

/** What a view of the dashboard is made of: no more than it shows. */
export type Screen =
  | { name: "landing" }
  | { name: "list"; kind: ItemKind; listed: CardPage; featured: Card[]; latest: Card[] }
  | { name: "item"; item: OpenItem; isPlaying: boolean; recommended: Card[]; isFavourites?: boolean }
  | { name: "favourites"; listings: FavouriteListing[] }
  | { name: "favourite-list"; kind: ItemKind; favourites: Favourite[]; page: number; pageCount: number }
  | { name: "topics"; topics: string[] }
  | SearchScreen;

export type OpenItem = Pick<
  Item,
  "id" | "kind" | "title" | "author" | "date" | "picture" | "bodyHtml" | "transcriptHtml" | "video"
>;

/** What is the same for every member. */
type SharedView = Exclude<View, { name: "favourites" | "receipt" }>;

/** Fills a view from the catalogue; `undefined` when it asks for an item or a page that does not exist. */
export function findScreen({ catalogue, clock }: Services, view: SharedView): Screen | undefined {
  switch (view.name) {
    case "landing":
      return view;
    case "list":
      return findList(catalogue, view);
    case "item":
      return findOpenItem(catalogue, view);
    case "topics":
      return { name: "topics", topics: catalogue.topics };
    case "search":
      return findSearchScreen(catalogue, view, clock());
  }
}

function findList(catalogue: Catalogue, { kind, page }: View & { name: "list" }): Screen | undefined {
  const listed = catalogue.findPage(kind, page);
  if (!listed) return undefined;
  const featured = kind === "read" && page === 1 ? catalogue.listFeatured() : [];
  return { name: "list", kind, listed, featured, latest: catalogue.listLatest() };
}

/** An item with what stands round it; `undefined` when there is none. */
export function findOpenItem(
  catalogue: Catalogue,
  { kind, id, isPlaying }: View & { name: "item" },
): (Screen & { name: "item" }) | undefined {
  const item = catalogue.findItem(kind, id);
  if (!item) return undefined;
  const { title, author, date, picture, bodyHtml, transcriptHtml, video } = item;
  return {
    name: "item",
    item: { id, kind, title, author, date, picture, bodyHtml, transcriptHtml, video },
    isPlaying: isPlaying && video !== undefined && video.kind !== "elsewhere",
    recommended: catalogue.listRecommended(kind, id),
  };
}
