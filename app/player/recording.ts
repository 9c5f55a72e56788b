import { createListening } from "./core/listening.ts";
import type { KnownPosition } from "./core/positions.ts";
import { listSources, toSourceProps } from "./core/sources.ts";
import type { Playing, Recording } from "./now-playing.ts";

type RecordingOptions = Pick<Playing, "position" | "memberId"> & {
  /** The element of the item's page; else a new one. */
  element?: HTMLAudioElement | undefined;
  startAt?: KnownPosition["startAt"];
};

export function openRecording(recording: Recording, options: RecordingOptions): Playing {
  const { element = createElement(recording), startAt, position, memberId } = options;
  const listening = createListening(element, recording.sound, startAt);
  const known = position && { ...position, startAt: listening.playedMs.current / 1000 || undefined };
  return { ...listening, recording, position: known, memberId };
}

function createElement(recording: Recording): HTMLAudioElement {
  const element = document.createElement("audio");
  element.preload = "none";
  fillElement(element, recording);
  return element;
}

export function fillElement(element: HTMLAudioElement, { title, sound }: Recording): void {
  element.loop = sound.playMinutes !== undefined;
  element.setAttribute("aria-label", title);
  const { src, sources } = toSourceProps(listSources(sound));
  element.replaceChildren(...sources.map((file) => Object.assign(document.createElement("source"), file)));
  if (src === undefined) element.removeAttribute("src");
  else element.src = src;
}
