import { resolve } from "node:path";
import { z } from "zod";

import { lazy } from "../../platform/lazy.ts";
import { readYamlFile } from "../../platform/yaml-file.ts";
import { foreignSayings } from "./sayings/foreign.ts";
import { habitSayings } from "./sayings/habits.ts";
import { lifeSayings } from "./sayings/life.ts";
import { peopleSayings } from "./sayings/people.ts";
import type { Saying } from "./sayings/saying.ts";
import { sleepSayings } from "./sayings/sleep.ts";
import { toStem } from "./stems.ts";
import { isStopWord, listWords } from "./words.ts";
import { addPairs, createPairs, type Pairs } from "./word-pairs.ts";

/**
 * `kin`: what else is typed for the same, a list for each saying. `isForeign`: of another language. `isComplaint`: a
 * reason for asking; a cause beside it weighs more.
 */
export type Synonyms = { phrases: string[]; kin: string[][]; length: number; isForeign: boolean; isComplaint: boolean };

/** The built-in sayings and an operator's own, merged. */
export type Sayings = {
  /** The longest saying that begins at a word, and its length; stop words may be between its words. */
  find(words: string[], start: number): Synonyms | undefined;
  /** Whether a saying has the word. */
  has(word: string): boolean;
  /** Those that others are put right to, so none of another language. */
  listWords(): Iterable<string>;
  /** Of the sayings' words that continue a text, the one with the most synonyms. */
  complete(beginning: string): string | undefined;
  pairs: Pairs;
  /** A phrase of synonyms as it is written. */
  toWritten(phrase: string): string;
};

/** The most words that one saying may span, with stop words between them. */
const SAYING_MAX_WORDS = 6;

/** Shorter words of other languages are often parts of English ones: "la" begins "lag". */
const FOREIGN_LENGTH = 4;

export function createSayings(own: Saying[] = []): Sayings {
  const byKey = new Map<string, Omit<Synonyms, "length">>();
  const [said, foreignWords] = [new Set<string>(), new Set<string>()];
  const pairs = createPairs();
  const written = new Map<string, string>();

  const builtIn = [foreignSayings, sleepSayings, habitSayings, peopleSayings, lifeSayings].flat();
  for (const saying of [...builtIn, ...own]) {
    const { words, typed = "", isComplaint = false } = saying;
    const isForeign = foreignSayings.includes(saying);
    const [texts, others] = [readPhrases(words), readPhrases(typed)];
    const [phrases, kin] = [texts.map(stemKey), others.filter(isTelling).map(stemKey)];
    for (const [place, phrase] of phrases.entries()) written.set(phrase, texts[place]?.join(" ") ?? phrase);
    for (const [place, phrase] of [...texts, ...others].entries()) {
      const isTyped = place >= texts.length;
      for (const word of phrase) {
        if (!isTyped || !isForeign) said.add(word);
        else if (word.length >= FOREIGN_LENGTH) foreignWords.add(word);
      }
      addPairs(pairs, phrase);
      const whole =
        isTyped && phrase.length === 1 && stemKey(phrase) !== phrase[0] ? exactKey(phrase) : stemKey(phrase);
      for (const key of [whole, ...listTellingKeys(phrase)]) {
        const known = byKey.get(key) ?? { phrases: [], kin: [], isForeign: true, isComplaint: false };
        byKey.set(key, {
          phrases: [...new Set([...known.phrases, ...phrases])],
          kin: [...known.kin, kin],
          isForeign: known.isForeign && isTyped && isForeign,
          isComplaint: known.isComplaint || isComplaint,
        });
      }
    }
  }

  const lookUp = (keys: string[]) => keys.flatMap((key) => byKey.get(key) ?? []);

  function find(words: string[], start: number): Synonyms | undefined {
    for (let length = Math.min(SAYING_MAX_WORDS, words.length - start); length > 0; length -= 1) {
      const part = words.slice(start, start + length);
      const asSaid = lookUp([exactKey(part), stemKey(part)]);
      const found = asSaid.length > 0 ? asSaid : lookUp(listLooseKeys(part));
      if (found.length === 0) continue;
      return {
        phrases: [...new Set(found.flatMap(({ phrases }) => phrases))],
        kin: found.flatMap(({ kin }) => kin),
        length,
        isForeign: found.every(({ isForeign }) => isForeign),
        isComplaint: found.some(({ isComplaint }) => isComplaint),
      };
    }
    return undefined;
  }
  const listBegun = createBeginnings(said);
  const countWays = (word: string) => find([word], 0)?.phrases.length ?? 0;

  return {
    find,
    has: (word) => said.has(word) || foreignWords.has(word),
    listWords: () => said,
    complete: (beginning) => listBegun(beginning).toSorted((a, b) => countWays(b) - countWays(a))[0],
    pairs,
    toWritten: (phrase) => written.get(phrase) ?? phrase,
  };
}

/** No beginning that is looked up is shorter. */
const START_LENGTH = 3;

function toStart(word: string): string {
  return word.slice(0, START_LENGTH);
}

function createBeginnings(words: Iterable<string>): (beginning: string) => string[] {
  const byStart = lazy(() => Map.groupBy(words, toStart));
  return (beginning) => (byStart().get(toStart(beginning)) ?? []).filter((word) => word.startsWith(beginning));
}

/** Without an operator's. */
export const bundledSayings = lazy(() => createSayings());

function readPhrases(text: string): string[][] {
  const phrases = text.split(",").map((phrase) => listWords(phrase).map((word) => word.text));
  return phrases.filter((words) => words.length > 0);
}

/** Without stop words, as they may be left out. */
function listTellingKeys(words: string[]): string[] {
  const telling = words.filter((word) => !isStopWord(word));
  return telling.length > 1 ? [stemKey(telling)] : [];
}

/** A small word at either end belongs to something else. */
function listLooseKeys(words: string[]): string[] {
  return [words[0], words.at(-1)].some((word = "") => isStopWord(word)) ? [] : listTellingKeys(words);
}

function stemKey(words: string[]): string {
  return words.map(toStem).join(" ");
}

/** A single word in `typed` matches letter by letter: "nights" is work, "night" is not. */
function exactKey(words: string[]): string {
  return `=${words.join(" ")}`;
}

/** A verb's form alone means more than its stem: "caring for" is no "foot care". */
function isTelling([word = "", ...others]: string[]): boolean {
  return others.length > 0 || !/(?:ing|ed)$/.test(word);
}

const MOST_THINGS = 2000;
const phrase = z
  .string({ error: "must be a text; put a number in quotes" })
  .max(100, "is longer than 100 characters")
  .refine((text) => listWords(text).length > 0, "has no word")
  .refine((text) => !text.includes(","), "has a comma: write each phrase apart");

/** A thing as texts call it, and how people say it: a list, or one text with commas. */
const fileSchema = z
  .record(
    phrase,
    z.preprocess(
      (value) => (typeof value === "string" ? value.split(",").map((each) => each.trim()) : value),
      z.array(phrase, { error: "must be a list of what people say" }).min(1, "has nothing that people say").max(200),
    ),
    { error: "must name things, each with a list of what people say" },
  )
  .refine((things) => Object.keys(things).length <= MOST_THINGS, `has more than ${MOST_THINGS} things`);

/** An operator's own words (`SEARCH_WORDS_FILE`), which join ours. @throws {Error} with a line for each mistake. */
export function readSearchWords(path: string | undefined): Saying[] {
  if (path === undefined) return [];
  const things = readYamlFile(resolve(path), fileSchema);
  return Object.entries(things).map(([words, said]) => ({ words, typed: said.join(", ") }));
}
