import { useEffect, useRef, type RefObject } from "react";

/**
 * Makes an open dialog modal. The focus stays inside, or goes to the dialog itself, so that a screen reader reads its
 * name: the first link, where browsers put it, would be read alone.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.close();
    element?.showModal();
    if (focused instanceof HTMLElement && element?.contains(focused)) focused.focus();
    else element?.focus();
  }, []);
  return dialog;
}
