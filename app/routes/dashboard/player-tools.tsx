import { useEffect, type RefObject } from "react";

import type { Sound } from "../../../server/content/sound.ts";
import { PlayerWatch } from "./player-watch.tsx";
import type { ForeignVideo } from "./player.tsx";

export type PlayerToolsProps = {
  media: RefObject<HTMLMediaElement | HTMLIFrameElement | null>;
  /** Where another host plays it. */
  foreign?: ForeignVideo | undefined;
  sound?: Sound;
  onRetry?: () => void;
};

/** What script adds to a player: the watch over another host's frame and the controls of the lock screen. */
export default function PlayerTools({ media, foreign, sound, onRetry }: PlayerToolsProps) {
  useMediaSession(media, sound);
  return (
    <>
      {foreign && (
        <PlayerWatch frame={media as RefObject<HTMLIFrameElement | null>} video={foreign} onRetry={() => onRetry?.()} />
      )}
    </>
  );
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
    function introduce(): void {
      const picture = element?.closest("article")?.querySelector("img")?.currentSrc;
      session.metadata = new MediaMetadata({
        title: element?.ariaLabel ?? "",
        artwork: picture ? [{ src: picture }] : [],
      });
      for (const [action, handler] of handlers) session.setActionHandler(action, handler);
    }
    // Only what plays is on the lock screen.
    element.addEventListener("play", introduce);
    return () => {
      element.removeEventListener("play", introduce);
      session.metadata = null;
      for (const [action] of handlers) session.setActionHandler(action, null);
    };
  }, [media, sound]);
}
