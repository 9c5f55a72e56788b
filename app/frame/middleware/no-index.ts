import type { MiddlewareFunction } from "react-router";

export const noIndexMiddleware: MiddlewareFunction<Response> = async (_, next) => {
  const response = await next();
  if (!response.headers.has("X-Robots-Tag")) response.headers.set("X-Robots-Tag", "noindex, nofollow");
  return response;
};
