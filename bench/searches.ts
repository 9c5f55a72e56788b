import { chooseWord, createChance, isWord } from "./synthetic-words.ts";

/** Members' searches in made-up content: random like its texts, and the same in every run. */
const COUNT = 200;
const MOST_WORDS = 3;
/** One search in so many has a misspelt word. */
const MISSPELT_EVERY = 4;
/** A mistake in a shorter word may make another word. */
const MISSPELT_FROM = 6;
const LONG_FROM = 9;

type Pair = { right: string; misspelt: string };

/** 200 searches of one to three words, a quarter of them with a misspelt word. */
export const variedSearches: string[] = Array.from({ length: COUNT }, (_, index) => {
  const next = createChance(1000 + index);
  const others = Array.from({ length: index % MOST_WORDS }, () => chooseWord(next));
  const last = index % MISSPELT_EVERY === 0 ? misspell(choose(next, MISSPELT_FROM), next) : chooseWord(next);
  return [...others, last].join(" ");
});

/** Single words, and each with one mistake. */
export const singleWords: Pair[] = Array.from({ length: COUNT / 4 }, (_, index) =>
  choosePair(createChance(2000 + index), { count: 1, least: MISSPELT_FROM }),
);

/** Four long words, and each with one mistake: the most expensive searches that can be typed. */
export const longWords: Pair[] = Array.from({ length: COUNT / 4 }, (_, index) =>
  choosePair(createChance(3000 + index), { count: 4, least: LONG_FROM }),
);

export function toPaths(searches: string[]): string[] {
  return searches.map((search) => `/?q=${encodeURIComponent(search)}`);
}

function choosePair(next: () => number, { count, least }: { count: number; least: number }): Pair {
  const words = Array.from({ length: count }, () => choose(next, least));
  return { right: words.join(" "), misspelt: words.map((word) => misspell(word, next)).join(" ") };
}

function choose(next: () => number, least: number): string {
  for (;;) {
    const word = chooseWord(next);
    if (word.length >= least) return word;
  }
}

/** One of the four usual mistakes after the first letter: a swapped, missing, doubled or wrong letter. */
function misspell(word: string, next: () => number): string {
  for (;;) {
    const place = 1 + Math.floor(next() * (word.length - 2));
    const [start, letter = "", after = "", end] = [
      word.slice(0, place),
      word[place],
      word[place + 1],
      word.slice(place + 2),
    ];
    const ways = [
      start + after + letter + end,
      start + after + end,
      start + letter + letter + after + end,
      `${start}e${after}${end}`,
    ];
    const misspelt = ways[Math.floor(next() * ways.length)] ?? "";
    if (misspelt !== word && !isWord(misspelt)) return misspelt;
  }
}
