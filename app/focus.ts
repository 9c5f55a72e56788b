import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";

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

/**
 * Gives an element the focus for each new cause, such as a form's answer. A page may have one before its script runs: then the focus
 * stays where it is, because the visitor may be typing.
 */
export function useFocusOn<E extends HTMLElement>(cause: object | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const isHydrated = useHydrated();
  const takeFocus = useEffectEvent(() => {
    if (isHydrated || isFocusFree(element.current)) element.current?.focus();
  });
  // Conform gives the focus to the first field with an error; this comes after it, and before the page is drawn.
  useLayoutEffect(() => {
    if (cause) takeFocus();
  }, [cause]);
  return element;
}

/** Whether nothing has the focus, or only the dialog around, which gets it once script makes that modal. */
export function isFocusFree(element: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === element?.closest("dialog");
}
