import Fuse from "fuse.js";

/**
 * The specification's fuzzy match: finds names with a word from which on they nearly read as the text. Answers places
 * of names, the nearest first.
 */
export type NearNames = (text: string) => number[];

/** Fuse's bound, as the specification has it: of ten letters three may be wrong. */
const THRESHOLD = 0.3;
/** A shorter text matches too many beginnings. */
const SHORTEST = 3;
/** Fuse compares so many letters at once; a longer text costs more each time. */
const LONGEST = 32;
/** How far from its beginning the rest of the text may be: Fuse counts each letter as a fifth of its bound. */
const DISTANCE = 16;

/** The beginnings with one letter, and the names of each. */
type Starts = { fuse: Fuse<string>; places: number[][] };

/**
 * Compares only words with the same first letter, because people seldom mistake it. Collects the words of a letter on
 * demand: some milliseconds for 10,000 names.
 * @param names folded, in lower case, a blank before each word
 * @param fuzzyFrom shorter texts may have no mistake: one wrong letter of four makes many other words
 */
export function createNearNames(names: readonly string[], fuzzyFrom = 5): NearNames {
  const byLetter = new Map<string, Starts>();

  function findStarts(letter: string): Starts {
    const known = byLetter.get(letter);
    if (known) return known;
    const made = collectStarts(names, letter);
    byLetter.set(letter, made);
    return made;
  }

  return (text) => {
    const pattern = text.slice(0, LONGEST).trim();
    if (pattern.length < SHORTEST) return [];
    const { fuse, places } = findStarts(pattern.charAt(0));
    const found = fuse.search(pattern);
    const near = pattern.length < fuzzyFrom ? found.filter(({ item }) => item.startsWith(pattern)) : found;
    return [...new Set(near.flatMap(({ refIndex }) => places[refIndex] ?? []))];
  };
}

function collectStarts(names: readonly string[], letter: string): Starts {
  const placesByStart = new Map<string, number[]>();
  for (const [place, name] of names.entries()) {
    for (let at = name.indexOf(` ${letter}`); at !== -1; at = name.indexOf(` ${letter}`, at + 1)) {
      const start = name.slice(at + 1, at + 1 + LONGEST).trimEnd();
      const places = placesByStart.get(start);
      if (places) places.push(place);
      else placesByStart.set(start, [place]);
    }
  }
  const starts = [...placesByStart];
  // A longer title is no worse than a short one, and equals stay in this order.
  const options = { threshold: THRESHOLD, distance: DISTANCE, ignoreFieldNorm: true };
  const fuse = new Fuse(
    starts.map(([start]) => start),
    options,
  );
  return { fuse, places: starts.map(([, places]) => places) };
}
