import { redirect } from "react-router";

import { requireRooms } from "../../middleware/guards.ts";
import type { Route } from "./+types/payment-return.ts";

/**
 * Where a bank's page, or the gateway's, sends the browser of somebody whose front is another server. It looks how the payment has
 * ended and goes on to that front; the address was sealed by us, so it leads nowhere else.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { api } = requireRooms(context);
  const found = api?.returns.read(url.searchParams.get("to") ?? "");
  if (!api || !found) return redirect("/", 303);
  await api.orders.settleDraft(found.draftId);
  return redirect(found.to ?? "/", 303);
}
