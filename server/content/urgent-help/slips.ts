const SHORTEST_MISTYPED = 3;
/** A shorter word may only have swaps and doublings: "dire" is no "die". */
const SHORTEST_UNEVEN = 4;

/** Whether a word may be another with letters swapped, missing or doubled, or with a neighbouring key. */
export function isSlip(typed: string, word: string): boolean {
  if (word.length < SHORTEST_MISTYPED) return false;
  const at = findDifference(typed, word);
  const [first = "", meant = ""] = [typed[at], word[at]];
  if (typed.length === word.length) {
    return isSwapped(typed, word, at) || (areNeighbours(first, meant) && endAlike(typed, word, at + 1));
  }
  const mayBeUneven = word.length >= SHORTEST_UNEVEN;
  if (typed.length < word.length) return mayBeUneven && endAlike(typed, word, at);
  const before = typed[at - 1] ?? "";
  // One finger on two keys.
  const isBeside = first === before || (mayBeUneven && (areNeighbours(first, before) || areNeighbours(first, meant)));
  return isBeside && endAlike(typed, word, at + 1);
}

/** Two letters swapped, or one replaced, extra or missing; the lengths differ by one at most. */
export function isOneMistake(typed: string, word: string): boolean {
  const at = findDifference(typed, word);
  return isSwapped(typed, word, at) || endAlike(typed, word, typed.length < word.length ? at : at + 1);
}

function findDifference(typed: string, word: string): number {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  return at;
}

function isSwapped(typed: string, word: string, at: number): boolean {
  if (typed.length !== word.length) return false;
  return typed[at] === word[at + 1] && typed[at + 1] === word[at] && endAlike(typed, word, at + 2);
}

/** Whether a word ends like another one, from a place of the first. Compares without cutting either. */
function endAlike(typed: string, word: string, from: number): boolean {
  const more = word.length - typed.length;
  let at = typed.length;
  while (at > from && typed[at - 1] === word[at - 1 + more]) at -= 1;
  return at <= from;
}

const rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const places = new Map(
  rows.flatMap((row, y) => Array.from(row, (key, x): [string, [number, number]] => [key, [x, y]])),
);

/** Each keyboard row begins a little to the right of the one above. */
function areNeighbours(one: string, other: string): boolean {
  const [a, b] = [places.get(one), places.get(other)];
  if (!a || !b || one === other) return false;
  const [upper, lower] = a[1] <= b[1] ? [a, b] : [b, a];
  const step = lower[0] - upper[0];
  if (upper[1] === lower[1]) return Math.abs(step) === 1;
  return lower[1] - upper[1] === 1 && (step === 0 || step === -1);
}
