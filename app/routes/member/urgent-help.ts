import { requireActiveMember, requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/urgent-help.ts";

/** The search box matches these phrases itself, so typed text stays in the browser. */
export async function loader({ context }: Route.LoaderArgs) {
  await requireActiveMember(context);
  const { card, words } = requireServices(context).urgentHelp;
  return Response.json({ card, words }, { headers: { "Cache-Control": "private, max-age=600" } });
}
