import type { MiddlewareFunction } from "react-router";

/** Asks search engines to leave an answer out, unless its route says otherwise. */
export const noIndexMiddleware: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next();
  if (!response.headers.has("X-Robots-Tag")) response.headers.set("X-Robots-Tag", "noindex, nofollow");
  return response;
};
