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

export function toListCard(item: Item): Card {
  return { ...cardOf(item), text: cutCharacters(item.lead, listTextLengths[item.kind]) };
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
