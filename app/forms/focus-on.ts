import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

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
