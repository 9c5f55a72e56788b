import { useEffect, useRef, type RefObject } from "react";

/** A dialog that is open already, made modal: the page behind is out of reach, and the focus stays where it is inside. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const focused = document.activeElement;
    element?.close();
    element?.showModal();
    if (focused instanceof HTMLElement && element?.contains(focused)) focused.focus();
  }, []);
  return dialog;
}
