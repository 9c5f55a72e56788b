import { isAtEnd } from "../../../server/members/positions/rules.ts";
import type { Controls, Progress } from "./controls.ts";
import type { Listening, Recording } from "../now-playing.ts";
import type { KnownPlace } from "./positions.ts";
import { listSources } from "./sources.ts";

/** How far a skip goes, in seconds. */
const SKIP_SECONDS = 15;

type ListeningOptions = {
  /** The element of the item's page; else a new one. */
  element?: HTMLAudioElement | undefined;
  /** Where it goes on, in seconds. */
  startAt?: number | undefined;
  place?: KnownPlace | undefined;
  memberId?: number | undefined;
};

/** A recording that can be played. It has not begun. */
export function createListening(
  recording: Recording,
  { element = createElement(recording), startAt: noted, place, memberId }: ListeningOptions,
): Listening {
  const { playMinutes, durationInSeconds = Infinity } = recording.sound;
  const duration = playMinutes ? playMinutes * 60 : durationInSeconds;
  // From its end it begins anew.
  const startAt = noted !== undefined && isAtEnd(noted, duration) ? undefined : noted;
  // A loop is taken to its place as it begins to play (`keepPosition`).
  if (startAt && !playMinutes && element.readyState === HTMLMediaElement.HAVE_NOTHING)
    element.addEventListener("loadedmetadata", () => (element.currentTime = startAt), { once: true });
  const isLost = { current: false };
  // Its sources fail one by one, and such errors do not bubble.
  element.addEventListener(
    "error",
    () => (isLost.current = element.error !== null || element.networkState === HTMLMediaElement.NETWORK_NO_SOURCE),
    { capture: true },
  );
  element.addEventListener("loadedmetadata", () => (isLost.current = false));
  return {
    recording,
    element,
    playedMs: { current: (startAt ?? 0) * 1000 },
    place: place && { ...place, startAt },
    isStopped: { current: false },
    isLost,
    memberId,
  };
}

function createElement(recording: Recording): HTMLAudioElement {
  const element = document.createElement("audio");
  element.preload = "none";
  fillElement(element, recording);
  return element;
}

/** Gives an element the sources of a recording, in place of those that it has. */
export function fillElement(element: HTMLAudioElement, { title, sound }: Recording): void {
  element.loop = sound.playMinutes !== undefined;
  element.setAttribute("aria-label", title);
  element.removeAttribute("src");
  element.replaceChildren(...listSources(sound).map((file) => Object.assign(document.createElement("source"), file)));
}

/** Where a recording is. */
export function readProgress({ recording: { sound }, element, playedMs, isLost }: Listening): Progress {
  const { playMinutes, durationInSeconds = 0 } = sound;
  const state = { isPlaying: !element.paused && !isLost.current, isLost: isLost.current };
  if (playMinutes) {
    const duration = playMinutes * 60;
    return { ...state, duration, seconds: Math.min(playedMs.current / 1000, duration) };
  }
  const duration = Number.isFinite(element.duration) ? element.duration : durationInSeconds;
  const isBegun = element.readyState > HTMLMediaElement.HAVE_NOTHING;
  return { ...state, duration, seconds: isBegun ? element.currentTime : playedMs.current / 1000 };
}

/** Goes to a place, in seconds from the beginning. A loop plays for less then, or for more. */
function seek(listening: Listening, seconds: number): void {
  const { element, playedMs } = listening;
  const { duration } = readProgress(listening);
  const place = Math.min(Math.max(0, seconds), duration || 0);
  playedMs.current = place * 1000;
  element.currentTime = element.loop ? place % (element.duration || 1) : place;
  // A browser tells it late where nothing is loaded yet.
  element.dispatchEvent(new Event("timeupdate"));
}

export function toControls(listening: Listening): Controls {
  return {
    element: listening.element,
    skipSeconds: SKIP_SECONDS,
    seek: (seconds) => seek(listening, seconds),
    read: () => readProgress(listening),
  };
}
