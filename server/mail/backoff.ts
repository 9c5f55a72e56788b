import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";

/** How long to wait after the first, second, third and fourth failure; after that hourly. */
const FIRST_WAITS_IN_MS = [MINUTE_IN_MS, 5 * MINUTE_IN_MS, 15 * MINUTE_IN_MS, HOUR_IN_MS];

/** A letter that has not gone by then is given up. */
const GIVE_UP_AFTER_IN_MS = DAY_IN_MS;

/** How long a letter waits after it failed for the `attempts`th time, `ageInMs` after it was written; `undefined`: no longer. */
export function waitAfterFailure(attempts: number, ageInMs: number): number | undefined {
  if (ageInMs >= GIVE_UP_AFTER_IN_MS) return undefined;
  return FIRST_WAITS_IN_MS[attempts - 1] ?? HOUR_IN_MS;
}
