import { toStem } from "./stems.ts";
import { type Beginnings, listSmallWords, toBeginning } from "./words.ts";
import { createVocabulary, type Vocabulary } from "./spelling.ts";
import type { Sayings } from "./sayings.ts";

/**
 * Numbers every word by its stem, so that an index has numbers in place of words. It outlives refreshes of the
 * catalogue; a withdrawn item's words cost a few bytes until the next start.
 */
export type Lexicon = {
  /** Adds an unknown stem. `written`: the word as a text has it. */
  learn(word: string, written: string): number;
  /** `undefined` where no text has had it. */
  find(word: string): number | undefined;
  findStem(stem: string): number | undefined;
  countStems(): number;
  /** How words of these stems begin in texts. */
  findBeginnings(stems: Iterable<number>): Beginnings;
  /** A word as texts write it: "apnoea" for "apnea". */
  toWritten(word: string): string;
  /** The stems of all words that begin so; none for a beginning too short to mean one. */
  complete(start: string): number[];
  /** The same words as texts have them. */
  listBegun(start: string): string[];
  vocabulary: Vocabulary;
  sayings: Sayings;
};

const START_LENGTH = 3;

export function createLexicon(sayings: Sayings): Lexicon {
  const byWord = new Map<string, number>();
  const byStem = new Map<string, number>();
  const byStart = new Map<string, string[]>();
  const beginnings: Beginnings[] = [];
  const writtenForms = new Map<string, string>();
  const vocabulary = createVocabulary();
  const said = new Set([...sayings.listWords(), ...listSmallWords()]);
  for (const word of said) vocabulary.add(word);

  function listBegun(start: string): string[] {
    if (start.length < START_LENGTH) return [];
    return (byStart.get(start.slice(0, START_LENGTH)) ?? []).filter((word) => word.startsWith(start));
  }

  return {
    learn(word, written) {
      const beginning = toBeginning(written);
      const known = byWord.get(word);
      if (known !== undefined) {
        beginnings[known] = (beginnings[known] ?? 0) | beginning;
        return known;
      }
      const stem = toStem(word);
      const number = byStem.get(stem) ?? byStem.size;
      beginnings[number] = (beginnings[number] ?? 0) | beginning;
      byStem.set(stem, number);
      byWord.set(word, number);
      const plain = written.toLowerCase();
      if (plain !== word) writtenForms.set(word, plain);
      const start = word.slice(0, START_LENGTH);
      const companions = byStart.get(start);
      if (companions) companions.push(word);
      else byStart.set(start, [word]);
      if (!said.has(word)) vocabulary.add(word);
      return number;
    },

    find: (word) => byWord.get(word) ?? byStem.get(toStem(word)),

    findStem: (stem) => byStem.get(stem),

    countStems: () => byStem.size,

    findBeginnings(stems) {
      let all: Beginnings = 0;
      for (const stem of stems) all |= beginnings[stem] ?? 0;
      return all;
    },

    toWritten: (word) => writtenForms.get(word) ?? word,

    complete: (start) => [...new Set(listBegun(start).map((word) => byWord.get(word) ?? -1))],

    listBegun,

    vocabulary,
    sayings,
  };
}
