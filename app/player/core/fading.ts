import { useEffect, useRef, type RefObject } from "react";

import { darken } from "../controls/darkness.ts";
import { startNightly } from "./settings.ts";
import { darknessAt, FADE_MS, keepPace, msLeft, type Timer, volumeAt } from "./sleep-time.ts";

const TICK_MS = 500;

/** How long the sound takes to full volume after the fade was broken off. */
const RISE_MS = 4000;

let giveAgain: (() => void) | undefined;

/** Gives a timer that is about to end its whole time again; answers whether there is one. */
export function giveTimeAgain(): boolean {
  giveAgain?.();
  return giveAgain !== undefined;
}

type Fading = {
  media: RefObject<HTMLMediaElement | HTMLIFrameElement | null>;
  timer: Timer | undefined;
  /** A loop ends after so many minutes, timer or not. */
  playMinutes?: number | undefined;
  /** For how long it has been played, in ms. */
  playedMs: { current: number };
  /** Whether it was stopped here. */
  isStopped: { current: boolean };
  /** The rest of another host's film, in ms. */
  frameLeft?: (() => number) | undefined;
  onEnd: () => void;
  /** The item is over, before the timer is. `volume` is what it had before it faded. */
  onItemEnd?: ((volume: number) => void) | undefined;
  /** Something that begins by itself comes up to this volume, slowly. */
  risesTo?: number | undefined;
  /** It waits, goes on, has the same time again after a tap or a key during the fade, or begins in its night. */
  onTimer: (timer: Timer) => void;
};

/**
 * Fades what plays, and the screen where there is a timer. All times come from the clock: a page in the background is asked seldom.
 * While nothing plays a timer waits, and the screen is not darkened: its page may be read. Another host's film counts as playing.
 * A tap or a key during the fade gives the same time again, and the volume comes back slowly.
 */
export function useFading(fading: Fading): void {
  const { media, timer, playMinutes, playedMs, isStopped, frameLeft, risesTo } = fading;
  const volume = useRef<FadedVolume>(risesTo === undefined ? { heard: 1 } : { heard: 0, whole: risesTo });
  const latest = useRef(fading);
  useEffect(() => {
    latest.current = fading;
  });

  useEffect(
    () =>
      startFading({ media, timer, playMinutes, playedMs, isStopped, frameLeft }, { volume: volume.current, latest }),
    [media, timer, playMinutes, playedMs, isStopped, frameLeft],
  );
}

type Watched = Pick<Fading, "media" | "timer" | "playMinutes" | "playedMs" | "isStopped" | "frameLeft">;
type Refs = { volume: FadedVolume; latest: { current: Fading } };

function startFading(
  { media, timer, playMinutes, playedMs, isStopped, frameLeft }: Watched,
  { volume, latest }: Refs,
): () => void {
  const element = media.current instanceof HTMLMediaElement ? media.current : undefined;
  let wasPlaying = element?.paused === false;
  let lastTick = Date.now();
  let isOver = false;
  const held = holdTimer(timer, (next) => latest.current.onTimer(next));

  function tick(): void {
    if (isOver) return;
    const now = Date.now();
    const passed = now - lastTick;
    if (wasPlaying) playedMs.current += passed;
    // The pause at an end is no reason to wait.
    const isActive = !element?.paused || (wasPlaying && (element.ended || isStopped.current));
    // A device that slept tells of a pause late.
    const current = held.keepPace(isActive, isActive ? now : lastTick);
    lastTick = now;
    wasPlaying = element?.paused === false;
    const loopLeft = playMinutes ? playMinutes * 60_000 - playedMs.current : Infinity;
    const itemLeft = element ? mediaLeft(element) : (frameLeft?.() ?? Infinity);
    const left = current ? msLeft(current, { now, toEnd: playMinutes ? loopLeft : itemLeft }) : Infinity;
    const firstLeft = Math.min(left, loopLeft);
    // The end of an item stays where it is.
    giveAgain = isActive && left > 0 && left < FADE_MS && current?.choice !== "end" ? held.renew : undefined;
    if (!isActive) return darken(0);
    if (firstLeft > 0) {
      if (element && wasPlaying)
        setVolume(element, volume, Math.min(volumeAt(firstLeft), volume.heard + passed / RISE_MS));
      darken(darknessAt(left));
      return;
    }
    isStopped.current = true;
    volume.heard = 1;
    if (element && !element.paused) element.pause();
    // Its last place is stored once it has stopped.
    else if (left > 0) endItem();
    isOver = left <= 0;
    if (isOver) latest.current.onEnd();
  }

  function endItem(): void {
    if (element && timer) latest.current.onItemEnd?.(volume.whole ?? element.volume);
  }

  /** After its end a loop begins again, and after a stop in the night its timer. */
  function begin(): void {
    if (playMinutes && playedMs.current >= playMinutes * 60_000) playedMs.current = 0;
    if (isStopped.current && !timer) held.change(startNightly());
    isStopped.current = false;
  }

  const ending = new AbortController();
  const { signal } = ending;
  // Before anything looks at the time.
  element?.addEventListener("play", begin, { signal });
  watch(element, tick, signal);
  element?.addEventListener("ended", endItem, { signal });
  const ticking = timer && setInterval(tick, TICK_MS);
  // Set for something that does not play yet.
  held.keepPace(!element?.paused, lastTick);
  return () => {
    if (wasPlaying) playedMs.current += Date.now() - lastTick;
    ending.abort();
    clearInterval(ticking);
    giveAgain = undefined;
    darken(0);
  };
}

/** A timer as it waits and goes on. */
function holdTimer(timer: Timer | undefined, onChange: (timer: Timer) => void) {
  let current = timer;
  function change(next: Timer | undefined): void {
    if (!next || next === current) return;
    current = next;
    onChange(next);
  }
  return {
    change,
    renew: () => change(current && { choice: current.choice, setAt: Date.now() }),
    keepPace(isPlaying: boolean, now: number): Timer | undefined {
      change(current && keepPace(current, isPlaying, now));
      return current;
    },
  };
}

/** Calls `tick` at each event of the element and of the page's visibility, and renews an ending timer at each tap and key. */
function watch(element: HTMLMediaElement | undefined, tick: () => void, signal: AbortSignal): void {
  for (const event of ["play", "pause", "timeupdate", "ended"]) element?.addEventListener(event, tick, { signal });
  document.addEventListener("visibilitychange", tick, { signal });
  for (const event of ["pointerdown", "keydown"])
    document.addEventListener(event, giveTimeAgain, { signal, capture: true });
}

type FadedVolume = {
  /** The share of the volume that is heard. */
  heard: number;
  /** The volume before the fade. It comes back when the item plays again: earlier, its last moment would be loud. */
  whole?: number | undefined;
};

function setVolume(element: HTMLMediaElement, volume: FadedVolume, share: number): void {
  volume.heard = share;
  if (share === 1 && volume.whole === undefined) return;
  volume.whole ??= element.volume;
  element.volume = volume.whole * share;
  if (share === 1) volume.whole = undefined;
}

/** The rest of a film or a recording, in ms; unknown is endless. */
function mediaLeft({ duration, currentTime, playbackRate, ended }: HTMLMediaElement): number {
  if (ended) return 0;
  return Number.isFinite(duration) ? ((duration - currentTime) / playbackRate) * 1000 : Infinity;
}
