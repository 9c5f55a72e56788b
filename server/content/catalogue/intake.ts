import { createHash } from "node:crypto";
import { z } from "zod";

import type { Log } from "../../platform/log.ts";
import { giveWay } from "../../platform/turns.ts";
import type { Loss } from "../items/blocks.ts";
import { byNewest, fillListings, type Listings } from "../items/cards.ts";
import { fillGuides, type Guide, listNights, type Nights } from "./guides.ts";
import { type Item, type ItemSetting, type PreparedItem, prepareItem } from "../items/item.ts";
import { type ItemKind, itemKey, toKind } from "../items/kinds.ts";
import { type LinkTargets, listChangedKeys, listOwnKeys } from "../items/links.ts";
import { type Overview, toOverview } from "./overview.ts";
import { isAwakePiece, itemPath } from "../items/item-facts.ts";
import { buildSearchIndex, createEmptyIndex, type SearchIndex } from "../search/search-index.ts";
import { spreadScenes } from "./scene-spread.ts";
import type { Saying } from "../search/sayings/saying.ts";
import { bundledSayings, createSayings } from "../search/sayings.ts";
import { createSearch, type Search } from "../search/search.ts";
import { readSource, type SourceItem, sourceItemSchema } from "../items/source.ts";
import { readTags } from "../items/tags.ts";

/** The state that requests read; it is replaced whole. */
export type Snapshot = {
  all: Set<Item>;
  items: Map<string, Item>;
  /** Pieces of Awake now, which are no `items`, and recordings, which are. */
  awake: Item[];
  /** Items about the product, which have a page and are in no list. */
  help: Item[];
  guides: Map<string, Guide>;
  nights: Nights[];
  listings: Listings;
  overview: Overview;
  index: SearchIndex;
  search: Search;
};

export type Intake = {
  setting: ItemSetting;
  /** Of the source's own pages. */
  site: string | undefined;
  log: Log;
  snapshot: Snapshot;
  /** Whether the source was read before, even if it was empty. */
  isReady: boolean;
  /** By the source's items, so that the next preparation repeats only what changed. */
  prepared: Preparation;
  /** The same object means that an item has not changed. */
  keys: WeakMap<object, string>;
  /** Weak: a source that does not store its items need not have them stored here. */
  last?: { sources: WeakRef<unknown[]>; taken: IntakeReport };
};

export type IntakeReport = { skipped: SkippedItem[]; losses: ItemLosses[] };

export type SkippedItem = { id: string; reason: string };

export type ItemLosses = { kind: ItemKind; id: number; title: string; losses: Loss[] };

/** `known`: the result for each source item; `targets`: where links to it lead. */
type Preparation = { known: Map<string, Known>; targets: LinkTargets };

/** `keys`: the addresses of an item; then its preparation, or why it failed. */
type Known = { keys: string[]; path: string; prepared?: PreparedItem; fault?: unknown };

type Given = Pick<Intake, "setting" | "site" | "log"> & { ownSayings?: Saying[] };

export function beginIntake({ ownSayings = [], ...given }: Given): Intake {
  const prepared = { known: new Map(), targets: new Map() };
  const sayings = ownSayings.length === 0 ? bundledSayings() : createSayings(ownSayings);
  return {
    ...given,
    snapshot: toSnapshot([], createEmptyIndex(sayings)),
    isReady: false,
    prepared,
    keys: new WeakMap(),
  };
}

/** Makes the next snapshot; prepares only what changed. */
export async function prepareSnapshot(intake: Intake, sources: unknown[]): Promise<IntakeReport> {
  const { last, log, snapshot } = intake;
  if (last?.sources.deref() === sources) return last.taken;
  const { skipped, ...now } = await prepareItems(intake, sources);
  const prepared = [...now.known.values()].map((each) => each.prepared).filter((each) => each !== undefined);
  // Of two items with one number the later counts.
  const shown = [...new Map(prepared.map((each) => [itemKey(each.item), each])).values()];
  const items = spreadScenes(shown.map(({ item }) => item));
  const { all } = snapshot;
  const isUnchanged = intake.isReady && items.length === all.size && items.every((item) => all.has(item));
  if (!isUnchanged) {
    intake.snapshot = toSnapshot(
      items,
      await buildSearchIndex(
        items.filter(({ isForHelp }) => !isForHelp),
        snapshot.index,
      ),
    );
  }
  const losses = shown
    .filter((each) => each.losses.length > 0)
    .map(({ item: { kind, id, title }, ...each }) => ({ kind, id, title, losses: each.losses }));
  if (!isUnchanged && losses.length > 0) {
    const parts = losses.flatMap((each) => each.losses).reduce((sum, { count }) => sum + count, 0);
    log.warn({ items: losses.length, parts }, "parts of the content were lost: see catalogue status");
  }
  const taken = { skipped, losses };
  Object.assign(intake, { prepared: now, last: { sources: new WeakRef(sources), taken }, isReady: true });
  return taken;
}

