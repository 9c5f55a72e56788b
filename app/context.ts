import { createContext } from "react-router";

import type { Member } from "../server/accounts/accounts.ts";
import type { Services } from "../server/services.ts";

/** What a request carries from the host and the middleware to loaders and actions. */

/** The product's services; see `middleware/services.ts` for a host that brings none. */
export const servicesContext = createContext<Services | null>(null);

/** The network address the request came from. */
export const addressContext = createContext<string>("unknown");

/** Who asks: the token their browser sent and the member behind it, if the session lives. */
export const visitorContext = createContext<Visitor>({ token: undefined, member: undefined });

export type Visitor = { token: string | undefined; member: Member | undefined };

/**
 * Where a host wants the bytes of a rendered page put, beside its response: through a `Response` they would be copied twice
 * and read back as a stream, at a third of what rendering costs. Stock hosts want none of this.
 */
export const pageSinkContext = createContext<PageSink | null>(null);

export type PageSink = { page: Uint8Array | undefined };

/** The one-time word that lets our own inline scripts run. */
export const nonceContext = createContext<string>("");
