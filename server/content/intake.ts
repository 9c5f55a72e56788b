import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";

import { after, type Clock, MINUTE_IN_MS } from "../clock.ts";
import { createLastingFault, type Log } from "../log.ts";
import type { Loss } from "./blocks.ts";
import { fillListings, type Listings } from "./cards.ts";
import { type Item, itemPath, type ItemSetting, type PreparedItem, prepareItem } from "./item.ts";
import type { ItemKind } from "./kinds.ts";
import { type LinkTargets, listChangedKeys, listOwnKeys } from "./links.ts";
import { buildSearchIndex, createEmptyIndex, type SearchIndex } from "./search-index.ts";
import { createSearch, type Search } from "./search.ts";
import { type ContentSource, type ListWish, sourceItemSchema } from "./source.ts";

/** What a catalogue has taken in of its source, prepared and swapped in whole. */
export type Intake = {
  snapshot(): Snapshot;
  standing(): Standing;
  isReady(): boolean;
  isStale(): boolean;
  open(): Promise<void>;
  refresh(wish?: ListWish): Promise<void>;
};

export type Snapshot = { items: Map<string, Item>; listings: Listings; index: SearchIndex; search: Search };

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

/** Of two items with one number the later counts. */
function dropDoubles(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [itemKey(item.kind, item.id), item])).values()];
}

function toSnapshot(items: Item[], index: SearchIndex): Snapshot {
  const byKey = new Map(items.map((item) => [itemKey(item.kind, item.id), item]));
  return { items: byKey, listings: fillListings(items), index, search: createSearch(index) };
}

/** What was made of a source's items, by what each was made from: the next preparation makes anew only what changed. */
export type Preparation = { known: Map<string, Known>; targets: LinkTargets };

/** An item of the source: how links lead to it, and what was made of it or why it cannot be shown. */
type Known = { keys: string[]; path: string; prepared?: PreparedItem; fault?: unknown };

/** `keys`: what a source was known by, for one that comes again as the same object. */
type PreparationOptions = {
  before: Preparation;
  keys: WeakMap<object, string>;
  setting: ItemSetting;
  site: string | undefined;
  log: Log;
};

/** An item of the source that cannot be shown. */
export type SkippedItem = { id: string; reason: string };

/** What could not be brought in of an item that is shown. */
export type ItemLosses = { kind: ItemKind; id: number; title: string; losses: Loss[] };

const nothingPrepared: Preparation = { known: new Map(), targets: new Map() };

/** How many items are prepared before other work gets its turn. */
const BATCH_SIZE = 8;

/**
 * Reads each item by itself: one that cannot be read is skipped and logged, never the end of a refresh. An item is prepared anew
 * when it has changed, and when an item that it links to came or went.
 */
async function prepareItems(
  sources: unknown[],
  { before, keys, setting, site, log }: PreparationOptions,
): Promise<Preparation & { skipped: SkippedItem[] }> {
  const known = new Map<string, Known>();
  const sourceOf = new Map<string, unknown>();
  const keyAt: string[] = [];
  for (const [index, source] of sources.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn();
    const key = keyOf(source, keys);
    keyAt.push(key);
    const found = before.known.get(key) ?? readHead(source, site);
    if (found) known.set(key, found);
    sourceOf.set(key, source);
  }
  const targets = await prepareAll({ known, sourceOf, targets: before.targets, setting, site });

  const skipped: SkippedItem[] = [];
  for (const [index, source] of sources.entries()) {
    const { fault } = known.get(keyAt[index] ?? "") ?? {};
    if (fault === undefined) continue;
    log.warn({ item: idOf(source), error: fault }, "an item was skipped");
    skipped.push({ id: JSON.stringify(idOf(source)) ?? `at place ${index + 1}`, reason: reasonOf(fault) });
  }
  return { known, targets, skipped };
}

type Work = Preparation & { sourceOf: Map<string, unknown>; setting: ItemSetting; site: string | undefined };

/** Prepares what is not, and what links elsewhere now. An item that fails is no target, so those that link to it come again. */
async function prepareAll({ known, sourceOf, targets: last, setting, site }: Work): Promise<LinkTargets> {
  const targets = new Map([...known.values()].flatMap(({ keys, path, fault }) => (fault ? [] : pair(keys, path))));
  const changed = listChangedKeys(last, targets);
  let isAnyLost = false;
  let count = 0;
  for (const [key, entry] of known) {
    const isCurrent = entry.prepared && !entry.prepared.linkKeys.some((each) => changed.has(each));
    if (entry.fault !== undefined || isCurrent) continue;
    count += 1;
    if (count % BATCH_SIZE === 0) await nextTurn();
    const { keys, path } = entry;
    try {
      const source = sourceItemSchema.parse(sourceOf.get(key));
      known.set(key, { keys, path, prepared: prepareItem(source, setting, { site, targets }) });
    } catch (fault) {
      known.set(key, { keys, path, fault });
      isAnyLost = true;
    }
  }
  return isAnyLost ? prepareAll({ known, sourceOf, targets, setting, site }) : targets;
}

function pair(keys: string[], path: string): [string, string][] {
  return keys.map((key) => [key, path]);
}

function keyOf(source: unknown, keys: WeakMap<object, string>): string {
  const isObject = typeof source === "object" && source !== null;
  const known = isObject ? keys.get(source) : undefined;
  if (known !== undefined) return known;
  const key = createHash("sha1")
    .update(JSON.stringify(source) ?? "")
    .digest("base64");
  if (isObject) keys.set(source, key);
  return key;
}

/** Nothing for an item behind a password. */
function readHead(source: unknown, site: string | undefined): Known | undefined {
  const { success, data, error } = sourceItemSchema.safeParse(source);
  if (!success) return { keys: [], path: "", fault: error };
  return data.content.protected ? undefined : { keys: listOwnKeys(data, site), path: itemPath(data) };
}

function idOf(source: unknown): unknown {
  return typeof source === "object" && source !== null && "id" in source ? source.id : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
