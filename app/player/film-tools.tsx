import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { Controls, Progress } from "./controls.ts";
import { type ForeignVideo, type FrameTime, listenToFrame } from "./frame-time.ts";
import { showOnLockScreen } from "./media-session.ts";
import { sendAtOnce } from "./opened.ts";
import { listenForKeys } from "./player-keys.ts";
import { PlayerWatch } from "./player-watch.tsx";
import { keepPosition, type KnownPlace } from "./positions.ts";
import { SleepTimer } from "./sleep-timer.tsx";
import { playAlone, silenceOthers } from "./solo.ts";

type FilmToolsProps = {
  itemKey: string;
  /** The member's place in it, if positions are stored. */
  place: KnownPlace | undefined;
  media: RefObject<HTMLVideoElement | HTMLIFrameElement | null>;
  /** Where another host plays it. */
  foreign?: ForeignVideo | undefined;
  /** Asks for a new frame in place of one that is silent. */
  onRetry?: () => void;
};

type FrameRef = RefObject<HTMLIFrameElement | null>;

/**
 * The parts that script adds to a film: its keys, the watch over another host's frame, the controls of the lock screen, the sleep
 * timer, and the member's place.
 */
export function FilmTools({ itemKey, place, media, foreign, onRetry }: FilmToolsProps) {
  const [attempt, setAttempt] = useState(0);
  const frameLeft = useFrameTime(media, foreign);
  useEffect(() => {
    if (!foreign) return;
    // No more is known of what another host plays.
    sendAtOnce({ open: itemKey });
    silenceOthers();
  }, [foreign, itemKey]);
  const [known] = useState(place);
  useEffect(() => {
    const film = media.current;
    if (!(film instanceof HTMLVideoElement)) return undefined;
    const controls = toControls(film);
    const releases = [
      playAlone(film),
      listenForKeys(film.closest("dialog"), controls),
      showOnLockScreen(controls, readShown(film)),
      known && keepPosition(film, { itemKey, known }),
    ];
    return () => {
      for (const release of releases) release?.();
    };
  }, [media, itemKey, known]);
  return (
    <>
      {foreign && (
        <PlayerWatch
          key={attempt}
          frame={media as FrameRef}
          video={foreign}
          onRetry={() => {
            setAttempt(attempt + 1);
            onRetry?.();
          }}
        />
      )}
      <SleepTimer media={media} played={foreign ? "frame" : "film"} frameLeft={frameLeft} />
    </>
  );
}

/** Answers how much of another host's film is left, in ms. */
function useFrameTime(media: FilmToolsProps["media"], foreign: ForeignVideo | undefined): () => number {
  const time = useRef<FrameTime>(undefined);
  useEffect(() => {
    if (!foreign) return undefined;
    time.current = listenToFrame(media as FrameRef, foreign);
    return time.current.stop;
  }, [media, foreign]);
  return useCallback(() => time.current?.left() ?? Infinity, []);
}

const SKIP_SECONDS = 10;

function toControls(film: HTMLVideoElement): Controls {
  return {
    element: film,
    skipSeconds: SKIP_SECONDS,
    seek: (seconds) => (film.currentTime = Math.min(film.duration || 0, Math.max(0, seconds))),
    read: () => readProgress(film),
  };
}

function readProgress(film: HTMLVideoElement): Progress {
  const { currentTime: seconds, duration, paused, error, networkState } = film;
  const isLost = error !== null || networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
  return { seconds, duration: Number.isFinite(duration) ? duration : 0, isPlaying: !paused && !isLost, isLost };
}

/** A film as the lock screen shows it, with the picture of its page. */
function readShown(film: HTMLVideoElement) {
  const picture = document.querySelector<HTMLImageElement>("#play img");
  return { title: film.getAttribute("aria-label") ?? "", picture: picture?.currentSrc };
}
