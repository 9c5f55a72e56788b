import { useEffect } from "react";

import { href } from "../frame/paths.ts";

/** Marks an item as opened; `undefined` marks none. */
export function useOpened(itemKey: string | undefined): void {
  useEffect(() => {
    if (itemKey) sendAtOnce({ open: itemKey });
  }, [itemKey]);
}

/** Tells the server of a place without waiting for an answer, as the page may be gone before it. */
export function sendAtOnce(fields: Record<string, string>): void {
  const [path, body] = [href("/positions"), new URLSearchParams(fields)];
  // Some browsers have beacons switched off.
  const isTaken = "sendBeacon" in navigator && navigator.sendBeacon(path, body);
  if (!isTaken) fetch(path, { method: "POST", body, keepalive: true }).catch(() => undefined);
}
