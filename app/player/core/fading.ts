import type { SleepTimer } from "./sleep-timer.ts";
import { startNightly } from "./settings.ts";
import { darknessAt, FADE_MS, passTime } from "./sleep-time.ts";

const TICK_MS = 500;

let giveAgain: (() => void) | undefined;

/** Gives a timer that is about to end its whole time again; returns whether there is one. */
export function giveTimeAgain(): boolean {
  const isEnding = giveAgain !== undefined;
  giveAgain?.();
  return isEnding;
}

export type Fading = {
  /** Another host's film has none, and counts as playing. */
  element: HTMLMediaElement | undefined;
  timer: SleepTimer;
  /** A loop ends after so many minutes, timer or not. */
  playMinutes?: number | undefined;
  playedMs: { current: number };
  isStopped: { current: boolean };
  /** The rest of another host's film, in ms. */
  frameLeft?: (() => number) | undefined;
  /** Something that begins without a press comes up to this volume, slowly. */
  risesTo?: number | undefined;
  /** The timer is over. */
  onEnd?: (() => void) | undefined;
  /** The item is over, before the timer is. `volume` is what it had before it faded. */
  onItemEnd?: ((volume: number) => void) | undefined;
  /** How dark the screen is to be, from 0 to 1. It stays bright while nothing plays: its page may be read. */
  onDarkness?: ((darkness: number) => void) | undefined;
};

/**
 * Fades what plays, and the screen where there is a timer. A tap or a key during the fade gives the same time again.
 * @returns a function that stops it.
 */
export function startFading(fading: Fading): () => void {
  const { element, timer, playMinutes = Infinity, playedMs, isStopped, onDarkness: darken = () => undefined } = fading;
  const loopMs = playMinutes * 60_000;
  const volume = createVolume(element, fading.risesTo);
  const isPlaying = () => element?.paused !== true;
  const readTimer = () => timer.read().timer;
  let course = { at: Date.now(), isPlaying: isPlaying(), heard: fading.risesTo === undefined ? 1 : 0 };

  function tick(): void {
    const isOver = element?.ended === true || isStopped.current;
    const moment = { now: Date.now(), isPlaying: isPlaying(), isOver, itemLeft: readLeft(fading), loopMs };
    const last = { ...course, playedMs: playedMs.current, timer: readTimer() };
    const { isActive, left, timerLeft, ...next } = passTime(last, moment);
    course = next;
    playedMs.current = next.playedMs;
    if (next.timer !== readTimer()) timer.set(next.timer);
    // The end of an item stays where it is.
    const isEnding = isActive && timerLeft > 0 && timerLeft < FADE_MS && next.timer?.choice !== "end";
    giveAgain = isEnding ? renew : undefined;
    if (isActive && left <= 0) return stop(timerLeft <= 0);
    if (next.isPlaying) volume.set(next.heard);
    darken(isActive ? darknessAt(timerLeft) : 0);
  }

  function stop(isTimers: boolean): void {
    isStopped.current = true;
    course.heard = 1;
    if (isTimers) timer.set(undefined);
    // After all other listeners to this pause, which store the last position.
    else if (isPlaying()) element?.addEventListener("pause", endItem, { once: true, signal });
    element?.pause();
    if (isTimers) fading.onEnd?.();
  }

  function renew(): void {
    const { choice } = readTimer() ?? {};
    if (choice) timer.set({ choice, setAt: Date.now() });
    tick();
  }

  function endItem(): void {
    if (element && readTimer()) fading.onItemEnd?.(volume.whole());
  }

  /** After its end a loop begins again, and after a stop in the night its timer. */
  function begin(): void {
    if (playedMs.current >= loopMs) playedMs.current = 0;
    if (isStopped.current && !readTimer()) timer.set(startNightly());
    isStopped.current = false;
  }

  const ending = new AbortController();
  const { signal } = ending;
  watch(element, { begin, tick, endItem, signal });
  const ticking = setInterval(() => readTimer() && tick(), TICK_MS);
  return () => {
    if (course.isPlaying) playedMs.current += Date.now() - course.at;
    ending.abort();
    clearInterval(ticking);
    giveAgain = undefined;
    darken(0);
  };
}

type Watching = Record<"begin" | "tick" | "endItem", () => void> & { signal: AbortSignal };

/** Watches an element and the visibility of its page, and renews an ending timer at each press and key. */
function watch(element: HTMLMediaElement | undefined, { begin, tick, endItem, signal }: Watching): void {
  // Before anything looks at the time.
  element?.addEventListener("play", begin, { signal });
  for (const event of ["play", "pause", "timeupdate", "ended"]) element?.addEventListener(event, tick, { signal });
  element?.addEventListener("ended", endItem, { signal });
  document.addEventListener("visibilitychange", tick, { signal });
  for (const event of ["pointerdown", "keydown"])
    document.addEventListener(event, giveTimeAgain, { signal, capture: true });
}

/**
 * The volume of an element, as a share of what it was before the fade. The whole comes back when it plays again: at the
 * pause, its last moment would be loud.
 */
function createVolume(element: HTMLMediaElement | undefined, risesTo: number | undefined) {
  let whole = risesTo;
  return {
    whole: () => whole ?? element?.volume ?? 1,
    set(share: number): void {
      if (!element || (share === 1 && whole === undefined)) return;
      whole ??= element.volume;
      element.volume = whole * share;
      if (share === 1) whole = undefined;
    },
  };
}

/** The rest of a film or a recording, in ms; a loop has no end of its own. */
function readLeft({ element, frameLeft, playMinutes }: Fading): number {
  if (!element || playMinutes) return frameLeft?.() ?? Infinity;
  const { duration, currentTime, playbackRate, ended } = element;
  if (ended) return 0;
  return Number.isFinite(duration) ? ((duration - currentTime) / playbackRate) * 1000 : Infinity;
}
