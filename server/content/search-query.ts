import type { SearchIndex } from "./search-index.ts";
import { isStopWord, listWords } from "./search-words.ts";
import { findSaying } from "./synonyms.ts";

/** What a term asks for: every one of these, in whatever form. */
export type Query = {
  /** The whole term as words, stop words too. */
  phrase: string[];
  sought: Sought[];
};

/** A word that carries meaning, or a saying of several, and the other ways to say it. */
export type Sought = { words: SoughtWord[]; synonyms: Synonym[] };

/** Stems by their numbers in the lexicon. */
export type SoughtWord = {
  text: string;
  stem: number | undefined;
  /** What a word that nobody uses may have meant. */
  meant: number[];
  /** What the last word may be the beginning of. */
  completions: number[];
};

export type Synonym = { phrase: string; stems: number[] };

/** More words than this that nobody uses are no misspellings. */
const MISSPELT_LIMIT = 4;

export function readQuery(index: SearchIndex, term: string): Query {
  const phrase = listWords(term).map(({ text }) => text);
  const sought: Sought[] = [];
  let misspeltCount = 0;

  const readWord = (text: string, isLast: boolean): SoughtWord => {
    const stem = index.lexicon.find(text);
    const isMisspelt = !isInUse(index, stem) && ++misspeltCount <= MISSPELT_LIMIT;
    const completions = isLast ? index.lexicon.complete(text) : [];
    const meant = isMisspelt ? [...completions, ...findMeant(index, text)] : [];
    return { text, stem, meant, completions };
  };

  for (let start = 0; start < phrase.length;) {
    const saying = findSaying(phrase, start);
    const end = start + (saying?.length ?? 1);
    const isLast = end === phrase.length;
    const words = phrase.slice(start, end).filter((word) => !isStopWord(word));
    const read = words.map((word, place) => readWord(word, isLast && place === words.length - 1));
    if (read.length > 0) sought.push({ words: read, synonyms: findSynonyms(index, saying?.phrases ?? []) });
    start = end;
  }
  return { phrase, sought };
}

/** A word that some text has is meant as it is written: "light" is no misspelt "night". */
function isInUse({ texts }: SearchIndex, stem: number | undefined): boolean {
  return stem !== undefined && (texts[stem]?.length ?? 0) > 0;
}

function findMeant({ misspellings, lexicon }: SearchIndex, word: string): number[] {
  return misspellings
    .findMeant(word)
    .map((meant) => lexicon.find(meant))
    .filter((stem) => stem !== undefined);
}

function findSynonyms({ lexicon }: SearchIndex, phrases: string[]): Synonym[] {
  return phrases
    .map((phrase) => ({ phrase, stems: phrase.split(" ").map((stem) => lexicon.findStem(stem)) }))
    .filter((synonym): synonym is Synonym => synonym.stems.every((stem) => stem !== undefined));
}
