import { startTransition, useEffect, useInsertionEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot, type Root } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { hydrateAsServed, waitBeforeHydration, type Progress } from "./hydration.ts";

/** The router's own component throws the promise of the page's loader data until that is decoded, as components do that suspend. */
async function decodeLoaderData(): Promise<void> {
  try {
    HydratedRouter({});
  } catch (promise) {
    await promise;
  }
}

/** Tells how far React has come with the page, which adds nothing to it. */
function Reported({ onBegin, onTaken, onDone }: Progress) {
  onBegin();
  useInsertionEffect(onTaken, [onTaken]);
  useEffect(onDone, [onDone]);
  return <HydratedRouter />;
}

waitBeforeHydration(decodeLoaderData());
void hydrateAsServed((progress) => {
  const page = <Reported {...progress} />;
  let root: Root | undefined;
  // In a transition React works in slices.
  startTransition(() => {
    root = hydrateRoot(document, page);
  });
  // Given the very same page, React goes on to take in what is there.
  return () => flushSync(() => root?.render(page));
});
