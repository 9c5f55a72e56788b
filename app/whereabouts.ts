import type { RouterContextProvider } from "react-router";

import type { Whereabouts } from "../server/sign-up/sign-up.ts";
import { addressContext } from "./context.ts";
import { href, safePath } from "./paths.ts";

/** Where a request came from, for limits and for the links in emails. */
export function whereaboutsOf(context: Readonly<RouterContextProvider>, url: URL): Whereabouts {
  return { address: context.get(addressContext), site: url.origin + href("/") };
}

/** Where the visitor wanted to go before all this, if anywhere. */
export function wantedPath(url: URL): string | undefined {
  const to = url.searchParams.get("to");
  return to ? safePath(to) : undefined;
}
