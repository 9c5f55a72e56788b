import { dropIdioms } from "./idioms.ts";
import { countPostings, type SearchIndex } from "./search-index.ts";
import { isSmallWord, isStopWord, isVagueWord, listWords, toStem } from "./search-words.ts";
import { isCorrect, isEnglish, isPlace, MISSPELT_FROM } from "./spelling.ts";
import type { Synonyms } from "./synonyms.ts";
import { writeTimes } from "./times.ts";
import { completePair, findSlip, fits, type Neighbours } from "./word-pairs.ts";

export type Query = {
  phrase: string[];
  parts: Part[];
  /** The term with its misspelt words corrected; `undefined` if there are none. */
  corrected: string | undefined;
  /** Another reading that is found beside it; `undefined` if there is none. */
  also: string | undefined;
};

/**
 * The subject of a question; a complaint beside it ("can't sleep"), which an item need not have; or a detail, a word
 * that is no saying and in no title or topic ("finished").
 */
export type Role = "subject" | "complaint" | "detail";

/**
 * A thing counts once, however it is said. `words`: what it was read from; `phrases`: what else it is called, as stems;
 * `isForeign`: it was said in another language.
 */
export type Part = { words: string[]; thing: Thing; phrases: string[]; isForeign: boolean; role: Role };

/** A meaningful word or phrase, in all the ways to say it. */
export type Thing = Way[];

/**
 * An item matches if it has one of the stems (numbers of the lexicon) of each word; all of them in title or topics where
 * `isNamed`.
 */
export type Way = { words: number[][]; weight: number; isNamed: boolean };

/** A synonym, or a word that begins so, is a little less likely to be meant. */
const SYNONYM_WEIGHT = 0.7;

/** `names`: words that are as they should be. */
export function readQuery(index: SearchIndex, term: string, { isLiteral = false, names = noNames } = {}): Query {
  const typed = listWords(term);
  const words = typed.map(({ text }) => text);
  const asTyped = readText(index, term);
  const isForeign = asTyped.some((part) => part.isForeign);
  // Another language has no misspelt English words, and of a question in it only the saying is understood.
  if (isLiteral || isForeign) {
    const parts = isForeign && !isLiteral ? asTyped.filter((part) => part.isForeign) : asTyped;
    return { phrase: words, parts, corrected: undefined, also: undefined };
  }
  const meant = findAllMeant(index, words, names);
  if (meant.length > 0) {
    const corrected = writeMeant(index, { term, typed, meant });
    return { phrase: toTexts(corrected), parts: readText(index, corrected), corrected, also: undefined };
  }
  const besides = findAllBesides(index, words);
  const also = besides.length === 0 ? undefined : writeMeant(index, { term, typed, meant: besides });
  const parts = also === undefined ? asTyped : mergeParts(asTyped, readText(index, also));
  return { phrase: words, parts, corrected: undefined, also };
}

function readText(index: SearchIndex, text: string): Part[] {
  return readParts(index, toTexts(writeTimes(dropIdioms(text))));
}

function toTexts(text: string): string[] {
  return listWords(text).map((word) => word.text);
}

/** The words that are meant in place of one. */
type Meant = { place: number; words: string[] };

const noNames: ReadonlySet<string> = new Set();

function findAllMeant(index: SearchIndex, words: string[], names: ReadonlySet<string>): Meant[] {
  return words.flatMap((word, place) => {
    if (names.has(word)) return [];
    const meant = findMeant(index, word, { before: words[place - 1], after: words[place + 1] });
    return meant ? [{ place, words: meant }] : [];
  });
}

function writeMeant(
  { lexicon }: SearchIndex,
  { term, typed, meant }: { term: string; typed: ReturnType<typeof listWords>; meant: Meant[] },
): string {
  let text = "";
  let end = 0;
  for (const { place, words } of meant) {
    const word = typed[place];
    if (!word) continue;
    text += term.slice(end, word.start) + words.map((each) => lexicon.toWritten(each)).join(" ");
    end = word.end;
  }
  return text + term.slice(end);
}

/** Corrections of a misspelt word; `undefined` where it may be meant, or nothing is near. */
function findMeant(index: SearchIndex, word: string, { before, after }: Neighbours): string[] | undefined {
  if (!isUnknown(index, word)) return undefined;
  const { sayings, vocabulary } = index.lexicon;
  const next = before === undefined ? undefined : completePair(sayings.pairs, word, before);
  if (next !== undefined) return next === word ? undefined : [next];
  if (isCorrect(word)) return undefined;
  if (word.length < MISSPELT_FROM) return findShortMeant(index, word, { before, after });
  // The last word may still be typed, so it means each word that begins so.
  if (after === undefined && index.lexicon.complete(word).some((stem) => countUses(index, stem) > 0)) return undefined;
  const begun = sayings.complete(word) ?? completeAnywhere(index, word);
  if (begun !== undefined && begun.length >= word.length + HALF) return [begun];
  const found = vocabulary.findMeant(word, (each) => countMeanings(index, each)) ?? begun;
  return found === undefined ? findHalves(index, word) : [found];
}

/** A word that lacks fewer letters is rather misspelt: "slep" is not "slept". */
const HALF = 3;

function countMeanings(index: SearchIndex, word: string): number {
  return Math.max(countUses(index, index.lexicon.find(word)), index.lexicon.sayings.has(word) ? 1 : 0);
}

/** Of the words of texts that begin so, the one that most items have. */
function completeAnywhere(index: SearchIndex, beginning: string): string | undefined {
  const begun = index.lexicon.listBegun(beginning).filter((word) => isInUse(index, word) && !isVagueWord(word));
  return begun.toSorted((a, b) => countMeanings(index, b) - countMeanings(index, a))[0];
}

