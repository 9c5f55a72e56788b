import { redirect, redirectDocument } from "react-router";
import { html } from "remix-utils/responses";

import { isDataRequest } from "../../forms/answer.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/payment-return.ts";

/**
 * A bank or a gateway returns the browser here where another server is the front. Looks up the payment, then leads to
 * that front, whose address we sealed, so this is no open redirect.
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
 * A page, not a redirect: after a form of the demo gateway Chromium follows none to another host under `form-action`.
 */
function leadOn(address: string): Response {
  const quoted = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const page = `<!doctype html><html lang="en"><title>Payment</title><p><a href="${quoted}">Go on</a></p></html>`;
  return html(page, { headers: { "Cache-Control": "no-store", Refresh: `0;url=${new URL(address).href}` } });
}
