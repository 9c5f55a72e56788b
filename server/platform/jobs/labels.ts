import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../clock.ts";

/** How job lists write pace and length, in the command and at the desk. */

const paces = [
  ["hour", HOUR_IN_MS],
  ["minute", MINUTE_IN_MS],
  ["second", SECOND_IN_MS],
] as const;

/** `minute`, `10 minutes`: follows "every". */
export function formatPace(everyInMs: number): string {
  const [unit, length] = paces.find(([, inMs]) => everyInMs % inMs === 0) ?? ["second", SECOND_IN_MS];
  const count = everyInMs / length;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** `12 ms`, `3.4 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_IN_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_IN_MS) return `${(ms / SECOND_IN_MS).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND_IN_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** One server on a database, or each. */
export function doerText(isShared: boolean): string {
  return isShared ? "one for all" : "each server";
}
