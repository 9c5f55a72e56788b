import { href } from "../../frame/paths.ts";

/** Sends a position, or that an item was opened, without waiting for the answer: the page may close before it comes. */
export function sendAtOnce(fields: Record<string, string>): void {
  const [path, body] = [href("/positions"), new URLSearchParams(fields)];
  // Some browsers have beacons switched off.
  const isQueued = "sendBeacon" in navigator && navigator.sendBeacon(path, body);
  if (!isQueued) fetch(path, { method: "POST", body, keepalive: true }).catch(() => undefined);
}
