import { stemOf } from "./stems.ts";

/**
 * Every word that texts have, numbered by its stem, so that an index keeps numbers and not words. It outlives a refresh of the
 * catalogue: what was read once is not read again, and a word of an item that was withdrawn is a few bytes until the next start.
 */
export type Lexicon = {
  /** The number of a word's stem; a new one for a stem that was never seen. */
  learn(word: string): number;
  /** The number of a word's stem, if any text has had it. */
  find(word: string): number | undefined;
  findStem(stem: string): number | undefined;
  /** The stems of all words that begin so; none for a beginning too short to mean one. */
  complete(start: string): number[];
};

const START_LENGTH = 3;

export function createLexicon(): Lexicon {
  const byWord = new Map<string, number>();
  const byStem = new Map<string, number>();
  const byStart = new Map<string, string[]>();

  return {
    learn(word) {
      const known = byWord.get(word);
      if (known !== undefined) return known;
      const stem = stemOf(word);
      const number = byStem.get(stem) ?? byStem.size;
      byStem.set(stem, number);
      byWord.set(word, number);
      const start = word.slice(0, START_LENGTH);
      const companions = byStart.get(start);
      if (companions) companions.push(word);
      else byStart.set(start, [word]);
      return number;
    },

    find: (word) => byWord.get(word) ?? byStem.get(stemOf(word)),

    findStem: (stem) => byStem.get(stem),

    complete(start) {
      if (start.length < START_LENGTH) return [];
      const words = (byStart.get(start.slice(0, START_LENGTH)) ?? []).filter((word) => word.startsWith(start));
      return [...new Set(words.map((word) => byWord.get(word) ?? -1))];
    },
  };
}
