import { kinds } from "../../../server/content/kinds.ts";
import type { DashboardScreen } from "./content.ts";

/** What the browser's tab says of a screen. */
export function screenTitle(screen: DashboardScreen): string {
  switch (screen.name) {
    case "locked":
      return screen.isUnknown ? "We cannot see your subscription" : "No active subscription";
    case "landing":
      return "Dashboard";
    case "list":
      return kinds[screen.kind].tab;
    case "item":
      return screen.item.title;
    case "favourites":
      return "Favourites";
    case "favourite-list":
      return `${kinds[screen.kind].tab} you saved`;
    case "topics":
      return "Search";
    case "search":
      return `Search results for ${screen.term}`;
    case "receipt":
      return `Receipt ${screen.number}`;
    case "missing":
      return "Not found";
  }
}
