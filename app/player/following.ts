import { useEffect, useRef } from "react";

import { href } from "../frame/paths.ts";
import type { Controls } from "./core/controls.ts";
import type { KnownPosition } from "./core/positions.ts";
import type { Timer } from "./core/sleep-time.ts";
import { timerSettings } from "./core/settings.ts";
import { useStore } from "./controls/use-store.ts";
import { nowPlaying, type Playing, type Recording } from "./now-playing.ts";
import { fillElement, openRecording } from "./recording.ts";

export type NextRecording = { recording: Recording; position: KnownPosition };

/** We look up the next one so long before the end: a phone in the dark lets a silent page do little. */
const LOOK_UP_SECONDS = 60;

/**
 * Lets the next of a member's favourite recordings follow, where this device wants that and a timer has time left.
 * @returns what to do at the end of the recording; `volume` is what it had before it faded.
 */
export function useNext(playing: Playing, controls: Controls, timer: Timer | undefined): (volume: number) => void {
  const { isFollowed } = useStore(timerSettings);
  const isWanted = isFollowed && timer !== undefined && timer.choice !== "end";
  const next = useRef<NextRecording>(undefined);
  const { element, recording } = playing;
  useEffect(() => {
    if (!isWanted) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    let isRequested = false;
    async function lookUp(): Promise<void> {
      const { seconds, duration } = controls.read();
      if (isRequested || element.paused || duration === 0 || duration - seconds > LOOK_UP_SECONDS) return;
      isRequested = true;
      next.current = await findNext(recording.itemKey, signal);
    }
    element.addEventListener("timeupdate", () => void lookUp(), { signal });
    return () => {
      ending.abort();
      next.current = undefined;
    };
  }, [isWanted, controls, element, recording]);
  return (volume) => {
    if (!next.current) return;
    follow(playing, { next: next.current, volume });
    next.current = undefined;
  };
}

async function findNext(itemKey: string, signal: AbortSignal): Promise<NextRecording | undefined> {
  try {
    const answer = await fetch(href(`/favourites?after=${itemKey}`), { signal });
    return answer.ok ? (((await answer.json()) as NextRecording | null) ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Plays the next recording in the element of the last: a browser lets that one play without a tap. */
function follow(last: Playing, { next, volume }: { next: NextRecording; volume: number }): void {
  const bar = nowPlaying.read();
  if (bar?.element !== last.element) return;
  const { element } = last;
  fillElement(element, next.recording);
  element.volume = 0;
  element.load();
  const listening = openRecording(next.recording, { element, position: next.position, memberId: last.memberId });
  nowPlaying.set({ ...listening, risesTo: volume, Bar: bar.Bar });
  element.play().catch(() => undefined);
}
