import { useEffect, useState } from "react";
import { NavigationType, type Path, useBlocker } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

import { href, isUnderBase } from "../../../../frame/paths.ts";
import { parseStep } from "../steps.ts";

/**
 * Gives the payment step its own document where a gateway's script runs, because a document keeps its content security
 * policy and its scripts. A navigation to or from the step loads a document. Returns whether this one is the step's
 * own.
 */
export function useOwnDocument(isWanted: boolean): boolean {
  const isHydrated = useHydrated();
  // Another window may change the plan while this one shows the step.
  const [isServed] = useState(isWanted && !isHydrated);
  const isForeign = isWanted && !isServed;

  useEffect(() => {
    if (isForeign) window.location.reload();
  }, [isForeign]);

  const blocker = useBlocker(
    ({ nextLocation, historyAction }) =>
      isWanted && historyAction !== NavigationType.Pop && !isPaymentStep(nextLocation),
  );
  const next = blocker.location;
  useEffect(() => {
    if (next) window.location.assign(toAddress(next));
  }, [next]);

  // Back and forward cannot be blocked without rewriting history: their pages reload.
  useEffect(() => {
    if (!isWanted) return undefined;
    return () => {
      if (!isPaymentStep(window.location)) window.location.reload();
    };
  }, [isWanted]);

  return !isForeign;
}

function isPaymentStep({ pathname, search }: Path): boolean {
  return /\/(?:signup|give)$/.test(pathname) && parseStep(new URLSearchParams(search)) === 3;
}

/** The router gives paths with and without the base. */
function toAddress({ pathname, search, hash }: Path): string {
  return (isUnderBase(pathname) ? pathname : href(pathname)) + search + hash;
}
