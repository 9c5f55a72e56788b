import type { Clock } from "../../server/clock.ts";

/** A clock that goes on only by `advance`. */
export type TestClock = Clock & { advance(ms: number): void };

export function createTestClock(start = "2026-11-20T03:00:00.000Z"): TestClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    advance(ms: number) {
      now += ms;
    },
  });
}
