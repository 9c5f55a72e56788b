import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

/**
 * Focuses an element for each new cause, such as a form's answer. A cause from before the script runs moves no focus:
 * the visitor may be typing.
 */
export function useFocusOn<E extends HTMLElement>(cause: object | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const isHydrated = useHydrated();
  const takeFocus = useEffectEvent(() => {
    if (isHydrated || isFocusFree(element.current)) element.current?.focus();
  });
  // After Conform focuses the first field with an error, and before the page is drawn.
  useLayoutEffect(() => {
    if (cause) takeFocus();
  }, [cause]);
  return element;
}

/** Nothing has the focus, or only the surrounding dialog, which gets it once script makes it modal. */
export function isFocusFree(element: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === element?.closest("dialog");
}
