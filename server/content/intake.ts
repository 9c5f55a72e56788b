import { after, MINUTE_IN_MS, type Clock } from "../clock.ts";
import { createLastingFault } from "../lasting-fault.ts";
import type { Log } from "../log.ts";
import type { ContentSource, ListWish } from "./content-source.ts";
import type { Item, ItemKind, ItemSetting, PreparedItem } from "./item.ts";
import { nothingPrepared, prepareItems, type ItemLosses, type SkippedItem } from "./prepare-items.ts";
import { buildSearchIndex, createEmptyIndex, type SearchIndex } from "./search-index.ts";
import { createSearch, type Search } from "./search.ts";
import { fillShelves, type Shelves } from "./shelves.ts";

/** What a catalogue has taken in of its source, prepared and swapped in whole. */
export type Intake = {
  snapshot(): Snapshot;
  standing(): Standing;
  isReady(): boolean;
  isStale(): boolean;
  open(): Promise<void>;
  refresh(wish?: ListWish): Promise<void>;
};

export type Snapshot = { items: Map<string, Item>; shelves: Shelves; index: SearchIndex; search: Search };

export type Standing = { readAt: Date | undefined; fault: string | undefined } & Taken;

/** What of the source is not shown: items, and parts of items. */
type Taken = { skipped: SkippedItem[]; losses: ItemLosses[] };

type IntakeOptions = { source: ContentSource; setting: ItemSetting; clock: Clock; log: Log };

/** A refresh is tried every minute. */
const STALE_AFTER_IN_MS = 15 * MINUTE_IN_MS;
/** Members read what there was meanwhile, so this is no haste. */
const FAULT_LASTS_AFTER_IN_MS = STALE_AFTER_IN_MS;

export function createIntake({ source, setting, clock, log }: IntakeOptions): Intake {
  const preparer = createPreparer({ setting, log, site: source.site });
  let standing: Standing = { readAt: undefined, fault: undefined, skipped: [], losses: [] };
  let refreshing: Promise<void> | undefined;
  const fault = createLastingFault({ log, clock, lastingAfterInMs: FAULT_LASTS_AFTER_IN_MS });

  async function readSource(wish: ListWish): Promise<void> {
    try {
      const items = await source.listItems(wish);
      if (!items) return await stay();
      standing = { readAt: clock(), fault: undefined, ...(await preparer.takeIn(items)) };
      fault.end({}, "the content source can be read again");
    } catch (error) {
      fault.note({ error }, "the content source cannot be read; the last catalogue stays");
      standing = { ...standing, fault: String(error) };
    }
  }

  async function takeKept(): Promise<void> {
    const kept = await source.readKept?.();
    if (!kept) return;
    standing = { readAt: kept.readAt, fault: kept.fault, ...(await preparer.takeIn(kept.items)) };
  }

  /**
   * Nothing was read: what there is stays, as old as it is. For the first time that is what is on disk, and be it nothing. What was not
   * asked has no fault either: an old one would stay until somebody logs in.
   */
  async function stay(): Promise<void> {
    if (!preparer.isReady()) await takeKept();
    if (!preparer.isReady()) await preparer.takeIn([]);
    standing = { ...standing, fault: undefined };
  }

  function run(work: () => Promise<void>): Promise<void> {
    refreshing ??= work().finally(() => (refreshing = undefined));
    return refreshing;
  }

  return {
    snapshot: () => preparer.snapshot(),
    standing: () => standing,
    isReady: () => preparer.isReady(),
    isStale: () => {
      const { readAt } = standing;
      return preparer.isReady() && (readAt === undefined || after(readAt, STALE_AFTER_IN_MS) < clock());
    },
    open: () => run(() => (source.readKept ? takeKept() : readSource({}))),
    refresh: (wish = {}) => run(() => readSource(wish)),
  };
}

export function itemKey(kind: ItemKind, id: number): string {
  return `${kind} ${id}`;
}

type Preparer = Pick<Intake, "snapshot" | "isReady"> & { takeIn(sources: unknown[]): Promise<Taken> };

type PreparerOptions = Pick<IntakeOptions, "setting" | "log"> & { site: string | undefined };

/** Prepares only what changed since the last time. */
function createPreparer({ setting, site, log }: PreparerOptions): Preparer {
  let before = nothingPrepared;
  let snapshot = toSnapshot([], createEmptyIndex());
  let isReady = false;
  /** Only to know it again: a source that does not keep what it has read need not have it kept here. */
  let last: { sources: WeakRef<unknown[]>; taken: Taken } | undefined;
  const keys = new WeakMap<object, string>();

  return {
    snapshot: () => snapshot,
    isReady: () => isReady,
    async takeIn(sources) {
      if (last?.sources.deref() === sources) return last.taken;
      const { skipped, ...now } = await prepareItems(sources, { before, keys, setting, site, log });
      const prepared = [...now.known.values()].map((each) => each.prepared).filter((each) => each !== undefined);
      const items = dropDoubles(prepared.map(({ item }) => item));
      const isUnchanged = isReady && items.length === snapshot.items.size && items.every((item) => isShown(item));
      if (!isUnchanged) snapshot = toSnapshot(items, await buildSearchIndex(items, snapshot.index));
      const losses = listLosses(prepared.filter(({ item }) => isShown(item)));
      if (!isUnchanged) logLosses(losses, log);
      before = now;
      last = { sources: new WeakRef(sources), taken: { skipped, losses } };
      isReady = true;
      return last.taken;
    },
  };

  function isShown(item: Item): boolean {
    return snapshot.items.get(itemKey(item.kind, item.id)) === item;
  }
}

function listLosses(prepared: PreparedItem[]): ItemLosses[] {
  return prepared
    .filter(({ losses }) => losses.length > 0)
    .map(({ item: { kind, id, title }, losses }) => ({ kind, id, title, losses }));
}

function logLosses(items: ItemLosses[], log: Log): void {
  if (items.length === 0) return;
  const parts = items.flatMap(({ losses }) => losses).reduce((sum, { count }) => sum + count, 0);
  log.warn({ items: items.length, parts }, "parts of the content could not be brought in: see catalogue status");
}

/** Of two items with one number the later stands. */
function dropDoubles(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [itemKey(item.kind, item.id), item])).values()];
}

function toSnapshot(items: Item[], index: SearchIndex): Snapshot {
  const byKey = new Map(items.map((item) => [itemKey(item.kind, item.id), item]));
  return { items: byKey, shelves: fillShelves(items), index, search: createSearch(index) };
}
