import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

/**
 * Has an element take the focus for each new cause, such as a form's answer. Script that comes late to a page with one on it takes the
 * focus from nobody: they may be typing.
 */
export function useFocusOn<E extends HTMLElement>(cause: object | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const isHydrated = useHydrated();
  const takeFocus = useEffectEvent(() => {
    if (isHydrated || isFocusFree(element.current)) element.current?.focus();
  });
  useEffect(() => {
    if (cause) takeFocus();
  }, [cause]);
  return element;
}

/** Whether nothing has it; or only the dialog around, which takes it once script makes that modal. */
function isFocusFree(element: Element | null): boolean {
  const { activeElement, body } = document;
  return activeElement === body || activeElement === element?.closest("dialog");
}
