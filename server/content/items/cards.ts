import type { Item, Picture } from "./item.ts";
import { excerptLengths, type ItemKind, kinds, mapSections, type Section } from "./kinds.ts";
import { findSection, isRecording, silenceText } from "./item-facts.ts";

export type Card = PreparedCard & {
  /** In words, at the time of the request: "yesterday". */
  day: string;
};

/** Made once for each item, with texts already cut. */
export type PreparedCard = {
  id: number;
  kind: ItemKind;
  title: string;
  text: string;
  author: string;
  date: string;
  picture: Picture;
  isFilm?: true;
  isRecording?: true;
  /** In words, without line breaks: "1 min", "6 min read". Absent if unknown. */
  length?: string;
  /** "silent, with captions": of a film without sound. */
  silence?: string;
};

/** The same object for the same item, so results can be cached with it. */
export const toListCard = cacheByItem((item) => ({
  ...toCard(item),
  text: cutCharacters(item.lead, kinds[item.kind].textLength),
}));

export function toFeaturedCard(item: Item): PreparedCard {
  return { ...toListCard(item), title: cutCharacters(item.title, excerptLengths.featuredTitle) };
}

export function toNewCard(item: Item): PreparedCard {
  return {
    ...toCard(item),
    title: cutWords(item.title, excerptLengths.newTitleWords),
    text: cutWords(item.lead, excerptLengths.newTextWords),
  };
}

/** A search shows its own text, which may be the opening. */
export const toSearchCard = cacheByItem((item) => ({
  card: toCard(item),
  opening: cutCharacters(item.lead, excerptLengths.searchText),
}));

function cacheByItem<Made>(make: (item: Item) => Made): (item: Item) => Made {
  const made = new WeakMap<Item, Made>();
  return (item) => {
    const card = made.get(item) ?? make(item);
    made.set(item, card);
    return card;
  };
}

function toCard(item: Item): Omit<PreparedCard, "text"> {
  const { id, kind, title, author, date, picture, length, video } = item;
  const silence = silenceText(video);
  const isFilm = video !== undefined && video.kind !== "elsewhere";
  return {
    id,
    kind,
    title,
    author,
    date,
    picture,
    ...(isFilm && { isFilm }),
    ...(isRecording(item) && { isRecording: true }),
    ...(length && { length }),
    ...(silence && { silence }),
  };
}

/** Adds an ellipsis when there were more. */
export function cutWords(text: string, most: number): string {
  const words = text.split(" ");
  return words.length <= most ? text : ellipsis(words.slice(0, most).join(" "));
}

/** Ends at a word where one ends not far before; adds an ellipsis when there was more. */
export function cutCharacters(text: string, length: number): string {
  const cut = takeCharacters(text, length);
  if (cut.length === text.length) return text;
  const lastSpace = cut.lastIndexOf(" ");
  return ellipsis(lastSpace > (cut.length * 2) / 3 ? cut.slice(0, lastSpace) : cut);
}

function takeCharacters(text: string, most: number): string {
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Scans backwards once: an expression would start again at each mark within the text. */
function ellipsis(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:–—-]/u.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** A section in its order, cut into cards once, so that a request only takes a slice. */
export type Listing = {
  listed: PreparedCard[];
  featured: PreparedCard[];
  newest: PreparedCard[];
  latest: PreparedCard | undefined;
};

export type Listings = Record<Section, Listing>;

/** The list shows six (docs/behaviour.md, Sections and items); one more, because the open item is left out. */
export const RECOMMENDED_COUNT = 6;
/** Further sticky articles come first in the list. */
const FEATURED_LIMIT = 12;

export function byNewest(a: Item, b: Item): number {
  return b.publishedAt.getTime() - a.publishedAt.getTime() || b.id - a.id;
}

export function fillListings(items: Item[]): Listings {
  const newestFirst = items.toSorted(byNewest);
  return mapSections((section) => fillListing(newestFirst.filter((item) => findSection(item) === section)));
}

function fillListing(items: Item[]): Listing {
  const sticky = items.filter((item) => item.isSticky);
  const listed = [...sticky.slice(FEATURED_LIMIT), ...items.filter((item) => !item.isSticky)];
  return {
    listed: listed.map(toListCard),
    featured: sticky.slice(0, FEATURED_LIMIT).map(toFeaturedCard),
    newest: items.slice(0, RECOMMENDED_COUNT + 1).map(toListCard),
    latest: items[0] && toNewCard(items[0]),
  };
}
