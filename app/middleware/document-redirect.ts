import type { MiddlewareFunction } from "react-router";

import { isUnderBase, stripBase } from "../paths.ts";

/**
 * A redirect to a document of its own that script asked for as data has no body. The framework's own has one, which its client
 * still reads while the page is being left: Firefox reports that as a fault that nothing has caught. The client takes these
 * headers of a 204 for the same (`fetchAndDecodeViaTurboStream`).
 */
export const documentRedirectMiddleware: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const location = response.headers.get("Location");
  const isAskedByScript = new URL(request.url).pathname.endsWith(".data");
  if (!location || !isAskedByScript || !response.headers.has("X-Remix-Reload-Document")) return response;
  const headers = new Headers(response.headers);
  headers.delete("Location");
  headers.set("X-Remix-Redirect", isUnderBase(location) ? stripBase(location) : location);
  headers.set("X-Remix-Status", String(response.status));
  return new Response(null, { status: 204, headers });
};
