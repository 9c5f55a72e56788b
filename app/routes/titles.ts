import { cleanTyped } from "../../server/content/rules.ts";
import { requireActiveMember, requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/titles.ts";

/** The titles that a typed text may become, for the search box. Words of despair have none. */
export async function loader({ context, url }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { catalogue, urgentHelp } = requireServices(context);
  const typed = cleanTyped(url.searchParams.get("q") ?? "");
  const titles = urgentHelp.findFor(typed) ? [] : catalogue.suggestTitles(typed);
  return Response.json(titles, { headers: { "Cache-Control": "private, max-age=60" } });
}
