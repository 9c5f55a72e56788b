import { requireRooms } from "../middleware/guards.ts";
import type { Route } from "./+types/readyz.ts";

/** Ready: the database answers and there is a catalogue. Says which part is not, with 503. */
export async function loader({ context }: Route.LoaderArgs) {
  const readiness = await requireRooms(context).checkReadiness();
  const isReady = Object.values(readiness).every(Boolean);
  return Response.json(readiness, { status: isReady ? 200 : 503, headers: { "Cache-Control": "no-store" } });
}
