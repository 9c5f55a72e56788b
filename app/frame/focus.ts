import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Gets the focus on the next screen, in place of its heading. `from`: the screen where that was asked for. */
let wanted: { selector: string; from: string } | undefined;

export function focusNext(selector: string | undefined): void {
  wanted = selector === undefined ? undefined : { selector, from: window.location.href };
}

export function useFocusAfterNavigation(): void {
  const { pathname, search, hash } = useLocation();
  const here = pathname + search;
  const last = useRef(here);
  useEffect(() => {
    if (here === last.current) return;
    last.current = here;
    // An effect may come late: a key on this screen has asked for the next one already.
    if (wanted?.from === window.location.href) return moveFocus(undefined, hash);
    moveFocus(wanted?.selector, hash);
    wanted = undefined;
  }, [here, hash]);
}

/** Focuses `selector`, or the hash's element, or the heading: a screen reader continues there as after a page load. */
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
