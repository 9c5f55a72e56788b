import { countPostings, type SearchIndex } from "./search-index.ts";
import { isStopWord, isVagueWord, listWords } from "./search-words.ts";
import { isEnglish, isName, MISSPELT_FROM, MISSPELT_LIMIT } from "./spelling.ts";
import { completeSaid, findSaying, isSaid } from "./synonyms.ts";

export type Query = {
  phrase: string[];
  /** Each counts once, however it is said. */
  things: Thing[];
  /** The term with its misspelt words corrected; `undefined` if there are none. */
  corrected: string | undefined;
};

/** A meaningful word or phrase, in all the ways to say it. */
export type Thing = Way[];

/** An item matches if it has one of the stems (numbers of the lexicon) of each word. */
export type Way = {
  words: number[][];
  weight: number;
  /** The stems of words that must follow each other in title or topic. */ phrase?: string;
};

/** A synonym is a little less likely to be meant. */
const SYNONYM_WEIGHT = 0.7;
/** Most words that begin so are others. */
const COMPLETION_WEIGHT = 0.7;
export function readQuery(index: SearchIndex, term: string, { isLiteral = false } = {}): Query {
  const typed = listWords(term);
  const words = isLiteral ? [] : typed.map(({ text }) => text);
  const meant = new Map<string, string[]>();
  const isLastWord = (word: string) => word === words.at(-1);
  for (const word of new Set(words)) {
    if (meant.size >= MISSPELT_LIMIT) break;
    const found = findMeant(index, word, isLastWord(word));
    if (found) meant.set(word, found);
  }
  const phrase = typed.flatMap(({ text }) => meant.get(text) ?? [text]);
  const corrected = meant.size === 0 ? undefined : writeCorrected(index, { term, typed, meant });
  return { phrase, things: readThings(index, phrase), corrected };
}

function writeCorrected(
  { lexicon }: SearchIndex,
  { term, typed, meant }: { term: string; typed: ReturnType<typeof listWords>; meant: Map<string, string[]> },
): string {
  let text = "";
  let end = 0;
  for (const word of typed) {
    const found = meant
      .get(word.text)
      ?.map((each) => lexicon.toWritten(each))
      .join(" ");
    text += term.slice(end, word.start) + (found ?? term.slice(word.start, word.end));
    end = word.end;
  }
  return text + term.slice(end);
}

/** Corrections of a misspelt word; `undefined` where it may be meant, or nothing is near. */
function findMeant(index: SearchIndex, word: string, isLast: boolean): string[] | undefined {
  if (word.length < MISSPELT_FROM || isName(word) || !isUnknown(index, word)) return undefined;
  const { lexicon } = index;
  if (isLast && !isEnglish(word)) {
    if (lexicon.complete(word).some((stem) => countUses(index, stem) > 0)) return undefined;
    const begun = completeSaid(word);
    if (begun !== undefined) return [begun];
  }
  const found = lexicon.vocabulary.findMeant(word, (each) =>
    Math.max(countUses(index, lexicon.find(each)), isSaid(each) ? 1 : 0),
  );
  if (found) return [found];
  return isEnglish(word) ? undefined : findHalves(index, word);
}

/** No text and no synonym has the word, and it is no stop word. */
export function isUnknown(index: SearchIndex, word: string): boolean {
  return !isInUse(index, word) && !isStopWord(word) && !isVagueWord(word) && !isSaid(word);
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

function readThings(index: SearchIndex, phrase: string[]): Thing[] {
  const all: { words: string[]; thing: Thing }[] = [];
  for (let start = 0; start < phrase.length;) {
    const saying = findSaying(phrase, start);
    const end = start + (saying?.length ?? 1);
    const words = phrase.slice(start, end).filter((word) => !isStopWord(word));
    const own: Way = { words: words.map((word) => findForms(index, word)), weight: 1 };
    // The last word may be incomplete.
    const last = end === phrase.length ? words.at(-1) : undefined;
    const ways = [own, ...toSynonyms(index, saying?.phrases ?? [])];
    if (last !== undefined && !isInUse(index, last) && words.length === 1 && !saying) {
      ways.push({ words: [index.lexicon.complete(last)], weight: COMPLETION_WEIGHT });
    }
    if (words.length > 0) all.push({ words, thing: ways });
    start = end;
  }
  const telling = all.filter(({ words }) => words.some((word) => !isVagueWord(word)));
  return (telling.length > 0 ? telling : all).map(({ thing }) => thing);
}

function findForms({ lexicon }: SearchIndex, word: string): number[] {
  const stem = lexicon.find(word);
  return stem === undefined ? [] : [stem];
}

function toSynonyms({ lexicon }: SearchIndex, phrases: string[]): Way[] {
  return phrases.flatMap((phrase) => {
    const stems = phrase.split(" ").map((stem) => lexicon.findStem(stem));
    if (!stems.every((stem) => stem !== undefined)) return [];
    const words = stems.map((stem) => [stem]);
    return [words.length === 1 ? { words, weight: SYNONYM_WEIGHT } : { words, weight: SYNONYM_WEIGHT, phrase }];
  });
}
