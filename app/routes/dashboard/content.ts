import type { Member } from "../../../server/accounts/accounts.ts";
import type { ItemRef } from "../../../server/favourites/favourites.ts";
import type { Access } from "../../../server/membership/membership.ts";
import type { Services } from "../../../server/services.ts";
import { findFavouritesScreen } from "./favourites-screen.ts";
import { findReceiptScreen, type ReceiptScreen } from "./receipt-screen.ts";
import { findScreen, type Screen } from "./screen.ts";
import { viewPath, type BadView, type View } from "./view.ts";

/** Everything that a member may see in place of the dashboard. */
export type DashboardScreen =
  | Screen
  | ReceiptScreen
  | { name: "locked"; contactUrl: string; isUnknown: boolean }
  | { name: "missing"; sentence: string };

/** What fills the page; `favourited` are the keys of its favourites. */
export type Content = { screen: DashboardScreen; status?: number; favourited?: string[] };

const MISSING = "It may have been withdrawn, or the link may be mistyped.";

type Asker = { member: Member; access: Access };

/** What a member sees at an address: receipts outlive subscriptions, anything else asks for one. */
export async function findContent(
  services: Services,
  view: View | BadView,
  { member, access }: Asker,
): Promise<Content> {
  const { isActive } = access;
  const asked = view.name === "receipt" && { memberId: member.id, number: view.number, isActive };
  const receipt = asked && (await findReceiptScreen(services, asked));
  if (receipt) return { screen: receipt };
  if (!access.isActive) {
    const isUnknown = access.isUnknown === true;
    return { screen: { name: "locked", contactUrl: services.product.contactUrl, isUnknown } };
  }
  if (view.name === "receipt") return { screen: { name: "missing", sentence: MISSING }, status: 404 };
  if (view.name === "bad") return { screen: { name: "missing", sentence: view.sentence }, status: 400 };
  const isFavourites = view.name === "favourites";
  const screen = isFavourites ? await findFavouritesScreen(services, member.id, view) : findScreen(services, view);
  if (!screen) return { screen: { name: "missing", sentence: MISSING }, status: 404 };
  return { screen, favourited: await services.favourites.listFavourited(member.id, itemsOn(screen)) };
}

/** The items that a screen shows. */
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

/** A card is more than its reference. */
function toRef({ kind, id }: ItemRef): ItemRef {
  return { kind, id };
}

/** Where a view is: the page that favourite buttons come back to, and that My Account lies over. */
export function pathOfView(view: View | BadView): string {
  return view.name === "bad" ? "/" : viewPath(view);
}
