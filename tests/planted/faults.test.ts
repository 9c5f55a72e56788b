import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { findFile, readFaults, readSources } from "./faults.ts";

const sources = readSources();

test.each(readFaults())("the fault can still be planted: $breaks", ({ text, becomes }) => {
  expect(findFile(text, sources)).toBeDefined();
  expect(becomes).not.toBe(text);
});

test.each([...new Set(readFaults().map(({ catcher }) => catcher))])("%s catches faults in npm test", (catcher) => {
  expect(existsSync(catcher)).toBe(true);
  expect(catcher).not.toContain(".deep.");
  const isJourney = catcher.startsWith("tests/e2e/");
  if (isJourney) expect(/ @core["`]/.test(readFileSync(catcher, "utf8"))).toBe(true);
});
