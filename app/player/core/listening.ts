import type { Sound } from "../../../server/content/items/sound.ts";
import { isAtEnd } from "../../../server/members/positions/progress.ts";
import { type Controls, goTo, hasFailed, type Progress } from "./controls.ts";

const SKIP_SECONDS = 15;

/** How long a recording is: a loop plays for so many minutes. */
type Length = Pick<Sound, "playMinutes" | "durationInSeconds">;

export type Listening = {
  element: HTMLAudioElement;
  length: Length;
  /** For how long it was played, in ms: the place of a loop in the minutes that it plays for. */
  playedMs: { current: number };
  /** Whether it was stopped here, at the end of a loop or of the timer. */
  isStopped: { current: boolean };
  isLost: { current: boolean };
};

/** A recording that can be played. It has not begun. `from`: where it goes on, in seconds; from its end it begins again. */
export function createListening(element: HTMLAudioElement, length: Length, from = 0): Listening {
  const { playMinutes, durationInSeconds = Infinity } = length;
  const startAt = isAtEnd(from, playMinutes ? playMinutes * 60 : durationInSeconds) ? 0 : from;
  // A loop is taken to its position as it begins to play (`keepPosition`).
  if (startAt > 0 && !playMinutes && element.readyState === element.HAVE_NOTHING) goTo(element, startAt);
  const isLost = { current: false };
  // Its sources fail one by one, and such errors do not bubble.
  element.addEventListener("error", () => (isLost.current = hasFailed(element)), { capture: true });
  element.addEventListener("loadedmetadata", () => (isLost.current = false));
  return { element, length, playedMs: { current: startAt * 1000 }, isStopped: { current: false }, isLost };
}

export function readProgress({ length, element, playedMs, isLost }: Listening): Progress {
  const { playMinutes, durationInSeconds = 0 } = length;
  const state = { isPlaying: !element.paused && !isLost.current, isLost: isLost.current };
  if (playMinutes) {
    const duration = playMinutes * 60;
    return { ...state, duration, seconds: Math.min(playedMs.current / 1000, duration) };
  }
  const duration = Number.isFinite(element.duration) ? element.duration : durationInSeconds;
  const isBegun = element.readyState > element.HAVE_NOTHING;
  return { ...state, duration, seconds: isBegun ? element.currentTime : playedMs.current / 1000 };
}

/** A loop that is moved plays for less time from then on, or for more. */
export function toControls(listening: Listening): Controls {
  const { element, playedMs } = listening;
  const read = () => readProgress(listening);
  return {
    element,
    skipSeconds: SKIP_SECONDS,
    read,
    seek: (seconds) => {
      const position = Math.min(Math.max(0, seconds), read().duration || 0);
      playedMs.current = position * 1000;
      goTo(element, element.loop ? position % (element.duration || 1) : position);
      // A browser reports it late where nothing is loaded yet.
      element.dispatchEvent(new Event("timeupdate"));
    },
  };
}
