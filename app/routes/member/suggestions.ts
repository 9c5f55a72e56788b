import { cleanTyped } from "../../../server/content/items/item-facts.ts";
import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/suggestions.ts";

/** For the search box. Words of despair have none. */
export async function loader({ context, url }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { catalogue, urgentHelp } = requireServices(context);
  const typed = cleanTyped(url.searchParams.get("q") ?? "");
  const suggestions = urgentHelp.findFor(typed) ? [] : catalogue.suggest(typed);
  return Response.json(suggestions, { headers: { "Cache-Control": "private, max-age=60" } });
}
