import { writeItem } from "./storage.ts";

/** Of all tabs of a browser one plays at a time. This entry of the local storage lets the others know. */
const STORAGE_KEY = "last-played";

let sounding: HTMLMediaElement | undefined;

/**
 * Pauses all others when this element plays, and this one when another plays, in this tab or another one.
 * @returns a function that stops it.
 */
export function playAlone(element: HTMLMediaElement): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const begin = () => {
    if (sounding === element) sounding = undefined;
    silenceOthers();
    sounding = element;
  };
  if (!element.paused) begin();
  element.addEventListener("play", begin, { signal });
  addEventListener("storage", ({ key }) => key === STORAGE_KEY && element.pause(), { signal });
  return () => {
    ending.abort();
    if (sounding === element) sounding = undefined;
  };
}

/** Pauses what plays in any tab, because something else begins here. */
export function silenceOthers(): void {
  sounding?.pause();
  writeItem(STORAGE_KEY, String(Math.random()));
}
