import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/readyz.ts";

/**
 * Database and catalogue are available, or 503 names the missing one. `isCatalogueStale`: the CMS has been away for a
 * while, which does not stop members.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const services = requireServices(context);
  const readiness = await services.checkReadiness();
  const isReady = Object.values(readiness).every(Boolean);
  const facts = { ...readiness, ...(services.catalogue.isStale() && { isCatalogueStale: true }) };
  return Response.json(facts, { status: isReady ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
