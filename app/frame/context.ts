import { createContext, type RouterContextProvider } from "react-router";

import type { Member } from "../../server/members/accounts/accounts.ts";
import type { Services } from "../../server/services.ts";
import type { Browser } from "../../server/members/sessions/sessions.ts";
import { href } from "./paths.ts";

/** `frame/middleware/services.ts` fills it for a server that brings none. */
export const servicesContext = createContext<Services | null>(null);

export const addressContext = createContext<string>("unknown");

/** The browser's token, and its member if the session is valid. */
export const callerContext = createContext<Caller>({ token: undefined, member: undefined, avatar: undefined });

export type Caller = {
  token: string | undefined;
  member: Member | undefined;
  avatar: string | undefined;
};

/**
 * Gets the bytes of a rendered page beside its response: through a `Response` they would be copied twice and read as a
 * stream, at a third of the cost of rendering. Stock servers have none.
 */
export const pageSinkContext = createContext<PageSink | null>(null);

export type PageSink = { page: Uint8Array | undefined };

/** For our own inline scripts. */
export const nonceContext = createContext<string>("");

type Context = Readonly<RouterContextProvider>;

/** For rate limits and for links in emails. */
export function requestSource(context: Context, url: URL) {
  return { address: context.get(addressContext), site: url.origin + href("/") };
}

/** The browser of a new session, and the session that it replaces. */
export function readBrowser(request: Request, context: Context): Browser {
  return {
    userAgent: request.headers.get("User-Agent") ?? undefined,
    replacedToken: context.get(callerContext).token,
  };
}
