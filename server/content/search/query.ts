import { correctTerm, findOtherReading } from "./corrections.ts";
import { rewriteTerm } from "./rewriting.ts";
import type { Synonyms } from "./sayings.ts";
import { countUses, hasItem, isInUse, type SearchIndex } from "./search-index.ts";
import { isPlace } from "./spelling.ts";
import { isStopWord, isVagueWord, listWords } from "./words.ts";

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
 * One notion of a term, which counts once, however it is said. `words`: what it was read from; `synonyms`: what else it is
 * called, as stems; `isForeign`: it was said in another language.
 */
export type Part = { words: string[]; wordings: Wording[]; synonyms: string[]; isForeign: boolean; role: Role };

/**
 * An item matches if it has one of the stems (numbers of the lexicon) of each word; all of them in title or topics where
 * `isOnlyInNames`.
 */
export type Wording = { words: number[][]; weight: number; isOnlyInNames: boolean };

/** A synonym, or a word that begins so, is a little less likely to be meant. */
const SYNONYM_WEIGHT = 0.7;

/** `names`: words that are as they should be. */
export function readQuery(index: SearchIndex, term: string, { isLiteral = false, names = noNames } = {}): Query {
  const phrase = toTexts(term);
  const asTyped = readText(index, term);
  const isForeign = asTyped.some((part) => part.isForeign);
  // Another language has no misspelt English words, and of a question in it only the saying is understood.
  if (isLiteral || isForeign) {
    const parts = isForeign && !isLiteral ? asTyped.filter((part) => part.isForeign) : asTyped;
    return { phrase, parts, corrected: undefined, also: undefined };
  }
  const corrected = correctTerm(index, term, names);
  if (corrected !== undefined)
    return { phrase: toTexts(corrected), parts: readText(index, corrected), corrected, also: undefined };
  const also = findOtherReading(index, term);
  const parts = also === undefined ? asTyped : mergeParts(asTyped, readText(index, also));
  return { phrase, parts, corrected, also };
}

const noNames: ReadonlySet<string> = new Set();

function readText(index: SearchIndex, text: string): Part[] {
  return readParts(index, toTexts(rewriteTerm(text)));
}

function toTexts(text: string): string[] {
  return listWords(text).map((word) => word.text);
}

/** The parts of the second reading; where it differs, the words of the first are another wording to say them. */
function mergeParts(first: Part[], second: Part[]): Part[] {
  const [known, wanted] = [first, second].map((parts) => new Set(parts.map(({ words }) => words.join(" "))));
  const literal = first.filter(({ words }) => !wanted?.has(words.join(" ")));
  const wording: Wording = {
    words: literal.flatMap(({ wordings: [own] }) => own?.words ?? []),
    weight: SYNONYM_WEIGHT,
    isOnlyInNames: false,
  };
  return second.map((part) =>
    known?.has(part.words.join(" ")) ? part : { ...part, wordings: [...part.wordings, wording] },
  );
}

function readParts(index: SearchIndex, phrase: string[]): Part[] {
  const all: Part[] = [];
  for (let start = 0; start < phrase.length;) {
    const { saying, words, wordings, end } = readNotion(index, phrase, { start });
    // The last word may be incomplete.
    const last = end === phrase.length ? words.at(-1) : undefined;
    if (last !== undefined && !isInUse(index, last) && words.length === 1 && !saying) {
      wordings.push({ words: [index.lexicon.complete(last)], weight: SYNONYM_WEIGHT, isOnlyInNames: false });
    }
    const { phrases = [], isForeign = false, isComplaint = false } = saying ?? {};
    const isDetail = !saying && !words.some((word) => index.namePlaces.has(word));
    // "At night" only says when.
    const isTime = !saying && words[0] === "night" && isStopWord(phrase[start - 1] ?? "");
    const role = isComplaint || isTime ? "complaint" : isDetail ? "detail" : "subject";
    if (words.length > 0) all.push({ words, wordings, synonyms: phrases, isForeign, role });
    start = end;
  }
  // A number beside a word never outweighs it: "5 week old" is no breath of five.
  const telling = all.filter(
    ({ words, wordings, synonyms }) =>
      (words.length > 1 && synonyms.length > 0) ||
      words.some((word) => !isVagueWord(word) && (wordings.length > 1 || !/^\d+$/.test(word))),
  );
  return giveRoles(index, telling.length > 0 ? telling : all);
}

/** Without a known subject, each part is one. */
function giveRoles(index: SearchIndex, parts: Part[]): Part[] {
  const isSubject = ({ role, wordings }: Part) =>
    role === "subject" &&
    wordings.some(({ words }) => words.every((stems) => stems.some((stem) => countUses(index, stem) > 0)));
  return parts.some(isSubject) ? parts : parts.map((part) => ({ ...part, role: "subject" }));
}

/**
 * The longest saying from a word on, or the word. A saying that no text has, and no title or topic by another name, is
 * also found by all else that people call it; one that no item has in any wording would hide its words, so a shorter one.
 */
function readNotion(
  index: SearchIndex,
  phrase: string[],
  { start, before = phrase.length }: { start: number; before?: number },
): { saying: Synonyms | undefined; words: string[]; wordings: Wording[]; end: number } {
  const { sayings } = index.lexicon;
  const saying = sayings.find(phrase.slice(0, before), start) ?? findAbroad(index, phrase[start]);
  const end = start + (saying?.length ?? 1);
  const words = phrase.slice(start, end).filter((word) => !isStopWord(word));
  const own: Wording = { words: words.map((word) => findForms(index, word)), weight: 1, isOnlyInNames: false };
  const wordings = [own, ...toSynonyms(index, saying?.phrases ?? [])];
  if (!saying || wordings.some((each) => hasItem(index, each.words, true)) || hasItem(index, own.words))
    return { saying, words, wordings, end };
  const { isForeign, length, phrases, kin } = saying;
  const english = isForeign ? phrases.flatMap((each) => sayings.find(each.split(" "), 0)?.kin ?? []) : kin;
  wordings.push(...toSynonyms(index, english.flat()));
  if (isForeign || length === 1 || wordings.some((each) => hasItem(index, each.words, each.isOnlyInNames)))
    return { saying, words, wordings, end };
  return readNotion(index, phrase, { start, before: end - 1 });
}

/** A place that no text has is somewhere else: "landed from Tokyo". */
function findAbroad({ lexicon }: SearchIndex, word = ""): Synonyms | undefined {
  return isPlace(word) && lexicon.find(word) === undefined ? lexicon.sayings.find(["abroad"], 0) : undefined;
}

function findForms({ lexicon }: SearchIndex, word: string): number[] {
  const stem = lexicon.find(word);
  return stem === undefined ? [] : [stem];
}

function toSynonyms({ lexicon }: SearchIndex, phrases: string[]): Wording[] {
  return phrases.flatMap((phrase) => {
    const stems = phrase.split(" ").map((stem) => lexicon.findStem(stem));
    if (!stems.every((stem) => stem !== undefined)) return [];
    // Apart in a text, the words of a phrase mean something else.
    return [{ words: stems.map((stem) => [stem]), weight: SYNONYM_WEIGHT, isOnlyInNames: stems.length > 1 }];
  });
}
