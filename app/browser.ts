import type { RouterContextProvider } from "react-router";

import type { Browser } from "../server/sessions/sessions.ts";
import { visitorContext } from "./context.ts";

/** The browser that a session starts in: what it says of itself, and the session that it brings and that ends. */
export function browserOf(request: Request, context: Readonly<RouterContextProvider>): Browser {
  return {
    userAgent: request.headers.get("User-Agent") ?? undefined,
    replacedToken: context.get(visitorContext).token,
  };
}
