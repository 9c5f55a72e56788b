import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/urgent-help.ts";

/** The phrases by which the search box recognises despair: typed text does not leave the browser for it. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { card, words } = requireServices(context).urgentHelp;
  return Response.json({ card, words }, { headers: { "Cache-Control": "private, max-age=600" } });
}
