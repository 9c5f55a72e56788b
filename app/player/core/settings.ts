import { type Choice, FIRST_CHOICE, isNight, parseChoice, type Timer } from "./sleep-time.ts";
import { createStore } from "./store.ts";

/* A member's choices about timers and films on this device. They are never sent. */

/**
 * Where this browser keeps the last choice (`10`, `20`, `30`, `45`, `60` or `end`), whether a timer starts by itself at night, and whether
 * the next favourite follows while it runs.
 */
const LAST_KEY = "sleep-timer";
const NIGHTLY_KEY = "sleep-timer-at-night";
const FOLLOWED_KEY = "sleep-timer-then";

type TimerSettings = { last: Choice | undefined; isNightly: boolean; isFollowed: boolean };

const timers = createStore<TimerSettings>({
  last: parseChoice(readItem(LAST_KEY)),
  isNightly: readItem(NIGHTLY_KEY) !== null,
  isFollowed: readItem(FOLLOWED_KEY) !== null,
});

export const useTimerSettings = timers.use;

export function writeTimerSettings(changed: Partial<TimerSettings>): void {
  const { last, isNightly, isFollowed } = { ...timers.read(), ...changed };
  writeItem(LAST_KEY, last === undefined ? undefined : String(last));
  writeItem(NIGHTLY_KEY, isNightly ? "on" : undefined);
  writeItem(FOLLOWED_KEY, isFollowed ? "favourite" : undefined);
  timers.set({ last, isNightly, isFollowed });
}

/** The timer that starts automatically, where this device wants that at this hour of its clock. */
export function startNightly(): Timer | undefined {
  const { last: choice = FIRST_CHOICE, isNightly } = timers.read();
  const now = new Date(Date.now());
  return isNightly && isNight(now.getHours()) ? { choice, setAt: now.getTime() } : undefined;
}

/** How fast a film plays. */
export type Speed = 0.75 | 1 | 1.25 | 1.5;

export const speeds: Speed[] = [0.75, 1, 1.25, 1.5];

/** A speed as it was stored, such as `1.25`; else the usual one. */
export function parseSpeed(text: string | null): Speed {
  return speeds.find((speed) => String(speed) === text) ?? 1;
}

/** Whether captions were switched `on` or `off` on this device; else the browser's own settings say whether they are shown. */
export function parseCaptions(text: string | null): boolean | undefined {
  return text === null ? undefined : text === "on";
}

const SPEED_KEY = "film-speed";
const CAPTIONS_KEY = "film-captions";

type FilmSettings = { speed: Speed; isCaptioned: boolean | undefined };

const films = createStore<FilmSettings>({
  speed: parseSpeed(readItem(SPEED_KEY)),
  isCaptioned: parseCaptions(readItem(CAPTIONS_KEY)),
});

export const useFilmSettings = films.use;

export function writeSpeed(speed: Speed): void {
  writeItem(SPEED_KEY, speed === 1 ? undefined : String(speed));
  films.set({ ...films.read(), speed });
}

export function writeCaptions(isCaptioned: boolean): void {
  writeItem(CAPTIONS_KEY, isCaptioned ? "on" : "off");
  films.set({ ...films.read(), isCaptioned });
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // The browser keeps nothing for this site: the usual choice comes first.
    return null;
  }
}

function writeItem(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above; this page keeps it until it goes.
  }
}
