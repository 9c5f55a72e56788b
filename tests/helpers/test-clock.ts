import type { Clock } from "../../server/platform/clock.ts";

/** Advances only by `advance`. */
export type TestClock = Clock & {
  advance(ms: number): void;
  /** As `AbortSignal.timeout`, by this clock. */
  timeOut(ms: number): AbortSignal;
};

export function createTestClock(start = "2026-11-20T03:00:00.000Z"): TestClock {
  let now = Date.parse(start);
  const timeOuts = new Set<{ dueAt: number; controller: AbortController }>();
  return Object.assign(() => new Date(now), {
    advance(ms: number) {
      now += ms;
      for (const each of timeOuts) {
        if (each.dueAt > now) continue;
        timeOuts.delete(each);
        each.controller.abort(new DOMException("The time is up", "TimeoutError"));
      }
    },
    timeOut(ms: number) {
      const controller = new AbortController();
      timeOuts.add({ dueAt: now + ms, controller });
      return controller.signal;
    },
  });
}
