import type { MiddlewareFunction } from "react-router";

import { isDataRequest } from "../../forms/answer.ts";
import { isUnderBase, stripBase } from "../paths.ts";

/**
 * Answers a `redirectDocument` without a body where script requested data. The framework's answer has one, which its
 * client still reads while the page unloads: Firefox reports an uncaught error. The client reads the headers of a 204
 * in the same way (`fetchAndDecodeViaTurboStream`).
 */
export const documentRedirectMiddleware: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next();
  const location = response.headers.get("Location");
  if (!location || !isDataRequest(request) || !response.headers.has("X-Remix-Reload-Document")) return response;
  const headers = new Headers(response.headers);
  headers.delete("Location");
  headers.set("X-Remix-Redirect", isUnderBase(location) ? stripBase(location) : location);
  headers.set("X-Remix-Status", String(response.status));
  return new Response(null, { status: 204, headers });
};
