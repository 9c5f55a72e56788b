import type { Member } from "../../../../server/members/accounts/accounts.ts";
import type { ItemRef } from "../../../../server/content/items/kinds.ts";
import type { Access } from "../../../../server/money/membership/membership.ts";
import type { Progress } from "../../../components/card.tsx";
import type { Services } from "../../../../server/services.ts";
import { type FavouriteListScreen, type FavouritesScreen, findFavourites } from "./favourites.tsx";
import { findItem, type ItemScreen } from "./item.tsx";
import { findLanding, type LandingScreen } from "./landing.tsx";
import { findList, type ListScreen } from "./list.tsx";
import { findLocked, type LockedScreen } from "./locked.tsx";
import { findProgress } from "./progress.ts";
import { findReceipt, type ReceiptScreen } from "./receipt.ts";
import { findSearch, putAbove, type SearchScreen } from "./search-screen.ts";
import { type TopicsScreen } from "./topics.tsx";
import { findGuide } from "./search-guide.ts";
import type { HelpListScreen } from "./help-list.tsx";
import type { HelpScreen } from "./help.tsx";
import { type BadView, noSection, type SearchView, type View } from "./view.ts";

/** Of each view no more than it shows. */
export type Screen = ContentScreen | ReceiptScreen | LockedScreen | { name: "missing"; sentence: string };

type ContentScreen =
  | LandingScreen
  | ListScreen
  | ItemScreen
  | FavouritesScreen
  | FavouriteListScreen
  | TopicsScreen
  | HelpListScreen
  | HelpScreen
  | SearchScreen;

/** `favourited`: the page's favourites; `progress`: the member's progress in its items. */
type Found = {
  screen: Screen;
  status?: number;
  favourited?: string[];
  progress?: Record<string, Progress>;
};

const missing: Found = {
  screen: { name: "missing", sentence: "It may have been withdrawn, or the link may be mistyped." },
  status: 404,
};

/**
 * Receipts outlive subscriptions, anything else needs one. The `find…` functions are beside their components: the
 * bundler drops them for browsers, as long as those modules run no server code when they load.
 */
export async function findScreen(
  services: Services,
  view: View | BadView,
  { member, access }: { member: Member; access: Access },
): Promise<Found> {
  const { isActive } = access;
  if (view.name === "receipt") {
    const receipt = await findReceipt(services, { memberId: member.id, number: view.number, isActive });
    if (receipt) return { screen: receipt };
  }
  if (!access.isActive) {
    return { screen: await findLocked(services, { memberId: member.id, isUnknown: access.reason === "unavailable" }) };
  }
  if (view.name === "receipt") return missing;
  if (view.name === "bad" && view.search && services.urgentHelp.findFor(view.search.term)) {
    return findScreen(services, view.search, { member, access });
  }
  if (view.name === "list" && !services.catalogue.listSections().includes(view.section)) {
    return { screen: { name: "missing", sentence: noSection() }, status: 400 };
  }
  if (view.name === "bad") return { screen: { name: "missing", sentence: view.sentence }, status: 400 };
  if (view.name === "favourites" && !view.item) {
    const found = await findFavourites(services, member.id, view);
    if (!found) return missing;
    return { ...found, progress: await findProgress(services, member.id, itemsOn(found.screen)) };
  }
  const screen = await findContent(services, view, member.id);
  if (!screen) return missing;
  const items = itemsOn(screen);
  const [favourited, progress] = await Promise.all([
    services.favourites.listFavourited(member.id, items),
    findProgress(services, member.id, items),
  ]);
  return { screen, favourited, progress };
}

/** `undefined` for an item or a page that does not exist. */
async function findContent(
  services: Services,
  view: Exclude<View, { name: "receipt" }>,
  memberId: number,
): Promise<ContentScreen | undefined> {
  const { catalogue, clock } = services;
  switch (view.name) {
    case "landing":
      return await findLanding(services, memberId, view.forgotten);
    case "list":
      return findList(catalogue, view);
    case "item":
      return await findItem(services, memberId, view);
    case "favourites": {
      const { item, isPlaying } = view;
      const open = item && (await findItem(services, memberId, { ...item, isPlaying }));
      return open && { ...open, isFavourites: true };
    }
    case "topics":
      return { name: "topics", topics: catalogue.topics };
    case "help-list":
      return { name: "help-list", cards: catalogue.listHelp() };
    case "search": {
      const { urgentHelp } = services;
      const help = urgentHelp.findFor(view.term);
      if (help) return view.isPastHelp ? findPastHelp(services, view) : { name: "help", search: view, card: help };
      const found = findSearch(catalogue, view, clock());
      if (!found) return undefined;
      services.emptySearches.note(memberId, found);
      const hasLittle = found.results.length === 0 || found.near?.from === 0;
      const line = hasLittle || urgentHelp.isLow(view.term) ? urgentHelp.quiet : undefined;
      const guide = await findGuide(services, memberId, view);
      return { ...(guide ? putAbove(found, guide) : found), quiet: line && { line, isFirst: false } };
    }
  }
}

/** After help, as typed: a word of despair is no misspelt word of sleep. Operators never read of such a search. */
function findPastHelp({ catalogue, clock, urgentHelp }: Services, view: SearchView): SearchScreen | undefined {
  const find = (page: number) => findSearch(catalogue, { ...view, page, isLiteral: true }, clock());
  const found = find(view.page) ?? find(1);
  return found && { ...found, nearest: [], quiet: { line: urgentHelp.quiet, isFirst: true } };
}

function itemsOn(screen: ContentScreen): ItemRef[] {
  switch (screen.name) {
    case "landing":
    case "topics":
    case "help":
      return [];
    case "help-list":
      return screen.cards;
    case "list":
      return [...screen.groups.flatMap(({ cards }) => cards), ...screen.featured, ...screen.latest];
    case "item":
      return [screen.item, ...screen.recommended];
    case "search":
      return [...screen.results, ...screen.perhaps];
    case "favourites":
      return screen.listings.flatMap(({ favourites }) => favourites);
    case "favourite-list":
      return screen.favourites;
  }
}
