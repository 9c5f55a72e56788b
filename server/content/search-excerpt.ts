import { cutCharacters, excerptLengths } from "./excerpt.ts";
import type { Item } from "./item.ts";
import type { Lexicon, Sought, SoughtWord } from "./search-index.ts";
import { listWords, type Word } from "./search-words.ts";
import { listBlocks } from "./transcript.ts";

/** A piece of text, and whether it is what was searched for. */
export type ExcerptPiece = { text: string; isHit: boolean };

export type Excerpt = {
  pieces: ExcerptPiece[];
  /** The id of the transcript's paragraph, when the excerpt is from there. */
  anchor: string | undefined;
};

/** How much text precedes the word that was found. */
const LEAD_IN_LENGTH = 100;

/** A text as its words, and the numbers of their stems. */
type Reading = { words: Word[]; numbers: number[] };

/** Finds what is sought in a text. */
export type Finder = {
  read(...texts: string[]): Reading;
  /** Whether all of one thing that is sought is there. */
  has(reading: Reading, sought: Sought): boolean;
  /** The words, by their place, that are something sought. */
  listHits(reading: Reading, sought: Sought[]): Word[];
};

/** Titles and openings are read at every search that finds them; longer texts only when it is they that were found. */
const REMEMBERED_LENGTH = 400;
const REMEMBERED_COUNT = 2000;

export function createFinder(lexicon: Lexicon): Finder {
  const remembered = new Map<string, Reading>();

  function readText(text: string): Reading {
    const known = remembered.get(text);
    if (known) return known;
    const words = listWords(text);
    const reading = { words, numbers: words.map((word) => lexicon.find(word.text) ?? -1) };
    if (text.length > REMEMBERED_LENGTH) return reading;
    if (remembered.size >= REMEMBERED_COUNT) remembered.clear();
    remembered.set(text, reading);
    return reading;
  }

  return {
    read(...texts) {
      const readings = texts.map(readText);
      return {
        words: readings.flatMap(({ words }) => words),
        numbers: readings.flatMap(({ numbers }) => numbers),
      };
    },
    has({ numbers }, { words, synonyms }) {
      return (
        words.every((word) => formsOf(word).some((form) => numbers.includes(form))) ||
        synonyms.some(({ stems }) => numbers.some((_, place) => isAt(numbers, place, stems)))
      );
    },
    listHits({ words, numbers }, sought) {
      const forms = new Set(sought.flatMap((each) => each.words.flatMap(formsOf)));
      const phrases = sought.flatMap(({ synonyms }) => synonyms.map(({ stems }) => stems));
      const hits = new Set<number>();
      for (const [place, number] of numbers.entries()) {
        if (forms.has(number)) hits.add(place);
        for (const stems of phrases) {
          if (isAt(numbers, place, stems)) for (const offset of stems.keys()) hits.add(place + offset);
        }
      }
      return words.filter((_, place) => hits.has(place));
    },
  };
}

function formsOf({ stem, meant, completions }: SoughtWord): number[] {
  return stem === undefined ? [...meant, ...completions] : [stem, ...meant, ...completions];
}

function isAt(numbers: number[], place: number, stems: number[]): boolean {
  return stems.every((stem, offset) => numbers[place + offset] === stem);
}

type Search = { sought: Sought[]; finder: Finder };

/**
 * What is quoted of an item that was found: its opening; or when neither that nor title and topics have all that is sought, the
 * place where something that they lack stands first, in the body if it is there, else in the transcript.
 */
export function makeExcerpt(item: Item, { opening, ...search }: Search & { opening: string }): Excerpt {
  const { finder, sought } = search;
  const seen = finder.read(item.title, ...item.terms, opening);
  const unseen = sought.filter((each) => !finder.has(seen, each));
  if (unseen.length === 0) return { pieces: markHits(opening, search), anchor: undefined };
  const body = finder.read(item.text);
  const unwritten = unseen.filter((each) => !finder.has(body, each));

  const spoken = findSpoken(item, { finder, sought: unwritten });
  if (spoken) return { pieces: markHits(spoken.quote, search), anchor: spoken.anchor };
  const [first] = finder.listHits(body, unseen);
  const quote = first ? cutAround(item.text, first.start) : opening;
  return { pieces: markHits(quote, search), anchor: undefined };
}

/** The first paragraph of the transcript that has something of what is sought. */
function findSpoken({ transcriptHtml }: Item, { finder, sought }: Search) {
  if (!transcriptHtml || sought.length === 0) return undefined;
  const blocks = listBlocks(transcriptHtml);
  for (const [place, { id, text }] of blocks.entries()) {
    const [first] = finder.listHits(finder.read(text), sought);
    if (!first) continue;
    const before = blocks.slice(0, place).map((block) => `${block.text} `);
    const start = before.join("").length + first.start;
    return { quote: cutAround(blocks.map((block) => block.text).join(" "), start), anchor: id };
  }
  return undefined;
}

/** As much of a text as an excerpt has, from a little before the place. */
function cutAround(text: string, place: number): string {
  const wished = Math.max(0, Math.min(place - LEAD_IN_LENGTH, text.length - excerptLengths.searchText));
  if (wished === 0) return cutCharacters(text, excerptLengths.searchText);
  const space = text.indexOf(" ", wished);
  const start = space === -1 || space >= place ? place : space + 1;
  return `…${cutCharacters(text.slice(start), excerptLengths.searchText)}`;
}

function markHits(text: string, { finder, sought }: Search): ExcerptPiece[] {
  const pieces: ExcerptPiece[] = [];
  let end = 0;
  for (const hit of finder.listHits(finder.read(text), sought)) {
    pieces.push({ text: text.slice(end, hit.start), isHit: false });
    pieces.push({ text: text.slice(hit.start, hit.end), isHit: true });
    end = hit.end;
  }
  pieces.push({ text: text.slice(end), isHit: false });
  return pieces.filter((piece) => piece.text !== "");
}
