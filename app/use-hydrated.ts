import { startTransition, useEffect, useState } from "react";

/** Whether React has taken in the page. */
let isTaken = false;

/**
 * Whether script runs here: false on the server and while React takes a page in, true from then on. What shows only with script comes
 * in a transition, which React draws in slices. `useSyncExternalStore` would draw it in one task with the effects of the whole page.
 * No page may be served with a Suspense boundary: React takes that in after the rest, when this is true already.
 */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(isTaken);
  useEffect(() => {
    isTaken = true;
    startTransition(() => setHydrated(true));
  }, []);
  return isHydrated;
}
