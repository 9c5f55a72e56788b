import type { MiddlewareFunction } from "react-router";
import { fetchSite } from "remix-utils/sec-fetch";

import { stripBase } from "../paths.ts";
import { isApiPath } from "./api-path.ts";
import { requireRooms } from "./guards.ts";

/**
 * Refuses a form that another site's page sends in a member's name (ASVS 3.5.1). Browsers say where a request
 * comes from in `Sec-Fetch-Site`, to https and localhost; elsewhere the `Origin` must be ours.
 */
export const csrfMiddleware: MiddlewareFunction<Response> = ({ request, url, context }) => {
  if (request.method === "GET" || request.method === "HEAD") return;
  if (isForServers(stripBase(url.pathname))) return;
  const site = fetchSite(request);
  const isOurs = site === null ? request.headers.get("Origin") === url.origin : site === "same-origin";
  if (isOurs) return;
  requireRooms(context).log.warn({ method: request.method }, "a form of another site was refused");
  throw new Response("This form was not sent from our own page.", { status: 403 });
};

/** What other servers send: nobody's cookie gives a right to anything there, a signature or a secret does. */
function isForServers(path: string): boolean {
  return path.startsWith("/webhooks/") || isApiPath(path);
}
