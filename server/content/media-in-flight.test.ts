import { expect, test } from "vitest";

import { createMediaInFlight } from "./media-in-flight.ts";

test("a member has so many files on their way and no more, whatever others have", () => {
  const inFlight = createMediaInFlight(2);
  const end = inFlight.begin(1);
  inFlight.begin(1);
  expect(inFlight.begin(1)).toBeUndefined();
  expect(inFlight.begin(2)).toBeDefined();

  end?.();
  end?.();
  expect(inFlight.begin(1), "one has ended").toBeDefined();
  expect(inFlight.begin(1), "ending it twice frees no second place").toBeUndefined();
});