function toSnapshot(all: Item[], index: SearchIndex): Snapshot {
  const items = all.filter((item) => !isAwakePiece(item));
  const library = items.filter(({ isForHelp }) => !isForHelp);
  return {
    all: new Set(all),
    items: new Map(items.map((item) => [itemKey(item), item])),
    awake: all.filter((item) => isAwakePiece(item) || (item.isForAwakeNow && item.sound)),
    help: items.filter(({ isForHelp }) => isForHelp).toSorted(byNewest),
    guides: fillGuides(library),
    nights: listNights(library),
    listings: fillListings(library),
    overview: toOverview(library),
    index,
    search: createSearch(index),
  };
}

/**
 * An unreadable item is skipped and logged; it never fails a refresh. An item is prepared again when it has changed, or
 * when an item that it links to came or went.
 */
async function prepareItems(intake: Intake, sources: unknown[]): Promise<Preparation & { skipped: SkippedItem[] }> {
  const { prepared, keys, site, log } = intake;
  const known = new Map<string, Known>();
  const sourcesByKey = new Map<string, unknown>();
  const keyAt: string[] = [];
  for (const source of sources) {
    await giveWay();
    const key = toKey(source, keys);
    keyAt.push(key);
    const found = prepared.known.get(key) ?? readHead(readSource(source), site);
    if (found) known.set(key, found);
    sourcesByKey.set(key, source);
  }
  const targets = await prepareAll(intake, { known, sourcesByKey, targets: prepared.targets });

  const skipped: SkippedItem[] = [];
  for (const [index, source] of sources.entries()) {
    const { fault } = known.get(keyAt[index] ?? "") ?? {};
    if (fault === undefined) continue;
    const id = readId(readSource(source));
    log.warn({ item: id, error: fault }, "an item was skipped");
    skipped.push({ id: JSON.stringify(id) ?? `at place ${index + 1}`, reason: reasonText(fault) });
  }
  return { known, targets, skipped };
}

type Work = Preparation & { sourcesByKey: Map<string, unknown> };

/** An item that fails is no link target, so items that link to it are prepared again. */
async function prepareAll(intake: Intake, { known, sourcesByKey, targets: last }: Work): Promise<LinkTargets> {
  const { setting, site } = intake;
  const targets = new Map(
    [...known.values()].flatMap(({ keys, path, fault }) => (fault ? [] : keys.map((key) => [key, path] as const))),
  );
  const changed = listChangedKeys(last, targets);
  let isAnyLost = false;
  for (const [key, entry] of known) {
    const isCurrent = entry.prepared && !entry.prepared.linkKeys.some((each) => changed.has(each));
    if (entry.fault !== undefined || isCurrent) continue;
    await giveWay();
    const { keys, path } = entry;
    try {
      const source = sourceItemSchema.parse(readSource(sourcesByKey.get(key)));
      known.set(key, { keys, path, prepared: prepareItem(source, setting, { site, targets }) });
    } catch (fault) {
      known.set(key, { keys, path, fault });
      isAnyLost = true;
    }
  }
  return isAnyLost ? prepareAll(intake, { known, sourcesByKey, targets }) : targets;
}

function toKey(source: unknown, keys: WeakMap<object, string>): string {
  const isObject = (typeof source === "object" || typeof source === "function") && source !== null;
  const known = isObject ? keys.get(source) : undefined;
  if (known !== undefined) return known;
  const key = createHash("sha1")
    .update(JSON.stringify(readSource(source)) ?? "")
    .digest("base64");
  if (isObject) keys.set(source, key);
  return key;
}

/** `undefined` for an item with a password. */
function readHead(source: unknown, site: string | undefined): Known | undefined {
  const { success, data, error } = sourceItemSchema.safeParse(source);
  if (!success) return { keys: [], path: "", fault: error };
  return data.content.protected ? undefined : { keys: listOwnKeys(data, site), path: toPath(data) };
}

function toPath(source: SourceItem): string {
  return itemPath({ ...readTags(source), kind: toKind(source.type), id: source.id });
}

function readId(source: unknown): unknown {
  return typeof source === "object" && source !== null && "id" in source ? source.id : undefined;
}

/** One reason a field. */
export function reasonText(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
