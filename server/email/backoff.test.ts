import { expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import { waitAfterFailure } from "./sending.ts";

test.each([
  [1, 1],
  [2, 5],
  [3, 15],
  [4, 60],
  [5, 60],
  [20, 60],
])("after failure %i an email waits %i minutes", (attempts, minutes) =>
  expect(waitAfterFailure(attempts, DAY_IN_MS - 1)).toBe(minutes * MINUTE_IN_MS),
);

test("an email that is a day old waits no longer", () => expect(waitAfterFailure(1, DAY_IN_MS)).toBeUndefined());
