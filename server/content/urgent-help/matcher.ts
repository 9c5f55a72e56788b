import { toTextKey } from "../../platform/text.ts";
import { isOneMistake, isSlip } from "./slips.ts";

/**
 * Detects words about suicide, self-harm, overdose or danger. `urgent-help.yaml` has the words and explains their
 * syntax. Pure, so that a browser can run it at every key.
 */

export type HelpWords = {
  groups: Record<string, string[]>;
  phrases: string[];
  harmless: string[];
  "real-words": string[];
};

/** The quiet line names the first contact. */
export type HelpCard = {
  heading: string;
  opening: string;
  contacts: { name: string; number: string; tel: string; about: string }[];
  note: string;
};

/** `{first}` in the sentence marks where the contact goes. */
export type HelpLine = { text: string; contact: Pick<HelpCard["contacts"][number], "name" | "number" | "tel"> };

export type HelpMatcher = (text: string) => boolean;

/** The most words in place of an ellipsis without a number. */
const GAP = 3;
/** Characters read from the beginning of a text, and from its end. */
const MOST_READ = 500;
const MOST_REPEATED = 4;

/**
 * Words of which one must match, a number, or a gap. `isEdge`: the edge of a sentence matches too. `repeats`: an
 * optional slot, at most so many times.
 */
type Slot = { words: Set<string>; atLeast?: number; gap?: number; isEdge?: boolean; repeats?: number };

/** `meant` is empty where the word is part of no phrase. `isFirst`: it begins a sentence. */
type Token = { text: string; meant: Set<string>; isFirst: boolean };

/** @throws {Error} naming the phrase that cannot be read. */
export function createHelpMatcher({ groups, phrases, harmless, "real-words": real }: HelpWords): HelpMatcher {
  const read = createReader(groups);
  const [wanted, spared] = [phrases.map(read), harmless.map(read)];
  const bare = wanted.map((phrase) => phrase.filter(({ words, isEdge }) => !isEdge || words.size > 0));
  const alone = new Set(bare.flatMap(([slot, ...rest]) => (slot && rest.length === 0 ? Array.from(slot.words) : [])));
  const known = listKnown([...wanted, ...spared]);
  const speller = createSpeller({ known, real: new Set(real), alone });
  const [findSpared, findWanted] = [createIndex(spared), createIndex(wanted)];
  return (text) => {
    const tokens = speller(text);
    for (const phrase of findSpared(tokens)) hide(tokens, phrase);
    const likely = findWanted(tokens);
    return tokens.some((_, start) => likely.some((phrase) => matchAt(tokens, phrase, start) !== undefined));
  };
}

/**
 * Preselects phrases of which a text has a word for each part; then their order is compared. Looks each up by its part
 * with the fewest words, so that a long text costs little more.
 */
function createIndex(phrases: Slot[][]): (tokens: Token[]) => Slot[][] {
  const byWord = new Map<string, { phrase: Slot[]; others: Set<string>[] }[]>();
  for (const phrase of phrases) {
    const needed = phrase
      .filter((slot) => !(slot.gap ?? slot.atLeast ?? slot.repeats) && !slot.isEdge)
      .map(({ words }) => words);
    const [rarest = new Set<string>(), ...others] = needed.toSorted((a, b) => a.size - b.size);
    for (const word of rarest) {
      const having = byWord.get(word) ?? [];
      byWord.set(word, having);
      having.push({ phrase, others });
    }
  }
  return (tokens) => {
    const meant = new Set(tokens.flatMap((token) => [...token.meant]));
    const found = [...meant].flatMap((word) => byWord.get(word) ?? []);
    return [
      ...new Set(
        found.filter(({ others }) => others.every((words) => haveCommon(meant, words))).map(({ phrase }) => phrase),
      ),
    ];
  };
}

/** Words of a harmless phrase belong to no other phrase. */
function hide(tokens: Token[], phrase: Slot[]): void {
  for (let start = 0; start < tokens.length; start += 1) {
    const end = matchAt(tokens, phrase, start);
    for (const token of end === undefined ? [] : tokens.slice(start, end)) token.meant = new Set();
  }
}

