import { type Choice, FIRST_CHOICE, isNight, parseChoice } from "./sleep-time.ts";
import { createStore } from "./store.ts";

/**
 * Where this browser keeps the last choice (`10`, `20`, `30`, `45`, `60` or `end`), whether a timer starts by itself at night, and whether
 * the next favourite follows while it runs.
 */
const LAST_KEY = "sleep-timer";
const NIGHTLY_KEY = "sleep-timer-at-night";
const FOLLOWED_KEY = "sleep-timer-then";

type Settings = { last: Choice | undefined; isNightly: boolean; isFollowed: boolean };

const store = createStore<Settings>({
  last: parseChoice(readItem(LAST_KEY)),
  isNightly: readItem(NIGHTLY_KEY) !== null,
  isFollowed: readItem(FOLLOWED_KEY) !== null,
});

/** A member's choices about timers on this device. They are never sent. */
export const useSettings = store.use;

export function writeSettings(changed: Partial<Settings>): void {
  const { last, isNightly, isFollowed } = { ...store.read(), ...changed };
  writeItem(LAST_KEY, last === undefined ? undefined : String(last));
  writeItem(NIGHTLY_KEY, isNightly ? "on" : undefined);
  writeItem(FOLLOWED_KEY, isFollowed ? "favourite" : undefined);
  store.set({ last, isNightly, isFollowed });
}

/** The timer that starts by itself at an hour of the device's clock. */
export function chooseNightly(hour: number): Choice | undefined {
  const { last = FIRST_CHOICE, isNightly } = store.read();
  return isNightly && isNight(hour) ? last : undefined;
}

export function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The browser keeps nothing for this site: the usual choice comes first.
    return null;
  }
}

export function writeItem(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above; this page keeps it until it goes.
  }
}
