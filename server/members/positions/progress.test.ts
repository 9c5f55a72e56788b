import { expect, test } from "vitest";

import { isAtEnd, remainingText } from "./progress.ts";

test.each([
  [60, 44, false],
  [60, 45, false],
  [60, 46, true],
  [3600, 3419, false],
  [3600, 3421, true],
  [10, 0, true],
])("of %d seconds, %d are the end: %j", (duration, seconds, isEnd) => {
  expect(isAtEnd(seconds, duration)).toBe(isEnd);
});

test.each([
  [0, "less than a minute left"],
  [29, "less than a minute left"],
  [30, "1 minute left"],
  [89, "1 minute left"],
  [245, "4 minutes left"],
  [3595, "1 hour left"],
  [3660, "1 hour 1 minute left"],
  [7500, "2 hours 5 minutes left"],
])("%d seconds are %s", (seconds, words) => {
  expect(remainingText(seconds)).toBe(words);
});
