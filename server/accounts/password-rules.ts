import { createRequire } from "node:module";

import type * as CommonLanguage from "@zxcvbn-ts/language-common";

/**
 * What may be a password: any characters, as they were typed, as long as they are not what anybody would guess first (NIST SP
 * 800-63B, section 3.1.1.2: a list of common ones, and words of the service and of the person).
 */
export type PasswordRefusal = "short" | "long" | "common";

export type PasswordOwner = { productName: string; email: string; names: readonly string[] };

/** In characters as a person counts them. Spec, section 9. */
const MIN_LENGTH = 8;
/** In UTF-16 units, so that no form makes the hash work on a megabyte. */
const MAX_LENGTH = 1024;

/** Up to this length a unit said again and again is as weak as one character: abab…, 12341234. */
const LONGEST_UNIT = 5;
const SHORTEST_RUN = 3;
/** In UTF-16 units: no name or address that is accepted is longer. */
const LONGEST_NAME = 256;
/** Single letters make up too many words. */
const SHORTEST_WORD = 2;

/** Why `password` may not be the password of `owner`; `undefined` when it may. Capitals make no common one better. */
export function checkPassword(password: string, owner: PasswordOwner): PasswordRefusal | undefined {
  if (password.length > MAX_LENGTH) return "long";
  if (Array.from(password).length < MIN_LENGTH) return "short";
  const characters = Array.from(password.toLowerCase());
  const isCommon =
    isRepeated(characters) ||
    isMadeOfRuns(characters) ||
    isMadeOfWords(lettersOf(password), listWords(owner)) ||
    commonPasswords().has(characters.join(""));
  return isCommon ? "common" : undefined;
}

function isRepeated(characters: string[]): boolean {
  for (let length = 1; length <= LONGEST_UNIT; length += 1) {
    if (characters.every((character, place) => character === characters[place % length])) return true;
  }
  return false;
}

/** Nothing but runs of three or more neighbours, up, down or standing still: 12345678, hgfedcba, abcd1234, aaaabbbb. */
function isMadeOfRuns(characters: string[]): boolean {
  const points = characters.map((character) => character.codePointAt(0) ?? 0);
  const stepTo = (place: number) => (points[place] ?? Number.NaN) - (points[place - 1] ?? Number.NaN);
  let start = 0;
  while (start < points.length) {
    const step = stepTo(start + 1);
    let end = start + 1;
    while (Math.abs(step) <= 1 && stepTo(end) === step) end += 1;
    if (end - start < SHORTEST_RUN) return false;
    start = end;
  }
  return true;
}

/** Without case, accents, digits and punctuation: what is left of `Dormouse2026!` is `dormouse`. */
function lettersOf(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "");
}

/** The product's name, the person's names with their parts, and what stands before the at-sign, with and without a `+tag`. */
function listWords({ productName, email, names: typedNames }: PasswordOwner): string[] {
  // Each word is compared at each character of the password, and names may not have been checked yet.
  const names = typedNames.map((name) => name.slice(0, LONGEST_NAME));
  const [localPart = ""] = email.slice(0, LONGEST_NAME).split("@");
  const [mailbox = ""] = localPart.split("+");
  const parts = names.flatMap((name) => name.split(/[\s\p{Pd}]+/u));
  return [productName, localPart, mailbox, ...names, ...parts]
    .map(lettersOf)
    .filter((word) => word.length >= SHORTEST_WORD);
}

/** Whether a text is one or more of `words`, one after another. */
function isMadeOfWords(text: string, words: string[]): boolean {
  const ends = new Set([0]);
  for (let place = 0; place < text.length; place += 1) {
    if (!ends.has(place)) continue;
    for (const word of words) if (text.startsWith(word, place)) ends.add(place + word.length);
  }
  return text !== "" && ends.has(text.length);
}

let loadedPasswords: ReadonlySet<string> | undefined;

/** About 18,000 of the passwords that people use most, lower case. Read when first asked: few processes ever need them. */
function commonPasswords(): ReadonlySet<string> {
  if (!loadedPasswords) {
    const require = createRequire(import.meta.url);
    const { dictionary } = require("@zxcvbn-ts/language-common") as typeof CommonLanguage;
    loadedPasswords = new Set(dictionary["passwords-common"].filter((password) => password.length >= MIN_LENGTH));
  }
  return loadedPasswords;
}
