import { requireServices } from "../../middleware/guards.ts";
import type { Route } from "./+types/cms.ts";
import { refuseVisits } from "./receive-webhooks.ts";

export const loader = refuseVisits;

/** The CMS says that something changed; what, the refresh finds out. It is answered before the refresh has ended. */
export function action({ request, context }: Route.ActionArgs): Response {
  const { contentSignal } = requireServices(context);
  if (!contentSignal) return new Response("Nothing is configured for this.\n", { status: 404 });
  const isKnown = contentSignal.receive(request.headers.get("Authorization")?.replace(/^Bearer /i, "") ?? "");
  return isKnown ? new Response(null, { status: 202 }) : new Response("The secret is wrong.\n", { status: 401 });
}
