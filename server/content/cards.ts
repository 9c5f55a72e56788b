import { cutCharacters, cutWords, excerptLengths } from "./excerpt.ts";
import type { Item, ItemKind, Picture } from "./item.ts";

/** What a list shows of an item, cut to length beforehand. */
export type Card = {
  id: number;
  kind: ItemKind;
  title: string;
  text: string;
  author: string;
  date: string;
  picture: Picture;
  /** Whether it has a film that plays here. */
  isFilm?: true;
  /** How long it takes, in words: "90 seconds", "6 minutes to read"; no line breaks within it. Absent where nothing says so. */
  length?: string;
};

/** Silent reading of English prose is at 200 to 250 words a minute; late at night the lower figure is the fairer one. */
const WORDS_PER_MINUTE = 200;

const listTextLengths: Record<ItemKind, number> = {
  watch: excerptLengths.watchText,
  read: excerptLengths.readText,
  learn: excerptLengths.learnText,
};

/** The same card for the same item each time: what is made of a card can be kept with it. */
export const toListCard = onceAnItem((item) => ({
  ...cardOf(item),
  text: cutCharacters(item.lead, listTextLengths[item.kind]),
}));

export function toFeaturedCard(item: Item): Card {
  return { ...toListCard(item), title: cutCharacters(item.title, excerptLengths.featuredTitle) };
}

export function toNewCard(item: Item): Card {
  return {
    ...cardOf(item),
    title: cutWords(item.title, excerptLengths.newTitleWords),
    text: cutWords(item.lead, excerptLengths.newTextWords),
  };
}

/** As `toListCard`, with more of the text. */
export const toSearchCard = onceAnItem((item) => ({
  ...cardOf(item),
  text: cutCharacters(item.lead, excerptLengths.searchText),
}));

function onceAnItem(make: (item: Item) => Card): (item: Item) => Card {
  const made = new WeakMap<Item, Card>();
  return (item) => {
    const card = made.get(item) ?? make(item);
    made.set(item, card);
    return card;
  };
}

function cardOf(item: Item): Omit<Card, "text"> {
  const { id, kind, title, author, date, picture, video } = item;
  const isFilm = video !== undefined && video.kind !== "elsewhere";
  const length = lengthOf(item);
  return { id, kind, title, author, date, picture, ...(isFilm && { isFilm }), ...(length && { length }) };
}

function lengthOf({ kind, text, video }: Item): string | undefined {
  if (kind === "read") return readingTimeOf(text);
  return video?.durationInSeconds === undefined ? undefined : playingTimeOf(video.durationInSeconds);
}

function readingTimeOf(text: string): string | undefined {
  const words = text.match(/\S+/g)?.length ?? 0;
  return words === 0 ? undefined : keepTogether(`${count(Math.ceil(words / WORDS_PER_MINUTE), "minute")} to read`);
}

function playingTimeOf(seconds: number): string {
  return keepTogether(seconds < 120 ? count(Math.round(seconds), "second") : count(Math.round(seconds / 60), "minute"));
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function keepTogether(words: string): string {
  return words.replaceAll(" ", "\u00a0");
}
