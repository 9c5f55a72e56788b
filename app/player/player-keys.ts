import { type Controls, skip, toggle } from "./controls.ts";

/** How far an arrow goes, in seconds, and how much louder or softer it makes a film. */
const STEP_SECONDS = 5;
const VOLUME_STEP = 0.1;

/** Keys that browsers' own controls handle once they have the focus. */
const nativeKeys = new Set([" ", "arrowleft", "arrowright", "arrowup", "arrowdown"]);

/**
 * Plays by the keys that players have, wherever within an area the focus is: Space and k, j and l, the arrows, m, the digits, and of a film
 * f and c. Keys stay with a field that is typed in, and Space with what it presses.
 * @returns how to let go of them.
 */
export function listenForKeys(area: HTMLElement | null, controls: Controls): () => void {
  function onKeyDown(event: KeyboardEvent): void {
    const { key, target, repeat } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const name = key.toLowerCase();
    const act = findAction(name, controls);
    if (!act || !(target instanceof HTMLElement) || isForTarget(target, name)) return;
    event.preventDefault();
    // A key that is held down seeks on, and switches once.
    if (!repeat || name.startsWith("arrow")) act();
  }
  area?.addEventListener("keydown", onKeyDown);
  return () => area?.removeEventListener("keydown", onKeyDown);
}

function isForTarget(target: HTMLElement, key: string): boolean {
  if (target instanceof HTMLMediaElement) return nativeKeys.has(key);
  if (target.matches("input[type=range]")) return nativeKeys.has(key);
  if (target.matches("button, summary, [role=button], input[type=checkbox]")) return key === " ";
  return target.isContentEditable || target.matches("input, select, textarea");
}

function findAction(key: string, controls: Controls): (() => void) | undefined {
  if (/^\d$/.test(key)) return () => controls.seek((controls.read().duration * Number(key)) / 10);
  const { element, skipSeconds } = controls;
  const actions: Partial<Record<string, () => void>> = {
    " ": () => toggle(controls),
    k: () => toggle(controls),
    j: () => skip(controls, -skipSeconds),
    l: () => skip(controls, skipSeconds),
    arrowleft: () => skip(controls, -STEP_SECONDS),
    arrowright: () => skip(controls, STEP_SECONDS),
    m: () => (element.muted = !element.muted),
  };
  return actions[key] ?? (element instanceof HTMLVideoElement ? findFilmAction(key, element) : undefined);
}

function findFilmAction(key: string, film: HTMLVideoElement): (() => void) | undefined {
  const actions: Partial<Record<string, () => void>> = {
    arrowup: () => setVolume(film, film.volume + VOLUME_STEP),
    arrowdown: () => setVolume(film, film.volume - VOLUME_STEP),
    c: () => toggleCaptions(film),
    f: () => void toggleFullscreen(film).catch(() => undefined),
  };
  return actions[key];
}

function setVolume(film: HTMLMediaElement, volume: number): void {
  film.volume = Math.min(1, Math.max(0, volume));
}

function toggleCaptions({ textTracks }: HTMLMediaElement): void {
  const [track] = textTracks;
  if (track) track.mode = track.mode === "showing" ? "hidden" : "showing";
}

/** An iPhone has its own full screen, and no API for it that others know. */
async function toggleFullscreen(film: HTMLMediaElement): Promise<void> {
  await (document.fullscreenElement ? document.exitFullscreen() : film.requestFullscreen());
}