/** A word of three letters has too many near ones: one mistake is put right where a neighbour speaks for it. */
function findShortMeant({ lexicon }: SearchIndex, word: string, neighbours: Neighbours): string[] | undefined {
  if (word.length !== MISSPELT_FROM - 1) return undefined;
  const found = findSlip(lexicon.sayings.pairs, {
    word,
    neighbours,
    slips: ["swapped", "missing", "extra", "replaced"],
  });
  return found === undefined ? undefined : [found];
}

/**
 * Words that may be meant beside known ones, though they are no mistakes: no pair has "sleep dairy", and sleep diary is
 * one swap away.
 */
function findAllBesides({ lexicon: { sayings } }: SearchIndex, words: string[]): Meant[] {
  return words.flatMap((word, place) => {
    if (word.length < MISSPELT_FROM || isSmallWord(word)) return [];
    const [before, after] = [words[place - 1], words[place + 1]].map((each) =>
      each === undefined || isSmallWord(each) ? undefined : each,
    );
    const neighbours = { before, after };
    if ((before ?? after) === undefined || fits(sayings.pairs, word, neighbours)) return [];
    const found = findSlip(sayings.pairs, { word, neighbours, slips: ["swapped", "missing"] });
    return found === undefined || toStem(found) === toStem(word) ? [] : [{ place, words: [found] }];
  });
}

/** The parts of the second reading; where it differs, the words of the first are another way to say them. */
function mergeParts(first: Part[], second: Part[]): Part[] {
  const [known, wanted] = [first, second].map((parts) => new Set(parts.map(({ words }) => words.join(" "))));
  const literal = first.filter(({ words }) => !wanted?.has(words.join(" ")));
  const way: Way = {
    words: literal.flatMap(({ thing: [own] }) => own?.words ?? []),
    weight: SYNONYM_WEIGHT,
    isNamed: false,
  };
  return second.map((part) => (known?.has(part.words.join(" ")) ? part : { ...part, thing: [...part.thing, way] }));
}

/** No text and no synonym has the word, and it is no stop word. */
export function isUnknown(index: SearchIndex, word: string): boolean {
  return !isInUse(index, word) && !isSmallWord(word) && !index.lexicon.sayings.has(word);
}

function isInUse(index: SearchIndex, word: string): boolean {
  return countUses(index, index.lexicon.find(word)) > 0;
}

function countUses(index: SearchIndex, stem: number | undefined): number {
  return stem === undefined ? 0 : countPostings(index, stem);
}

/** Two words typed without a blank: "nightsweats". */
function findHalves(index: SearchIndex, word: string): string[] | undefined {
  for (let length = 3; length <= word.length - 3; length += 1) {
    const halves = [word.slice(0, length), word.slice(length)];
    if (halves.every((half) => isInUse(index, half) && isEnglish(half))) return halves;
  }
  return undefined;
}

function readParts(index: SearchIndex, phrase: string[]): Part[] {
  const all: Part[] = [];
  for (let start = 0; start < phrase.length;) {
    const saying = index.lexicon.sayings.find(phrase, start) ?? findAbroad(index, phrase[start]);
    const end = start + (saying?.length ?? 1);
    const words = phrase.slice(start, end).filter((word) => !isStopWord(word));
    const own: Way = {
      words: words.map((word) => findForms(index, word)),
      weight: 1,
      isNamed: false,
    };
    // The last word may be incomplete.
    const last = end === phrase.length ? words.at(-1) : undefined;
    const { phrases = [], isForeign = false, isComplaint = false } = saying ?? {};
    const ways = [own, ...toSynonyms(index, phrases)];
    if (last !== undefined && !isInUse(index, last) && words.length === 1 && !saying) {
      ways.push({ words: [index.lexicon.complete(last)], weight: SYNONYM_WEIGHT, isNamed: false });
    }
    const isDetail = !saying && !words.some((word) => index.headPlaces.has(word));
    const role = isComplaint ? "complaint" : isDetail ? "detail" : "subject";
    if (words.length > 0) all.push({ words, thing: ways, phrases, isForeign, role });
    start = end;
  }
  // A number beside a word never outweighs it: "5 week old" is no breath of five.
  const telling = all.filter(
    ({ words, thing, phrases }) =>
      (words.length > 1 && phrases.length > 0) ||
      words.some((word) => !isVagueWord(word) && (thing.length > 1 || !/^\d+$/.test(word))),
  );
  return giveRoles(index, telling.length > 0 ? telling : all);
}

/** Without a known subject, each part is one. */
function giveRoles(index: SearchIndex, parts: Part[]): Part[] {
  const isSubject = ({ role, thing }: Part) =>
    role === "subject" &&
    thing.some(({ words }) => words.every((stems) => stems.some((stem) => countUses(index, stem) > 0)));
  return parts.some(isSubject) ? parts : parts.map((part) => ({ ...part, role: "subject" }));
}

/** A place that no text has is somewhere else: "landed from Tokyo". */
function findAbroad({ lexicon }: SearchIndex, word = ""): Synonyms | undefined {
  return isPlace(word) && lexicon.find(word) === undefined ? lexicon.sayings.find(["abroad"], 0) : undefined;
}

function findForms({ lexicon }: SearchIndex, word: string): number[] {
  const stem = lexicon.find(word);
  return stem === undefined ? [] : [stem];
}

function toSynonyms({ lexicon }: SearchIndex, phrases: string[]): Way[] {
  return phrases.flatMap((phrase) => {
    const stems = phrase.split(" ").map((stem) => lexicon.findStem(stem));
    if (!stems.every((stem) => stem !== undefined)) return [];
    // Apart in a text, the words of a phrase mean something else.
    return [{ words: stems.map((stem) => [stem]), weight: SYNONYM_WEIGHT, isNamed: stems.length > 1 }];
  });
}
