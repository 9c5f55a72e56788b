import Fuse from "fuse.js";

/**
 * Finds what a misspelt word may have meant among the words of titles and topics. Fuse's cost grows with the texts it looks
 * at, so it looks at those words once each and by their length, never at the items.
 */
export type Misspellings = { findMeant(word: string): string[] };

/** Threshold of the spec, section 9: of ten letters three may be wrong. */
const THRESHOLD = 0.3;
const SHORTEST = 4;
/** "breth" is meant for "breathing" as much as for "breath". */
const ENDING_LENGTH = 3;

export function createMisspellings(words: string[]): Misspellings {
  const known = new Set(words);
  const byLength = Map.groupBy(known, ({ length }) => length);
  const fuses = new Map<number, Fuse<string>>();

  function fuseOf(length: number): Fuse<string> {
    const fuse =
      fuses.get(length) ??
      new Fuse(byLength.get(length) ?? [], { threshold: THRESHOLD, ignoreLocation: true, ignoreDiacritics: true });
    fuses.set(length, fuse);
    return fuse;
  }

  return {
    findMeant(word) {
      if (word.length < SHORTEST) return [];
      const swapped = listSwaps(word).filter((each) => known.has(each));
      if (swapped.length > 0) return swapped;
      const errors = Math.floor(word.length * THRESHOLD);
      const count = 2 * errors + 1 + ENDING_LENGTH;
      const lengths = Array.from({ length: count }, (_, index) => word.length - errors + index);
      return lengths
        .flatMap((length) => fuseOf(length).search(word))
        .map(({ item }) => item)
        .filter((item) => item.length >= SHORTEST);
    },
  };
}

/** The word with two neighbouring letters the other way round, which Fuse counts as two mistakes. */
function listSwaps(word: string): string[] {
  return Array.from(
    { length: word.length - 1 },
    (_, index) => word.slice(0, index) + word[index + 1] + word[index] + word.slice(index + 2),
  );
}
