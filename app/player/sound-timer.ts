import type { Choice } from "./core/sleep-time.ts";
import { createSleepTimer } from "./core/sleep-timer.ts";
import { nowPlaying } from "./now-playing.ts";

/** The timer of recordings. It stays while its member goes from page to page. */
export const soundTimer = createSleepTimer("sound");

export function chooseTimer(choice: Choice | undefined): void {
  soundTimer.choose(choice, nowPlaying.read());
}
