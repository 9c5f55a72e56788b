import { countText, remainingText } from "../../../server/members/positions/progress.ts";

export type Progress = {
  isPlaying: boolean;
  seconds: number;
  /** 0 until it is known. A loop's is how long it is to play. */
  duration: number;
  /** It could not be fetched. */
  isLost: boolean;
};

export type Controls = {
  element: HTMLMediaElement;
  skipSeconds: number;
  seek: (seconds: number) => void;
  read: () => Progress;
};

/** Events that may change the progress. Errors of an element's sources do not bubble: listen in the capture phase. */
export const progressEvents = [
  "play",
  "pause",
  "timeupdate",
  "durationchange",
  "seeked",
  "ratechange",
  "ended",
  "error",
  "emptied",
];

export function skip({ seek, read }: Controls, seconds: number): void {
  seek(read().seconds + seconds);
}

/** Plays or pauses. What was lost with the line is fetched again and goes on where it was, however many times that takes. */
export function toggle({ element, read }: Controls): void {
  const { isPlaying, isLost } = read();
  if (isPlaying) return element.pause();
  if (isLost) {
    const { currentTime } = element;
    element.load();
    // At 0 an earlier attempt has left where to go on, or a film starts where its address says.
    if (currentTime > 0) goTo(element, currentTime);
  }
  element.play().catch(() => undefined);
}

/** Whether the element, or each of its sources, could not be fetched. */
export function hasFailed({ error, networkState, NETWORK_NO_SOURCE }: HTMLMediaElement): boolean {
  return error !== null || networkState === NETWORK_NO_SOURCE;
}

/** Where elements go once their length is known. */
const positions = new WeakMap<HTMLMediaElement, number>();

/** Goes to a position, in seconds: at once, or as soon as something is loaded. The last call counts. */
export function goTo(element: HTMLMediaElement, seconds: number): void {
  if (element.readyState > element.HAVE_NOTHING) {
    element.currentTime = seconds;
    return;
  }
  const isWaiting = positions.has(element);
  positions.set(element, seconds);
  if (!isWaiting) element.addEventListener("loadedmetadata", () => arrive(element), { once: true });
}

function arrive(element: HTMLMediaElement): void {
  element.currentTime = positions.get(element) ?? 0;
  positions.delete(element);
}

/** The rest at the present speed, in words; empty until it is known. */
export function leftText({ seconds, duration, isLost }: Progress, speed: number): string {
  if (isLost) return "We couldn't reach it. Press Play to try again.";
  return duration > 0 ? remainingText((duration - seconds) / speed) : "";
}

/** A position in words, such as “2 minutes 5 seconds of 10 minutes”. */
export function positionText({ seconds, duration }: Pick<Progress, "seconds" | "duration">): string {
  return duration > 0 ? `${lengthText(seconds)} of ${lengthText(duration)}` : "not known yet";
}

function lengthText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [countText(Math.floor(whole / 60), "minute"), countText(whole % 60, "second")];
  return parts.filter(Boolean).join(" ") || "0 seconds";
}
