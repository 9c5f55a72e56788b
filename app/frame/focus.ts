import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** The selector of what gets the focus on the next screen, in place of its heading. */
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
 * Puts the focus on `selector`, or on the element that the hash names, or else on the heading. A screen reader then goes on from there, as
 * after a page load.
 */
export function moveFocus(selector?: string, hash = ""): void {
  const target =
    (selector ? document.querySelector<HTMLElement>(selector) : null) ??
    document.getElementById(hash.slice(1)) ??
    document.querySelector<HTMLElement>("main h1");
  if (!target) return;
  // A heading or a paragraph takes the focus only with a tabindex.
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
