import { expect, test } from "vitest";

import { formatDuration, formatPace } from "./labels.ts";

test("paces and durations are written in the largest unit that fits", () => {
  expect([1000, 60_000, 600_000, 3_600_000].map(formatPace)).toEqual(["second", "minute", "10 minutes", "hour"]);
  expect([0, 12.4, 999, 1000, 3449, 60_000, 125_400].map(formatDuration)).toEqual([
    "0 ms",
    "12 ms",
    "999 ms",
    "1.0 s",
    "3.4 s",
    "1 min 0 s",
    "2 min 5 s",
  ]);
});
