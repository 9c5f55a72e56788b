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

const listCards = new WeakMap<Item, Card>();

/** The same card for the same item each time: what is made of a card can be kept with it. */
export function toListCard(item: Item): Card {
  const known = listCards.get(item);
  if (known) return known;
  const card = { ...cardOf(item), text: cutCharacters(item.lead, listTextLengths[item.kind]) };
  listCards.set(item, card);
  return card;
}

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

export function toSearchCard(item: Item): Card {
  return { ...cardOf(item), text: cutCharacters(item.lead, excerptLengths.searchText) };
}

function cardOf({ id, kind, title, author, date, picture }: Item): Omit<Card, "text"> {
  return { id, kind, title, author, date, picture };
}
