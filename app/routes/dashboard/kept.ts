import type { ItemRef } from "../../../server/favourites/favourites.ts";
import type { Services } from "../../../server/services.ts";
import type { Screen } from "./screen.ts";

/** Which hearts of a screen are filled, as item keys. Asks only about what the screen shows. */
export async function listKept({ favourites }: Services, memberId: number, screen: Screen): Promise<string[]> {
  return favourites.listFavourited(memberId, itemsOn(screen));
}

function itemsOn(screen: Screen): ItemRef[] {
  switch (screen.name) {
    case "landing":
    case "topics":
      return [];
    case "list":
      return [...screen.listed.cards, ...screen.featured, ...screen.latest].map(toRef);
    case "item":
      return [screen.item, ...screen.recommended].map(toRef);
    case "search":
      return screen.results.map(toRef);
    case "favourites":
      return screen.listings.flatMap(({ kind, favourites }) => favourites.map(({ id }) => ({ kind, id })));
    case "favourite-list":
      return screen.favourites.map(({ id }) => ({ kind: screen.kind, id }));
  }
}

/** A card is more than its reference; the room is asked for no more. */
function toRef({ kind, id }: ItemRef): ItemRef {
  return { kind, id };
}