/** The end of a phrase that begins at a token; `undefined` without a match. */
function matchAt(tokens: Token[], [slot, ...rest]: Slot[], at: number): number | undefined {
  if (!slot) return at;
  const token = tokens[at];
  if (slot.gap !== undefined) {
    for (let skipped = 0; skipped <= slot.gap && at + skipped <= tokens.length; skipped += 1) {
      const end = matchAt(tokens, rest, at + skipped);
      if (end !== undefined) return end;
    }
    return undefined;
  }
  if (slot.isEdge && (at === 0 || (token?.isFirst ?? true))) {
    const end = matchAt(tokens, rest, at);
    if (end !== undefined) return end;
  }
  const fits = token !== undefined && fitsSlot(token, slot);
  if (slot.repeats === undefined) return fits ? matchAt(tokens, rest, at + 1) : undefined;
  const repeated = fits && slot.repeats > 0 ? { ...slot, repeats: slot.repeats - 1 } : undefined;
  return (repeated && matchAt(tokens, [repeated, ...rest], at + 1)) ?? matchAt(tokens, rest, at);
}

function fitsSlot({ text, meant }: Token, { atLeast = Infinity, words }: Slot): boolean {
  return haveCommon(meant, words) || (meant.size > 0 && /^\d+$/.test(text) && Number(text) >= atLeast);
}

function haveCommon(some: Set<string>, others: Set<string>): boolean {
  for (const word of some) if (others.has(word)) return true;
  return false;
}

/** Phrases share most of their slots, and slots their groups: each is read once. */
function createReader(groups: Record<string, string[]>): (phrase: string) => Slot[] {
  const slots = new Map<string, Slot>();
  const listed = new Map<string, string[]>();

  /** @throws {Error} for an unknown group, and for anything that is no word. */
  return (phrase) =>
    phrase.split(" ").map((written) => {
      const slot = slots.get(written) ?? readRepeated(written, phrase);
      slots.set(written, slot);
      return slot;
    });

  function readRepeated(written: string, phrase: string): Slot {
    const [, inner] = /^\((.+)\)$/.exec(written) ?? [];
    return inner === undefined ? readSlot(written, phrase) : { ...readSlot(inner, phrase), repeats: MOST_REPEATED };
  }

  function readSlot(written: string, phrase: string): Slot {
    const [, gap] = /^\.{3}(\d*)$/.exec(written) ?? [];
    if (gap !== undefined) return { words: new Set(), gap: Number(gap || GAP) };
    const all = written.split("|").flatMap((choice) => listWords(choice, phrase));
    const [number, second] = all.filter((choice) => choice.endsWith("+"));
    if (second !== undefined) throw toFault(second, phrase);
    const words = new Set(all.filter((choice) => choice !== number && choice !== "."));
    return { words, isEdge: all.includes("."), ...(number && { atLeast: Number.parseInt(number, 10) }) };
  }

  function listWords(choice: string, phrase: string, within: string[] = []): string[] {
    const known = listed.get(choice);
    if (known) return known;
    const words = readChoice(choice, phrase, within);
    listed.set(choice, words);
    return words;
  }

  function readChoice(choice: string, phrase: string, within: string[]): string[] {
    const [, group] = /^<([\w-]+)>$/.exec(choice) ?? [];
    if (group === undefined) {
      if (/^(?:[a-z]+|\d+\+?|\.)$/.test(choice)) return [choice];
      throw toFault(choice, phrase);
    }
    const members = groups[group];
    if (!members) throw new Error(`“${phrase}” names the group <${group}>, which doesn't exist`);
    if (within.includes(group)) throw new Error(`“${phrase}” names the group <${group}>, which contains itself`);
    return members.flatMap((member) => listWords(member, phrase, [...within, group]));
  }
}

function toFault(choice: string, phrase: string): Error {
  return new Error(`“${phrase}” has “${choice}”: use only small letters from a to z, or numbers`);
}

function listKnown(phrases: Slot[][]): Set<string> {
  const known = new Set<string>();
  for (const { words } of new Set(phrases.flat())) for (const word of words) known.add(word);
  return known;
}

/** `known`: all words of phrases. `alone`: words that are a phrase. `real`: words that are never corrected. */
type Lexicon = { known: Set<string>; alone: Set<string>; real: Set<string> };

