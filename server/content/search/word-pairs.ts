import type { SearchIndex } from "./search-index.ts";
import { listJoinedAfter } from "./search-words.ts";

/** A part of a word with fewer letters is any word. */
const SHORTEST_PART = 2;

/** Whether a saying, a title or a topic has the two words side by side: each then speaks for the other. */
export function isPair(index: SearchIndex, first: string, second: string): boolean {
  if (index.lexicon.sayings.listAfter(first).has(second) || listJoinedAfter(first).includes(second)) return true;
  const places = index.headPlaces.get(first) ?? [];
  return places.some((place) => index.heads[place]?.words.includes(` ${first} ${second} `));
}

/** The word that goes on after another one and begins so: "jet la" is jet lag, "night sw" is night sweats. */
export function completePair(index: SearchIndex, first: string, part: string): string | undefined {
  if (part.length < SHORTEST_PART) return undefined;
  const next = [...index.lexicon.sayings.listAfter(first), ...listJoinedAfter(first)].find((word) =>
    word.startsWith(part),
  );
  if (next !== undefined) return next;
  const start = ` ${first} ${part}`;
  for (const place of index.headPlaces.get(first) ?? []) {
    const { words = "" } = index.heads[place] ?? {};
    const at = words.indexOf(start);
    if (at !== -1) return words.slice(at + first.length + 2, words.indexOf(" ", at + start.length));
  }
  return undefined;
}

const letters = Array.from("abcdefghijklmnopqrstuvwxyz");

/** All texts that one slip makes of a word (Norvig, "How to write a spelling corrector", 2007), by the slip. */
export function listSlips(word: string): Record<"swapped" | "missing" | "doubled" | "replaced", string[]> {
  const places = Array.from(word, (_, at) => at);
  const ends = [...places, word.length];
  return {
    swapped: places
      .slice(1)
      .map((at) => word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1)),
    missing: ends.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at))),
    doubled: places.map((at) => word.slice(0, at) + word.slice(at + 1)),
    replaced: places.flatMap((at) => letters.map((letter) => word.slice(0, at) + letter + word.slice(at + 1))),
  };
}
