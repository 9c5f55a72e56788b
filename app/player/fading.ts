import { useEffect, useRef, type RefObject } from "react";

import { darken } from "./darkness.ts";
import { darknessAt, FADE_MS, msLeft, type Timer, volumeAt } from "./sleep-time.ts";

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
  /** Asked for the same time again, by a tap or a key during the fade. */
  onAgain: () => void;
};

/**
 * Fades what plays, and the screen where there is a timer. All times come from the clock: a page in the background is asked seldom.
 * A tap or a key during the fade gives the same time again, and the volume comes back slowly.
 */
export function useFading(fading: Fading): void {
  const { media, timer, playMinutes, playedMs, isStopped, frameLeft, risesTo } = fading;
  const volume = useRef<FadedVolume>(risesTo === undefined ? { heard: 1 } : { heard: 0, whole: risesTo });
  const latest = useRef(fading);
  useEffect(() => {
    latest.current = fading;
  });

  useEffect(() => {
    const element = media.current instanceof HTMLMediaElement ? media.current : undefined;
    let wasPlaying = element?.paused === false;
    let lastTick = Date.now();
    let isOver = false;
    const again = () => latest.current.onAgain();

    function tick(): void {
      if (isOver) return;
      const now = Date.now();
      const passed = now - lastTick;
      if (wasPlaying) playedMs.current += passed;
      lastTick = now;
      wasPlaying = element?.paused === false;
      const loopLeft = playMinutes ? playMinutes * 60_000 - playedMs.current : Infinity;
      const itemLeft = element ? mediaLeft(element) : (frameLeft?.() ?? Infinity);
      const left = timer ? msLeft(timer, { now, toEnd: playMinutes ? loopLeft : itemLeft }) : Infinity;
      const firstLeft = Math.min(left, loopLeft);
      // The end of an item stays where it is.
      giveAgain = left > 0 && left < FADE_MS && timer?.choice !== "end" ? again : undefined;
      if (firstLeft > 0) {
        if (element && wasPlaying)
          setVolume(element, volume.current, Math.min(volumeAt(firstLeft), volume.current.heard + passed / RISE_MS));
        darken(darknessAt(left));
        return;
      }
      isStopped.current = true;
      volume.current.heard = 1;
      if (element && !element.paused) element.pause();
      // Its last place is stored once it has stopped.
      else if (left > 0) endItem();
      isOver = left <= 0;
      if (isOver) latest.current.onEnd();
    }

    function endItem(): void {
      if (element && timer) latest.current.onItemEnd?.(volume.current.whole ?? element.volume);
    }

    /** After its end a loop begins anew. */
    function begin(): void {
      if (playMinutes && playedMs.current >= playMinutes * 60_000) playedMs.current = 0;
    }

    const ending = new AbortController();
    const { signal } = ending;
    // Before anything looks at the time.
    element?.addEventListener("play", begin, { signal });
    watch(element, tick, signal);
    element?.addEventListener("ended", endItem, { signal });
    const ticking = timer && setInterval(tick, TICK_MS);
    return () => {
      if (wasPlaying) playedMs.current += Date.now() - lastTick;
      ending.abort();
      clearInterval(ticking);
      giveAgain = undefined;
      darken(0);
    };
  }, [media, timer, playMinutes, playedMs, isStopped, frameLeft]);
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
