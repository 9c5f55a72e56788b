import { type Controls, skip } from "./controls.ts";
import { giveTimeAgain } from "./fading.ts";

type Shown = { title: string; picture: string | undefined };

/**
 * Shows what plays on the lock screen, with its controls, which headphones have, too.
 * @returns a function that takes it away.
 */
export function showOnLockScreen(controls: Controls, { title, picture }: Shown): () => void {
  if (!("mediaSession" in navigator)) return () => undefined;
  const { element, skipSeconds, seek, read } = controls;
  const { mediaSession: session } = navigator;
  const ending = new AbortController();
  const { signal } = ending;
  const handlers: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
    play: () => void element.play(),
    // Headphones have one button: in the last half minute of a timer it asks for more time.
    pause: () => giveTimeAgain() || element.pause(),
    seekbackward: ({ seekOffset }) => skip(controls, -(seekOffset ?? skipSeconds)),
    seekforward: ({ seekOffset }) => skip(controls, seekOffset ?? skipSeconds),
    seekto: ({ seekTime }) => seekTime !== undefined && seekTime !== null && seek(seekTime),
  };
  function handle(handler: (action: MediaSessionAction) => MediaSessionActionHandler | null): void {
    for (const action of Object.keys(handlers) as MediaSessionAction[]) {
      try {
        session.setActionHandler(action, handler(action));
      } catch {
        // Browsers throw for an action that they do not know (W3C, Media Session).
      }
    }
  }
  function showPosition(): void {
    const { seconds, duration } = read();
    const { playbackRate } = element;
    if (duration > 0) session.setPositionState?.({ duration, playbackRate, position: Math.min(seconds, duration) });
  }
  // Only the element that plays is on the lock screen.
  function introduce(): void {
    session.metadata = new MediaMetadata({ title, artwork: picture ? [{ src: picture }] : [] });
    handle((action) => handlers[action] ?? null);
    showPosition();
  }
  if (!element.paused) introduce();
  element.addEventListener("play", introduce, { signal });
  for (const change of ["seeked", "ratechange"]) element.addEventListener(change, showPosition, { signal });
  return () => {
    ending.abort();
    session.metadata = null;
    handle(() => null);
  };
}
