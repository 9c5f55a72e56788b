import { useEffect, type RefObject } from "react";

import { href } from "../../paths.ts";

/** Keeps where the member is in a film or recording; without a key nothing. Where the script for it does not arrive, nothing is kept. */
export function useKeptPosition(element: RefObject<HTMLMediaElement | null>, itemKey: string | undefined): void {
  useEffect(() => {
    if (!itemKey) return undefined;
    const kept = import("./positions.ts").then(
      ({ keepPosition }) => keepPosition(element.current, itemKey),
      () => undefined,
    );
    return () => void kept.then((letGo) => letGo?.());
  }, [element, itemKey]);
}

/** Marks an item as opened; `undefined` marks none. */
export function useOpened(itemKey: string | undefined): void {
  useEffect(() => {
    if (itemKey) navigator.sendBeacon(href("/positions"), new URLSearchParams({ open: itemKey }));
  }, [itemKey]);
}
