import { type Choice, FIRST_CHOICE, isNight, parseChoice, type Timer } from "./sleep-time.ts";
import { readItem, writeItem } from "./storage.ts";
import { createStore } from "./store.ts";

/**
 * A member's choices about timers, which are stored on this device and never sent: the last choice (`10`, `20`, `30`, `45`, `60` or `end`),
 * whether a timer starts automatically at night, and whether the next favourite follows while it runs.
 */
const LAST_KEY = "sleep-timer";
const NIGHTLY_KEY = "sleep-timer-at-night";
const FOLLOWED_KEY = "sleep-timer-then";

type TimerSettings = { last: Choice | undefined; isNightly: boolean; isFollowed: boolean };

export const timerSettings = createStore<TimerSettings>({
  last: parseChoice(readItem(LAST_KEY)),
  isNightly: readItem(NIGHTLY_KEY) !== null,
  isFollowed: readItem(FOLLOWED_KEY) !== null,
});

export function writeTimerSettings(changed: Partial<TimerSettings>): void {
  const next = { ...timerSettings.read(), ...changed };
  writeItem(LAST_KEY, next.last && String(next.last));
  writeItem(NIGHTLY_KEY, next.isNightly ? "on" : undefined);
  writeItem(FOLLOWED_KEY, next.isFollowed ? "favourite" : undefined);
  timerSettings.set(next);
}

/** The timer that starts automatically, where this device wants that at this hour of its clock. */
export function startNightly(): Timer | undefined {
  const { last: choice = FIRST_CHOICE, isNightly } = timerSettings.read();
  const now = new Date(Date.now());
  return isNightly && isNight(now.getHours()) ? { choice, setAt: now.getTime() } : undefined;
}
