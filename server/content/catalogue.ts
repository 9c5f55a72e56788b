import { createHash, timingSafeEqual } from "node:crypto";

import { type Clock, systemClock } from "../clock.ts";
import type { Log } from "../log.ts";
import { type Card, RECOMMENDED_COUNT, toListCard } from "./cards.ts";
import { createIntake, itemKey, type ItemLosses, type SkippedItem } from "./intake.ts";
import type { Item, ItemSetting } from "./item.ts";
import { type ItemKind, itemKinds, mapKinds } from "./kinds.ts";
import type { Search } from "./search.ts";
import type { ContentSource, ListWish } from "./source.ts";
import { nearestTopics, topics } from "./suggestions.ts";

/** Everything there is to watch, read and learn: a prepared snapshot that requests only read. */
export type Catalogue = {
  /** Whether there is anything to show yet. */
  isReady(): boolean;
  /** Whether the last good reading is longer ago than a few refreshes that failed: members see what was, not what is. */
  isStale(): boolean;
  /**
   * For a start: takes in what is on disk of the last good reading, so that nobody waits for a CMS; what keeps nothing on disk
   * is read.
   */
  open(): Promise<void>;
  /**
   * Takes in what the source has now and swaps it in at once. On a fault the last good snapshot stays. Asked for
   * while one runs, it is that one.
   */
  refresh(wish?: ListWish): Promise<void>;
  /** What there is, since when, and what the last refresh left out: for operators. */
  status(): CatalogueStatus;
  findItem(kind: ItemKind, id: number): Item | undefined;
  /** One page of a list, counted from 1; `undefined` past the end. The first page of an empty list exists. */
  findPage(kind: ItemKind, page: number): CardPage | undefined;
  /** The list cards of these items, in this order; `undefined` for one that was withdrawn. */
  findCards(kind: ItemKind, ids: number[]): (Card | undefined)[];
  listFeatured(): Card[];
  /** The newest of a kind, without the item that is open. */
  listRecommended(kind: ItemKind, openId: number): Card[];
  /** The latest video, article and webinar, in that order. */
  listLatest(): Card[];
  search: Search;
  /** What a member may search for who does not know what to type. */
  topics: string[];
  /** The topics nearest to a term that found nothing. */
  suggestInstead(term: string): string[];
  findMedia: ContentSource["findMedia"];
};

export type CardPage = { cards: Card[]; page: number; pageCount: number };

export type CatalogueStatus = {
  /** Where the items come from. */
  source: string;
  counts: Record<ItemKind, number>;
  /** When the source was last read without a fault. */
  readAt: Date | undefined;
  isStale: boolean;
  /** Why it could not be read the last time. */
  fault: string | undefined;
  /** The items of the last reading that cannot be shown, with the reason. */
  skipped: SkippedItem[];
  /** What could not be brought in of the items that are shown. */
  losses: ItemLosses[];
};

export type CatalogueOptions = {
  source: ContentSource;
  setting: ItemSetting;
  clock?: Clock;
  log: Log;
  cardsPerPage: number;
};

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { source, setting, clock = systemClock, log, cardsPerPage } = options;
  const intake = createIntake({ source, setting, clock, log });
  const snapshotNow = () => intake.snapshot();

  return {
    isReady: () => intake.isReady(),
    isStale: () => intake.isStale(),
    open: () => intake.open(),
    refresh: (wish) => intake.refresh(wish),

    status: () => ({
      source: source.name,
      counts: countByKind([...snapshotNow().items.values()]),
      isStale: intake.isStale(),
      ...intake.standing(),
    }),

    findItem: (kind, id) => snapshotNow().items.get(itemKey(kind, id)),

    findPage(kind, page) {
      const { listed } = snapshotNow().listings[kind];
      const pageCount = Math.max(1, Math.ceil(listed.length / cardsPerPage));
      if (!Number.isInteger(page) || page < 1 || page > pageCount) return undefined;
      return { cards: listed.slice((page - 1) * cardsPerPage, page * cardsPerPage), page, pageCount };
    },

    findCards: (kind, ids) =>
      ids.map((id) => {
        const item = snapshotNow().items.get(itemKey(kind, id));
        return item && toListCard(item);
      }),

    listFeatured: () => snapshotNow().listings.read.featured,

    listRecommended: (kind, openId) =>
      snapshotNow()
        .listings[kind].newest.filter(({ id }) => id !== openId)
        .slice(0, RECOMMENDED_COUNT),

    listLatest: () => itemKinds.map((kind) => snapshotNow().listings[kind].latest).filter((card) => card !== undefined),

    search: (query) => snapshotNow().search(query),

    topics,

    suggestInstead: (term) => nearestTopics(term, topics),

    findMedia: (name, width) => source.findMedia(name, width),
  };
}

function countByKind(items: Item[]): Record<ItemKind, number> {
  return mapKinds((kind) => items.filter((item) => item.kind === kind).length);
}

/** The webhook by which a CMS says that something changed, ahead of the next refresh. */
export type ContentSignal = {
  /** Begins a refresh, unless the secret is wrong; answers whether it was right. */
  receive(secret: string): boolean;
};

export function createContentSignal(secret: string, catalogue: Catalogue): ContentSignal {
  const expected = digest(secret);
  return {
    receive(given) {
      const isRight = timingSafeEqual(digest(given), expected);
      // A refresh that fails says so in its status.
      if (isRight) void catalogue.refresh();
      return isRight;
    },
  };
}

/** Both have one length, so that the comparison takes the same time for every input. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
