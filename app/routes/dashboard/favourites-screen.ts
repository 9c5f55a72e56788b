import { redirect } from "react-router";

import type { Card } from "../../../server/content/cards.ts";
import { type ItemKind, itemKinds } from "../../../server/content/kinds.ts";
import type { Services } from "../../../server/services.ts";
import { findOpenItem, type Screen } from "./screen.ts";
import { favouritesListPath, type View } from "./view.ts";

/** A favourite as the page shows it; one whose item was withdrawn has no card, and can still be let go. */
export type Favourite = { id: number; card: Card | undefined };

export type FavouriteListing = { kind: ItemKind; favourites: Favourite[]; total: number };

/** A slider shows the newest few; all of them are behind "View all". */
const LISTING_SIZE = 12;
const PAGE_SIZE = 24;

type FavouritesView = View & { name: "favourites" };

/** Fills the favourites: three listings, all of one kind, or one that is open. */
export async function findFavouritesScreen(
  services: Services,
  memberId: number,
  view: FavouritesView,
): Promise<Screen | undefined> {
  const { kind, item, isPlaying } = view;
  if (kind && item) {
    const open = findOpenItem(services.catalogue, { name: "item", kind, id: item, isPlaying });
    return open && { ...open, isFavourites: true };
  }
  if (kind) return findList(services, memberId, { ...view, kind });
  const listings = itemKinds.map(async (each) => {
    const { favourites, total } = await findFavourites(services, memberId, { kind: each, page: 1, size: LISTING_SIZE });
    return { kind: each, favourites, total };
  });
  return { name: "favourites", listings: await Promise.all(listings) };
}

async function findList(
  services: Services,
  memberId: number,
  { kind, page }: { kind: ItemKind; page: number },
): Promise<Screen> {
  const { favourites, total } = await findFavourites(services, memberId, { kind, page, size: PAGE_SIZE });
  const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
  // The last favourite of the last page was removed, here or on another device.
  if (page > pageCount) throw redirect(favouritesListPath(kind, pageCount));
  return { name: "favourite-list", kind, favourites, page, pageCount };
}

type Wanted = { kind: ItemKind; page: number; size: number };

async function findFavourites({ favourites, catalogue }: Services, memberId: number, { kind, ...page }: Wanted) {
  const { itemIds, total } = await favourites.findPage(memberId, kind, page);
  const cards = catalogue.findCards(kind, itemIds);
  return { favourites: itemIds.map((id, index): Favourite => ({ id, card: cards[index] })), total };
}
