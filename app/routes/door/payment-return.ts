import { redirect, redirectDocument } from "react-router";
import { html } from "remix-utils/responses";

import { isDataRequest } from "../../forms/answer.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/payment-return.ts";

/**
 * A bank's or a gateway's page sends the browser here where another server is the front. Looks up how the payment ended, then leads
 * on to that front. We sealed its address ourselves, so this is no open redirect.
 */
export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { api } = requireServices(context);
  const found = api?.returns.read(url.searchParams.get("to") ?? "");
  if (!api || !found) return redirect("/", 303);
  await api.orders.settleDraft(found.draftId);
  if (found.to === undefined) return redirect("/", 303);
  return isDataRequest(request) ? redirectDocument(found.to, 303) : leadOn(found.to);
}

/**
 * A page instead of a redirect: the browser may come from a form of the demo gateway, and under `form-action` Chromium does not follow
 * a form's redirect to another host.
 */
function leadOn(address: string): Response {
  const quoted = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const page = `<!doctype html><html lang="en"><title>Payment</title><p><a href="${quoted}">Go on</a></p></html>`;
  return html(page, { headers: { "Cache-Control": "no-store", Refresh: `0;url=${new URL(address).href}` } });
}
