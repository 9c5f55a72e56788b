import { useEffect } from "react";

import { href } from "../../paths.ts";

/** Marks an item as opened; `undefined` marks none. */
export function useOpened(itemKey: string | undefined): void {
  useEffect(() => {
    if (itemKey) navigator.sendBeacon(href("/positions"), new URLSearchParams({ open: itemKey }));
  }, [itemKey]);
}
