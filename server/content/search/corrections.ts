import { countUses, isInUse, type SearchIndex } from "./search-index.ts";
import { isCorrect, isEnglish, MISSPELT_FROM } from "./spelling.ts";
import { completePair, findSlip, fits, type Neighbours } from "./word-pairs.ts";
import { isSmallWord, isVagueWord, listWords } from "./words.ts";
import { toStem } from "./stems.ts";

/** A word of a term, by its number, and the words to write in its place. */
type Correction = { place: number; words: string[] };

/** A cleaned term with its misspelt words put right; `undefined` if there are none. `names`: words that stay. */
export function correctTerm(index: SearchIndex, term: string, names: ReadonlySet<string>): string | undefined {
  const words = listWords(term).map(({ text }) => text);
  const corrections = words.flatMap((word, place) => {
    if (names.has(word)) return [];
    const found = findCorrection(index, word, { before: words[place - 1], after: words[place + 1] });
    return found ? [{ place, words: found }] : [];
  });
  return writeCorrections(index, term, corrections);
}

/**
 * Another reading of a term without mistakes: no pair has "sleep dairy", and sleep diary is one swap away. `undefined` if
 * there is none.
 */
export function findOtherReading(index: SearchIndex, term: string): string | undefined {
  const { pairs } = index.lexicon.sayings;
  const words = listWords(term).map(({ text }) => text);
  const corrections = words.flatMap((word, place) => {
    if (word.length < MISSPELT_FROM || isSmallWord(word)) return [];
    const [before, after] = [words[place - 1], words[place + 1]].map((each) =>
      each === undefined || isSmallWord(each) ? undefined : each,
    );
    const neighbours = { before, after };
    if ((before ?? after) === undefined || fits(pairs, word, neighbours)) return [];
    const found = findSlip(pairs, { word, neighbours, slips: ["swapped", "missing"] });
    return found === undefined || toStem(found) === toStem(word) ? [] : [{ place, words: [found] }];
  });
  return writeCorrections(index, term, corrections);
}

function writeCorrections({ lexicon }: SearchIndex, term: string, corrections: Correction[]): string | undefined {
  if (corrections.length === 0) return undefined;
  const typed = listWords(term);
  let text = "";
  let end = 0;
  for (const { place, words } of corrections) {
    const word = typed[place];
    if (!word) continue;
    text += term.slice(end, word.start) + words.map((each) => lexicon.toWritten(each)).join(" ");
    end = word.end;
  }
  return text + term.slice(end);
}

/** `undefined` where the word may be meant, or nothing is near. */
function findCorrection(index: SearchIndex, word: string, { before, after }: Neighbours): string[] | undefined {
  if (!isUnknown(index, word)) return undefined;
  const { sayings, vocabulary } = index.lexicon;
  const next = before === undefined ? undefined : completePair(sayings.pairs, word, before);
  if (next !== undefined) return next === word ? undefined : [next];
  if (isCorrect(word)) return undefined;
  if (word.length < MISSPELT_FROM) return correctShortWord(index, word, { before, after });
  // The last word may still be typed, so it means each word that begins so.
  if (after === undefined && index.lexicon.complete(word).some((stem) => countUses(index, stem) > 0)) return undefined;
  const completed = sayings.complete(word) ?? completeWord(index, word);
  if (completed !== undefined && completed.length >= word.length + LEAST_COMPLETED) return [completed];
  const found = vocabulary.findNearest(word, (each) => countItems(index, each)) ?? completed;
  return found === undefined ? splitWord(index, word) : [found];
}

/** A word that lacks fewer letters is rather misspelt: "slep" is not "slept". */
const LEAST_COMPLETED = 3;

function countItems(index: SearchIndex, word: string): number {
  return Math.max(countUses(index, index.lexicon.find(word)), index.lexicon.sayings.has(word) ? 1 : 0);
}

/** Of the words of texts that begin so, the one that most items have. */
function completeWord(index: SearchIndex, beginning: string): string | undefined {
  const begun = index.lexicon.listBegun(beginning).filter((word) => isInUse(index, word) && !isVagueWord(word));
  return begun.toSorted((a, b) => countItems(index, b) - countItems(index, a))[0];
}

/** A word of three letters has too many near ones: one mistake is put right where a neighbour speaks for it. */
function correctShortWord({ lexicon }: SearchIndex, word: string, neighbours: Neighbours): string[] | undefined {
  if (word.length !== MISSPELT_FROM - 1) return undefined;
  const slips = ["swapped", "missing", "extra", "replaced"] as const;
  const found = findSlip(lexicon.sayings.pairs, { word, neighbours, slips });
  return found === undefined ? undefined : [found];
}

/** Two words typed without a blank: "nightsweats". */
function splitWord(index: SearchIndex, word: string): string[] | undefined {
  for (let length = 3; length <= word.length - 3; length += 1) {
    const halves = [word.slice(0, length), word.slice(length)];
    if (halves.every((half) => isInUse(index, half) && isEnglish(half))) return halves;
  }
  return undefined;
}

/** No text and no saying has the word, and it is no small word. */
export function isUnknown(index: SearchIndex, word: string): boolean {
  return !isInUse(index, word) && !isSmallWord(word) && !index.lexicon.sayings.has(word);
}
