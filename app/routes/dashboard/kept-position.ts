import { useEffect, type RefObject } from "react";

/** Nothing is kept on a screen where it does not arrive. */
const loadScript = () => import("./positions.ts").catch(() => undefined);

/** Keeps where the member is in a film or recording. */
export function useKeptPosition(element: RefObject<HTMLMediaElement | null>, itemKey: string): void {
  useEffect(() => {
    const kept = loadScript().then((script) => script?.keepPosition(element.current, itemKey));
    return () => void kept.then((letGo) => letGo?.());
  }, [element, itemKey]);
}

/** Marks an item as opened; `undefined` marks none. */
export function useOpened(itemKey: string | undefined): void {
  useEffect(() => {
    if (itemKey) void loadScript().then((script) => script?.tellOpened(itemKey));
  }, [itemKey]);
}