function createSpeller({ known, alone, real }: Lexicon): (text: string) => Token[] {
  const byBeginning = new Map<string, { word: string; isAlone: boolean }[]>();
  for (const word of known) {
    for (const key of listBeginnings(word, word.length)) {
      const alike = byBeginning.get(key) ?? [];
      byBeginning.set(key, alike);
      alike.push({ word, isAlone: alone.has(word) });
    }
  }

  function listMeant(word: string): string[] {
    if (known.has(word) || real.has(word) || /^\d/.test(word)) return [word];
    const keys = [-1, 0, 1].flatMap((more) => listBeginnings(word, word.length + more));
    return keys.flatMap((key) => {
      const near = (byBeginning.get(key) ?? []).filter((each) => isMistyped(word, each));
      return near.map((each) => each.word);
    });
  }

  return (text) =>
    listSentences(text).flatMap((written) => {
      const meant = new Map(written.map((word) => [word, listMeant(word)]));
      const words = written.flatMap((word) => {
        const isUnderstood = word.length < SHORTEST_JOINED || (meant.get(word) ?? []).length > 0;
        return (isUnderstood ? undefined : splitJoined(word, known)) ?? [word];
      });
      return joinSplit(words, known).map((word, index) => ({
        text: word,
        meant: new Set(meant.get(word) ?? listMeant(word)),
        isFirst: index === 0,
      }));
    });
}

/** One slip leaves one of a word's first two letters among the first two. */
function listBeginnings(word: string, length: number): string[] {
  return [...new Set(word.slice(0, 2))].map((letter) => letter + length);
}

/** `isAlone`: the word is a phrase. The lengths differ by one at most, and they begin alike. */
function isMistyped(typed: string, { word, isAlone }: { word: string; isAlone: boolean }): boolean {
  if (!isAlone) return isSlip(typed, word);
  if (word.length <= SLANG_LENGTH) return false;
  return isSlip(typed, word) || (word.length >= LONG && isOneMistake(typed, word));
}

/** A three-letter phrase is slang and has no misspellings: "kgs" is no "kys". */
const SLANG_LENGTH = 3;
/** From this length on, a phrase of one word may have any one mistake. */
const LONG = 7;

/**
 * The words of each sentence in lower case: no accents or apostrophes, look-alike signs as letters, no letter three
 * times.
 */
function listSentences(text: string): string[][] {
  const ends = [text.slice(0, MOST_READ), text.slice(MOST_READ).slice(-MOST_READ)];
  const plain = toTextKey(ends.join(" "))
    .normalize("NFD")
    .replace(/[\p{M}'’ʼ‘`´]/gu, "")
    .replace(/[łßœæøđı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/(?<=[a-z])[*_.](?=[a-z])/g, "")
    .replace(/(?<=[a-z])[10345@$!|](?=[a-z])|[10345@$!|](?=[a-z]{3})/g, (sign) => lookalikes[sign] ?? sign)
    .replace(/(?<=[a-z]) ?2 ?(?=[a-z])/g, " to ")
    .replace(/([a-z])\1{2,}/g, "$1");
  return plain.split(/[.,;:!?…]/).map((sentence) => sentence.match(/[a-z]+|\d+(?:mg|g|ml)?/g) ?? []);
}

/** Letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = { ł: "l", ß: "ss", œ: "oe", æ: "ae", ø: "o", đ: "d", ı: "i" };

const lookalikes: Record<string, string> = {
  "1": "i",
  "0": "o",
  "3": "e",
  "4": "a",
  "5": "s",
  "@": "a",
  $: "s",
  "!": "i",
  "|": "i",
};

const SHORTEST_JOINED = 6;
/** No longer piece exists, which bounds the time for a long row of letters. */
const LONGEST_PIECE = 20;

/** The fewest known words in "killmyself"; `undefined` if it is not made of known words. */
function splitJoined(word: string, known: Set<string>): string[] | undefined {
  const best: (string[] | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = Math.max(0, end - LONGEST_PIECE); start < end; start += 1) {
      const before = best[start];
      if (!before || before.length + 1 >= (best[end]?.length ?? Infinity)) continue;
      const piece = word.slice(start, end);
      if (known.has(piece)) best[end] = [...before, piece];
    }
  }
  return best[word.length];
}

/** "my self" and "over dose" become one word each. */
function joinSplit(words: string[], known: Set<string>): string[] {
  const joined: string[] = [];
  for (const word of words) {
    const whole = `${joined.at(-1) ?? ""}${word}`;
    if (whole !== word && whole.length >= SHORTEST_JOINED && known.has(whole)) joined[joined.length - 1] = whole;
    else joined.push(word);
  }
  return joined;
}
