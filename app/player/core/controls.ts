import { useEffect, useReducer } from "react";

/** Where something that plays is, in seconds. */
export type Progress = {
  isPlaying: boolean;
  /** From its beginning. */
  seconds: number;
  /** All of it; of a loop, for how long it plays. 0 where that is not known yet. */
  duration: number;
  /** It could not be fetched. */
  isLost: boolean;
};

/** The controls of what an element plays, for buttons, keys and the lock screen. */
export type Controls = {
  element: HTMLMediaElement;
  /** How far a skip goes, in seconds. */
  skipSeconds: number;
  /** Goes to a place, in seconds from the beginning. */
  seek: (seconds: number) => void;
  read: () => Progress;
};

/** Goes on by so many seconds, or back. */
export function skip({ seek, read }: Controls, seconds: number): void {
  seek(read().seconds + seconds);
}

/** Plays or pauses; fetches anew what was lost with the line, and goes on where it was. */
export function toggle({ element, read }: Controls): void {
  const { isPlaying, isLost } = read();
  if (isPlaying) return element.pause();
  if (isLost) {
    const { currentTime } = element;
    const goOn = () => (element.currentTime = currentTime);
    // At 0 after an attempt that failed: then an earlier one has left where to go on.
    if (currentTime > 0) element.addEventListener("loadedmetadata", goOn, { once: true });
    element.load();
  }
  element.play().catch(() => undefined);
}

const changes = ["play", "pause", "timeupdate", "durationchange", "seeked", "ratechange", "ended", "error", "emptied"];

/** The progress, as it changes. */
export function useProgress({ element, read }: Controls): Progress {
  useEvents(element, changes);
  return read();
}

/** A place in words, such as “2 minutes 5 seconds of 10 minutes”. */
export function placeText(seconds: number, duration: number): string {
  return `${lengthText(seconds)} of ${lengthText(duration)}`;
}

function lengthText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [countText(Math.floor(whole / 60), "minute"), countText(whole % 60, "second")];
  return parts.filter(Boolean).join(" ") || "0 seconds";
}

function countText(number: number, unit: string): string {
  return number === 0 ? "" : `${number} ${unit}${number === 1 ? "" : "s"}`;
}

/** Draws a component anew at each of these events. */
export function useEvents(target: EventTarget, events: readonly string[]): void {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const ending = new AbortController();
    // Errors of an element's sources do not bubble.
    for (const event of events) target.addEventListener(event, drawAgain, { signal: ending.signal, capture: true });
    return () => ending.abort();
  }, [target, events]);
}
