import { expect, test } from "vitest";

import { parseCaptions, parseSpeed, speeds } from "./film-settings.ts";

test("a stored speed is taken if it is one of those offered", () => {
  for (const speed of speeds) expect(parseSpeed(String(speed))).toBe(speed);
  for (const text of [null, "", "16", "-1", "1.250", "fast"]) expect(parseSpeed(text)).toBe(1);
});

test("captions that were never chosen are left to the browser", () => {
  expect(parseCaptions("on")).toBe(true);
  expect(parseCaptions("off")).toBe(false);
  expect(parseCaptions(null)).toBeUndefined();
});
