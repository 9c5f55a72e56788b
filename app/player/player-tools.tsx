import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import type { Sound } from "../../server/content/sound.ts";
import { type ForeignVideo, type FrameTime, listenToFrame } from "./frame-time.ts";
import { listenForKeys } from "./player-keys.ts";
import { PlayerWatch } from "./player-watch.tsx";
import { sendAtOnce } from "./opened.ts";
import { keepPosition, type KnownPlace } from "./positions.ts";
import { SleepTimer } from "./sleep-timer.tsx";

export type PlayerToolsProps = {
  itemKey: string;
  /** The member's place in it, if positions are stored. */
  place: KnownPlace | undefined;
  media: RefObject<HTMLMediaElement | HTMLIFrameElement | null>;
  /** Where another host plays it. */
  foreign?: ForeignVideo | undefined;
  sound?: Sound;
  /** Asks for a new frame in place of one that is silent. */
  onRetry?: () => void;
};

type FrameRef = RefObject<HTMLIFrameElement | null>;

/**
 * The parts that script adds to a player: its keys, the watch over another host's frame, the controls of the lock screen, the sleep
 * timer, and the member's place.
 */
export default function PlayerTools({ itemKey, place, media, foreign, sound, onRetry }: PlayerToolsProps) {
  const [attempt, setAttempt] = useState(0);
  const frameLeft = useFrameTime(media, foreign);
  useMediaSession(media, sound);
  useEffect(() => {
    // No more is known of what another host plays.
    if (foreign) sendAtOnce({ open: itemKey });
  }, [foreign, itemKey]);
  const playMinutes = sound?.playMinutes;
  const playedMs = useRef((place?.startAt ?? 0) * 1000);
  const [known] = useState(place);
  useEffect(() => {
    if (!known || !(media.current instanceof HTMLMediaElement)) return undefined;
    return keepPosition(media.current, { itemKey, known, loop: playMinutes ? { playedMs, playMinutes } : undefined });
  }, [media, itemKey, known, playMinutes]);
  useEffect(
    // A recording is on a page that has uses of its own for these keys.
    () => (media.current instanceof HTMLVideoElement ? listenForKeys(media.current) : undefined),
    [media],
  );
  const played = sound ? "sound" : foreign ? "frame" : "film";
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
      <SleepTimer media={media} played={played} playMinutes={playMinutes} playedMs={playedMs} frameLeft={frameLeft} />
    </>
  );
}

/** Answers how much of another host's film is left, in ms. */
function useFrameTime(media: PlayerToolsProps["media"], foreign: ForeignVideo | undefined): () => number {
  const time = useRef<FrameTime>(undefined);
  useEffect(() => {
    if (!foreign) return undefined;
    time.current = listenToFrame(media as FrameRef, foreign);
    return time.current.stop;
  }, [media, foreign]);
  return useCallback(() => time.current?.left() ?? Infinity, []);
}

const SKIP_SECONDS = 10;

/** Title, picture and controls of a recording on the lock screen and on headphones. */
function useMediaSession(media: PlayerToolsProps["media"], sound: Sound | undefined): void {
  useEffect(() => {
    const element = media.current;
    if (!sound || !(element instanceof HTMLAudioElement) || !("mediaSession" in navigator)) return undefined;
    const { mediaSession: session } = navigator;
    const skip = (seconds: number) => {
      element.currentTime = Math.min(element.duration || 0, Math.max(0, element.currentTime + seconds));
    };
    const handlers: [MediaSessionAction, MediaSessionActionHandler][] = [
      ["play", () => void element.play()],
      ["pause", () => element.pause()],
      ["seekbackward", ({ seekOffset }) => skip(-(seekOffset ?? SKIP_SECONDS))],
      ["seekforward", ({ seekOffset }) => skip(seekOffset ?? SKIP_SECONDS)],
    ];
    function handle(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
      try {
        session.setActionHandler(action, handler);
      } catch {
        // Browsers throw for an action that they do not know (W3C, Media Session).
      }
    }
    function introduce(): void {
      const picture = element?.closest("article")?.querySelector("img")?.currentSrc;
      session.metadata = new MediaMetadata({
        title: element?.getAttribute("aria-label") ?? "",
        artwork: picture ? [{ src: picture }] : [],
      });
      for (const [action, handler] of handlers) handle(action, handler);
    }
    // Only what plays is on the lock screen.
    element.addEventListener("play", introduce);
    return () => {
      element.removeEventListener("play", introduce);
      session.metadata = null;
      for (const [action] of handlers) handle(action, null);
    };
  }, [media, sound]);
}
