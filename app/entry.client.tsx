import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { hydrateAsServed, waitBeforeHydration } from "./hydration.ts";

/** The router's own component throws the promise of the page's loader data until that is decoded, as components do that suspend. */
async function decodeLoaderData(): Promise<void> {
  try {
    HydratedRouter({});
  } catch (promise) {
    await promise;
  }
}

waitBeforeHydration(decodeLoaderData());
// In a transition React would pause, and meet what add-ons do meanwhile.
void hydrateAsServed(() => flushSync(() => hydrateRoot(document, <HydratedRouter />)));
