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
};

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

function cardOf({ id, kind, title, author, date, picture }: Item): Omit<Card, "text"> {
  return { id, kind, title, author, date, picture };
}
