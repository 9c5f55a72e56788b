import { goDark } from "./controls/darkness.ts";
import { nowPlaying } from "./now-playing.ts";
import { type Choice, describeTimer, type Timer } from "./core/sleep-time.ts";
import { createStore } from "./core/store.ts";
import { startNightly, writeTimerSettings } from "./core/settings.ts";

const store = createStore<{ timer: Timer | undefined; announcement: string }>({ timer: undefined, announcement: "" });

export function setTimer(timer: Timer | undefined): void {
  store.set({ timer, announcement: timer ? describeTimer(timer.choice, "sound") : "" });
}

/** The timer of recordings. It stays while its member goes from page to page. */
export const useSoundTimer = store.use;

/** Sets it, or turns it off. What an earlier one has stopped plays again. */
export function chooseTimer(choice: Choice | undefined): void {
  if (!choice) return store.set({ timer: undefined, announcement: "The timer is off." });
  setTimer({ choice, setAt: Date.now() });
  writeTimerSettings({ last: choice });
  const playing = nowPlaying.read();
  if (playing?.isStopped.current) void playing.element.play();
  if (playing) playing.isStopped.current = false;
}

/** Starts the time of a timer that was set before its recording began, or the timer that starts by itself. */
export function beginTimer(): void {
  const { timer } = store.read();
  setTimer(timer ? { choice: timer.choice, setAt: Date.now() } : startNightly());
}

export function endTimer(): void {
  clearTimer();
  goDark();
}

export function clearTimer(): void {
  setTimer(undefined);
}
