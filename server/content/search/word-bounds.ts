/* Where the words of a text are, before anything is known of them. */

/** A soft hyphen and the like are within a word. */
const wordPattern =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]*(?:['’ʼ‘`´][\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]+)*/gu;

/** Shared: one text's words are read before the next one's are found. A text has at most a bound more than letters. */
let bounds = new Uint32Array(8192);

/**
 * Begin and end of each word, alternating, until the next call. A table knows the letters of English, the pattern all
 * others.
 */
export function listBounds(text: string): Uint32Array {
  if (bounds.length <= text.length) bounds = new Uint32Array(2 * text.length);
  return bounds.subarray(0, findPlainBounds(text) ?? findBounds(text));
}

/** Returns how many it has written. */
function findBounds(text: string): number {
  let count = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    bounds[count++] = index;
    bounds[count++] = index + word.length;
  }
  return count;
}

/** A character continues a word, ends it, or may do either; the pattern decides about `other` ones. */
const between = 0;
const within = 1;
const apostrophe = 2;
const other = 3;

/** Up to the end of Latin Extended-B; those beyond ASCII that the pattern treats differently are `other`. */
const kindsOfLetters = Uint8Array.from({ length: 0x250 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if ("'`´".includes(letter)) return apostrophe;
  if (/\p{M}|\p{Default_Ignorable_Code_Point}/u.test(letter)) return other;
  return /[\p{L}\p{N}]/u.test(letter) ? within : between;
});

const signs = new Map([
  ...Array.from("‐‑‒–—―“”„•…→\u2003\u2009\u202f", (sign): [number, number] => [sign.charCodeAt(0), between]),
  ...Array.from("‘’", (sign): [number, number] => [sign.charCodeAt(0), apostrophe]),
]);

function toKind(code: number): number {
  return kindsOfLetters[code] ?? signs.get(code) ?? other;
}

/** `undefined` for a text with letters that only the pattern knows. */
function findPlainBounds(text: string): number | undefined {
  let count = 0;
  const { length } = text;
  for (let at = 0; at < length;) {
    const kind = toKind(text.charCodeAt(at));
    if (kind === other) return undefined;
    if (kind !== within) {
      at += 1;
      continue;
    }
    const start = at;
    const end = findEnd(text, start);
    if (end === undefined) return undefined;
    bounds[count++] = start;
    bounds[count++] = end;
    at = end;
  }
  return count;
}

/** A word may have apostrophes within. */
function findEnd(text: string, start: number): number | undefined {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const kind = toKind(text.charCodeAt(at));
    if (kind === other) return undefined;
    if (kind === within) continue;
    const next = kind === apostrophe && at + 1 < text.length ? toKind(text.charCodeAt(at + 1)) : between;
    if (next === other) return undefined;
    if (next !== within) break;
  }
  return at;
}

/** Two bits for how a word begins, one for two letters and one for three; others share them. */
export type Beginnings = number;

export const ANY_BEGINNING: Beginnings = -1;

/** A capital counts as its small letter. */
export function toBeginning(text: string, start: number, end: number): Beginnings {
  const first = text.charCodeAt(start) | 0x20;
  const second = end > start + 1 ? toLetter(text.charCodeAt(start + 1)) : 0;
  const third = second > 0 && end > start + 2 ? toLetter(text.charCodeAt(start + 2)) : 0;
  return (1 << ((7 * first + second) & 31)) | (1 << ((11 * first + 5 * second + 13 * third) & 31));
}

function toLetter(code: number): number {
  return toKind(code) === within ? code | 0x20 : 0;
}
