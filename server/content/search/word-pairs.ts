import { listJoined } from "./words.ts";

/** Words that stand side by side in sayings: each speaks for the other. */
export type Pairs = { nexts: Map<string, Set<string>>; befores: Map<string, Set<string>> };

/** Has those that search reads as one word, such as "jet lag". */
export function createPairs(): Pairs {
  const pairs: Pairs = { nexts: new Map(), befores: new Map() };
  for (const pair of listJoined()) addPairs(pairs, pair.split(" "));
  return pairs;
}

export function addPairs({ nexts, befores }: Pairs, words: readonly string[]): void {
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    if (next === undefined) continue;
    addTo(nexts, word, next);
    addTo(befores, next, word);
  }
}

function addTo(map: Map<string, Set<string>>, key: string, word: string): void {
  const known = map.get(key);
  if (known) known.add(word);
  else map.set(key, new Set([word]));
}

export type Neighbours = { before: string | undefined; after: string | undefined };

/** The words that some pair has in a place between these neighbours. */
function listFitting(pairs: Pairs, { before, after }: Neighbours): string[] {
  return [...(pairs.nexts.get(before ?? "") ?? []), ...(pairs.befores.get(after ?? "") ?? [])];
}

/** Whether the word and one of its neighbours are a pair. */
export function fits({ nexts }: Pairs, word: string, { before = "", after = "" }: Neighbours): boolean {
  return (nexts.get(before)?.has(word) ?? false) || (nexts.get(word)?.has(after) ?? false);
}

/** A part of a word with fewer letters is any word. */
const SHORTEST_PART = 2;

/** The word that goes on after another one and begins so: "jet la" is jet lag, "night sw" is night sweats. */
export function completePair(pairs: Pairs, part: string, before: string): string | undefined {
  if (part.length < SHORTEST_PART) return undefined;
  return listFitting(pairs, { before, after: undefined }).find((word) => word.startsWith(part));
}

type Slip = "swapped" | "missing" | "extra" | "replaced";

/** The first of the slips by which a fitting word became this one; its first letter is right, unless it was swapped. */
export function findSlip(
  pairs: Pairs,
  { word, neighbours, slips }: { word: string; neighbours: Neighbours; slips: readonly Slip[] },
): string | undefined {
  const near = listFitting(pairs, neighbours).map((each) => ({ word: each, slip: toSlip(word, each) }));
  for (const slip of slips) {
    const found = near.find((each) => each.slip === slip && (slip === "swapped" || each.word[0] === word[0]));
    if (found) return found.word;
  }
  return undefined;
}

/** Of one letter; `undefined` where the words are equal, or differ by more. */
function toSlip(typed: string, meant: string): Slip | undefined {
  if (Math.abs(typed.length - meant.length) > 1 || typed === meant) return undefined;
  let at = 0;
  while (typed[at] === meant[at]) at += 1;
  if (typed.slice(at) === meant.slice(at + 1)) return "missing";
  if (typed.slice(at + 1) === meant.slice(at)) return "extra";
  if (typed.slice(at + 1) === meant.slice(at + 1)) return "replaced";
  const isSwapped = typed[at] === meant[at + 1] && typed[at + 1] === meant[at];
  return isSwapped && typed.slice(at + 2) === meant.slice(at + 2) ? "swapped" : undefined;
}
