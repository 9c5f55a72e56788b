import { startTransition, useEffect, useInsertionEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot, type Root } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

import { hydrateAsServed, waitBeforeHydration, type Progress } from "./hydration.ts";

/** Lets the browser answer what waits; a timer would take a second in a tab that is not in front. */
function pause(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(0);
  return new Promise((resolve) => {
    port1.addEventListener("message", resolve);
    port1.start();
  });
}

/**
 * Decodes the page's loader data, then makes the router, in tasks of their own: in one with the start of the scripts they hold up a slow
 * phone. The router's own component does both: it throws the promise of the first, as components do that suspend, and the second comes
 * before its first hook, which throws outside React.
 */
async function prepareRouter(): Promise<void> {
  // In development React would complain of the hook.
  const calls = import.meta.env.DEV ? 1 : 2;
  for (let call = 0; call < calls; call += 1) {
    await pause();
    try {
      HydratedRouter({});
    } catch (thrown) {
      await thrown;
    }
  }
  await pause();
}

/** Tells how far React has come with the page, which adds nothing to it. */
function Reported({ onBegin, onTaken, onDone }: Progress) {
  onBegin();
  useInsertionEffect(onTaken, [onTaken]);
  useEffect(onDone, [onDone]);
  return <HydratedRouter />;
}

waitBeforeHydration(prepareRouter());
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
