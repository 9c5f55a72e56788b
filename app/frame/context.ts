import { createContext, type RouterContextProvider } from "react-router";

import type { Member } from "../../server/members/accounts/accounts.ts";
import type { Services } from "../../server/services.ts";
import type { Browser } from "../../server/members/sessions/sessions.ts";
import { href } from "./paths.ts";

/** The context of a request, from the HTTP server and the middleware to loaders and actions. */

/** The product's services; see `frame/middleware/services.ts` for a server that brings none. */
export const servicesContext = createContext<Services | null>(null);

/** The network address the request came from. */
export const addressContext = createContext<string>("unknown");

/** The token that the browser sent, and the member behind it if the session lives. */
export const visitorContext = createContext<Visitor>({ token: undefined, member: undefined });

export type Visitor = { token: string | undefined; member: Member | undefined };

/**
 * Where our HTTP server gets the bytes of a rendered page, beside its response: through a `Response` they would be copied twice
 * and read back as a stream, at a third of what rendering costs. Stock servers bring none.
 */
export const pageSinkContext = createContext<PageSink | null>(null);

export type PageSink = { page: Uint8Array | undefined };

/** The one-time word that lets our own inline scripts run. */
export const nonceContext = createContext<string>("");

type Context = Readonly<RouterContextProvider>;

/** The network address of a request, for rate limits, and the URL of the site, for links in emails. */
export function requestSource(context: Context, url: URL) {
  return { address: context.get(addressContext), site: url.origin + href("/") };
}

/** The browser in which a session starts, and the session that this one replaces. */
export function readBrowser(request: Request, context: Context): Browser {
  return {
    userAgent: request.headers.get("User-Agent") ?? undefined,
    replacedToken: context.get(visitorContext).token,
  };
}
