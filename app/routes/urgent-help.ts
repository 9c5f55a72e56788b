import { requireActiveMember, requireServices } from "../middleware/guards.ts";
import type { Route } from "./+types/urgent-help.ts";

/** What the search box needs to see that words speak of despair: nothing that is typed there leaves the browser for it. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { card, words } = requireServices(context).urgentHelp;
  return Response.json({ card, words }, { headers: { "Cache-Control": "private, max-age=600" } });
}
