import { expect, test } from "vitest";

import { placeText } from "./controls.ts";

test("a place is said in minutes and seconds, and the length with it", () => {
  expect(placeText(125, 600)).toBe("2 minutes 5 seconds of 10 minutes");
  expect(placeText(61.4, 61.4)).toBe("1 minute 1 second of 1 minute 1 second");
  expect(placeText(0, 90)).toBe("0 seconds of 1 minute 30 seconds");
  expect(placeText(59.6, 2700)).toBe("1 minute of 45 minutes");
});
