import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";

import type { Log } from "../log.ts";
import { itemPath, prepareItem, type ItemKind, type ItemSetting, type PreparedItem } from "./item.ts";
import { listChangedKeys, listOwnKeys, type LinkTargets } from "./links.ts";
import type { Loss } from "./losses.ts";
import { sourceItemSchema } from "./source-item.ts";

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

export const nothingPrepared: Preparation = { known: new Map(), targets: new Map() };

/** How many items are prepared before other work gets its turn. */
const BATCH_SIZE = 8;

/**
 * Reads each item by itself: one that cannot be read is skipped and logged, never the end of a refresh. An item is prepared anew
 * when it has changed, and when an item that it links to came or went.
 */
export async function prepareItems(
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
