import { systemClock, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { toListCard, type Card } from "./cards.ts";
import type { ContentSource, Media } from "./content-source.ts";
import { itemKinds, type Item, type ItemKind, type ItemSetting } from "./item.ts";
import { prepareItems, type SkippedItem } from "./prepare-items.ts";
import { buildSearchIndex, createEmptyIndex, type SearchIndex } from "./search-index.ts";
import { createSearch, type Search } from "./search.ts";
import { nearestTopics } from "./suggestions.ts";
import { topics } from "./topics.ts";
import { fillShelves, RECOMMENDED_COUNT, type Shelves } from "./shelves.ts";

/** Everything there is to watch, read and learn: a prepared snapshot that requests only read. */
export type Catalogue = {
  /** Whether there is anything to show yet. */
  isReady(): boolean;
  /**
   * Takes in what the source has now and swaps it in at once. On a fault the last good snapshot stays. Asked for
   * while one runs, it is that one.
   */
  refresh(): Promise<void>;
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
  /** What one may search for, for who does not know what to type. */
  topics: string[];
  /** The topics nearest to a term that found nothing. */
  suggestInstead(term: string): string[];
  findMedia(name: string): Promise<Media | undefined>;
};

export type CardPage = { cards: Card[]; page: number; pageCount: number };

export type CatalogueStatus = {
  counts: Record<ItemKind, number>;
  /** When the source was last read without a fault. */
  readAt: Date | undefined;
  /** Why it could not be read the last time. */
  fault: string | undefined;
  /** The items of the last reading that cannot be shown, with the reason. */
  skipped: SkippedItem[];
};

export type CatalogueOptions = {
  source: ContentSource;
  setting: ItemSetting;
  clock?: Clock;
  log: Log;
  cardsPerPage: number;
};

type Snapshot = { items: Map<string, Item>; shelves: Shelves; index: SearchIndex; search: Search };

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { source, setting, clock = systemClock, log, cardsPerPage } = options;
  /** What each item was made from, so that a refresh prepares only what changed. */
  let prepared = new Map<string, Item>();
  let snapshot = toSnapshot([], createEmptyIndex());
  let isReady = false;
  let standing: Omit<CatalogueStatus, "counts"> = { readAt: undefined, fault: undefined, skipped: [] };
  let refreshing: Promise<void> | undefined;

  async function takeIn(): Promise<void> {
    let sources: unknown[];
    try {
      sources = await source.listItems();
    } catch (error) {
      log.error({ error }, "the content source cannot be read; the last catalogue stays");
      standing = { ...standing, fault: String(error) };
      return;
    }
    const { items: next, skipped } = await prepareItems(sources, { known: prepared, setting, log });
    const isUnchanged = isReady && next.size === prepared.size && [...next.keys()].every((key) => prepared.has(key));
    if (!isUnchanged) {
      const items = dropDoubles([...next.values()]);
      snapshot = toSnapshot(items, await buildSearchIndex(items, snapshot.index));
    }
    prepared = next;
    isReady = true;
    standing = { readAt: clock(), fault: undefined, skipped };
  }

  return {
    isReady: () => isReady,

    refresh() {
      refreshing ??= takeIn().finally(() => (refreshing = undefined));
      return refreshing;
    },

    status: () => ({ counts: countByKind([...snapshot.items.values()]), ...standing }),

    findItem: (kind, id) => snapshot.items.get(itemKey(kind, id)),

    findPage(kind, page) {
      const { listed } = snapshot.shelves[kind];
      const pageCount = Math.max(1, Math.ceil(listed.length / cardsPerPage));
      if (!Number.isInteger(page) || page < 1 || page > pageCount) return undefined;
      return { cards: listed.slice((page - 1) * cardsPerPage, page * cardsPerPage), page, pageCount };
    },

    findCards: (kind, ids) =>
      ids.map((id) => {
        const item = snapshot.items.get(itemKey(kind, id));
        return item && toListCard(item);
      }),

    listFeatured: () => snapshot.shelves.read.featured,

    listRecommended: (kind, openId) =>
      snapshot.shelves[kind].newest.filter(({ id }) => id !== openId).slice(0, RECOMMENDED_COUNT),

    listLatest: () => itemKinds.map((kind) => snapshot.shelves[kind].latest).filter((card) => card !== undefined),

    search: (query) => snapshot.search(query),

    topics,

    suggestInstead: (term) => nearestTopics(term, topics),

    findMedia: (name) => source.findMedia(name),
  };
}

function itemKey(kind: ItemKind, id: number): string {
  return `${kind} ${id}`;
}

/** Of two items with one number the later stands. */
function dropDoubles(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [itemKey(item.kind, item.id), item])).values()];
}

function toSnapshot(items: Item[], index: SearchIndex): Snapshot {
  const byKey = new Map(items.map((item) => [itemKey(item.kind, item.id), item]));
  return { items: byKey, shelves: fillShelves(items), index, search: createSearch(index) };
}

function countByKind(items: Item[]): Record<ItemKind, number> {
  const count = (kind: ItemKind) => items.filter((item) => item.kind === kind).length;
  return { watch: count("watch"), read: count("read"), learn: count("learn") };
}
