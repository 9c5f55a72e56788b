import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** What gets the focus on the next screen, in place of its heading. */
let wanted: string | undefined;

/** Has the screen that a link leads to put the focus on `selector`. */
export function focusNext(selector: string | undefined): void {
  wanted = selector;
}

/** Moves the focus after each change of screens. */
export function useFocusAfterNavigation(): void {
  const { pathname, search, hash } = useLocation();
  const here = pathname + search;
  const last = useRef(here);
  useEffect(() => {
    if (here === last.current) return;
    last.current = here;
    moveFocus(wanted, hash);
    wanted = undefined;
  }, [here, hash]);
}

/**
 * After a change of screens the reader is at what was asked for, or at the place that the address names, or else at the heading, as
 * after a page load.
 */
export function moveFocus(selector?: string, hash = ""): void {
  const target =
    (selector ? document.querySelector<HTMLElement>(selector) : null) ??
    document.getElementById(hash.slice(1)) ??
    document.querySelector<HTMLElement>("main h1");
  if (!target) return;
  // A paragraph can have the focus once it is said.
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
