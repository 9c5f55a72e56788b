import type { MiddlewareFunction } from "react-router";

import { callerContext } from "../context.ts";
import { readSessionToken, sessionCookie } from "../cookies.ts";
import { requireServices } from "./guards.ts";

/** Routes for programs, without cookies. The health check needs no database. */
const withoutMember = /^\/?(?:api\/\*|webhooks\/:sender|healthz|readyz)$/;

/** Extends a session in use. */
export const sessionMiddleware: MiddlewareFunction<Response> = async ({ request, url, pattern, context }, next) => {
  if (withoutMember.test(pattern)) return undefined;
  const token = readSessionToken(request, url);
  if (!token) return undefined;
  const { sessions, accounts } = requireServices(context);
  const found = await accounts.findCaller(token);
  context.set(callerContext, { token, member: found?.member, avatar: found?.avatar });
  if (!found) return undefined;
  const { session } = found;

  const response = await sessions.act({ token, memberId: session.memberId }, next);
  // A log-in or log-out in this request has set the cookie already.
  if (session.isExtended && !response.headers.has("Set-Cookie")) {
    response.headers.append("Set-Cookie", sessionCookie(url, { token, expiresAt: session.expiresAt }));
  }
  return response;
};
