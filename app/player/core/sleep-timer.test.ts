import { afterEach, expect, test, vi } from "vitest";

import { timerSettings } from "./settings.ts";
import { createSleepTimer } from "./sleep-timer.ts";

afterEach(() => {
  vi.useRealTimers();
  timerSettings.set(timerSettings.initial);
});

test("a choice plays again what an earlier timer has stopped, and nothing that was paused", () => {
  const timer = createSleepTimer("sound");
  const play = vi.fn<() => Promise<void>>().mockResolvedValue();
  const stopped = { element: { play } as unknown as HTMLMediaElement, isStopped: { current: true } };
  timer.choose(20, stopped);
  expect(play).toHaveBeenCalledOnce();
  timer.choose(30, stopped);
  expect(play).toHaveBeenCalledOnce();
  expect(timerSettings.read().last).toBe(30);
  expect(timer.read().announcement).toBe("Fades out in 30 minutes.");
  timer.choose(undefined, stopped);
  expect(timer.read()).toEqual({ timer: undefined, announcement: "The timer is off." });
});

test("between 22:00 and 6:00 the last choice begins where that is switched on, and one that is set at once", () => {
  vi.useFakeTimers();
  const beginAt = (hour: number, timer = createSleepTimer("sound")) => {
    vi.setSystemTime(new Date(2026, 10, 24, hour));
    timer.begin();
    return timer.read().timer;
  };
  expect(beginAt(23)).toBeUndefined();
  timerSettings.set({ last: 45, isNightly: true, isFollowed: false });
  expect(beginAt(12)).toBeUndefined();
  expect(beginAt(5)).toEqual({ choice: 45, setAt: Date.now() });
  expect(beginAt(23, createSleepTimer("sound", { choice: 10, setAt: 0 }))).toEqual({ choice: 10, setAt: Date.now() });
});
