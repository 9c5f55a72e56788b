import { redirect, redirectDocument } from "react-router";

import { requireServices } from "../../middleware/guards.ts";
import type { Route } from "./+types/payment-return.ts";

/**
 * Where a bank's page, or the gateway's, sends the browser of somebody whose front is another server. It looks how the payment has
 * ended and goes on to that front; the address was sealed by us, so it leads nowhere else.
 */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { api } = requireServices(context);
  const found = api?.returns.read(url.searchParams.get("to") ?? "");
  if (!api || !found) return redirect("/", 303);
  await api.orders.settleDraft(found.draftId);
  if (found.to === undefined) return redirect("/", 303);
  return new URL(request.url).pathname.endsWith(".data") ? redirectDocument(found.to, 303) : leadOn(found.to);
}

/**
 * A page that leads on: the browser may have come by a form of the demo's, and by `form-action` Chromium follows no redirect of a form
 * to another host.
 */
function leadOn(address: string): Response {
  const quoted = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const page = `<!doctype html><html lang="en"><title>Payment</title><p><a href="${quoted}">Go on</a></p></html>`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(page, { headers: { ...headers, Refresh: `0;url=${new URL(address).href}` } });
}
