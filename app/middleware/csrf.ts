import type { MiddlewareFunction } from "react-router";
import { fetchSite } from "remix-utils/sec-fetch";

/**
 * Refuses a form that another site's page sends in a member's name (ASVS 3.5.1). Browsers say where a request
 * comes from in `Sec-Fetch-Site`, to https and localhost; elsewhere the `Origin` must be ours.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = ({ request, url }) => {
  if (request.method === "GET" || request.method === "HEAD") return;
  const site = fetchSite(request);
  const isOurs = site === null ? request.headers.get("Origin") === url.origin : site === "same-origin";
  if (!isOurs) throw new Response("This form was not sent from our own page.", { status: 403 });
};
