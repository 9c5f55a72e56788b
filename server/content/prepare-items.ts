import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";

import type { Log } from "../log.ts";
import { toItem, type Item, type ItemSetting } from "./item.ts";
import { sourceItemSchema } from "./source-item.ts";

/**
 * `known`: what earlier items were made from, so that only what changed is made anew. `keys`: which of them a source is, for a
 * source that comes again as the same object.
 */
type Preparation = { known: Map<string, Item>; keys: WeakMap<object, string>; setting: ItemSetting; log: Log };

/** An item of the source that cannot be shown. */
export type SkippedItem = { id: string; reason: string };

/** How many items are prepared before other work gets its turn. */
const BATCH_SIZE = 8;

/** Reads each item by itself: one that cannot be read is skipped and logged, never the end of a refresh. */
export async function prepareItems(
  sources: unknown[],
  { known, keys, setting, log }: Preparation,
): Promise<{ items: Map<string, Item>; skipped: SkippedItem[] }> {
  const items = new Map<string, Item>();
  const skipped: SkippedItem[] = [];
  for (const [index, source] of sources.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await nextTurn();
    const key = keyOf(source, keys);
    try {
      const item = known.get(key) ?? readItem(source, setting);
      if (item) items.set(key, item);
    } catch (error) {
      log.warn({ item: idOf(source), error }, "an item was skipped");
      skipped.push({ id: JSON.stringify(idOf(source)) ?? `at place ${index + 1}`, reason: reasonOf(error) });
    }
  }
  return { items, skipped };
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

function readItem(source: unknown, setting: ItemSetting): Item | undefined {
  const parsed = sourceItemSchema.parse(source);
  return parsed.content.protected ? undefined : toItem(parsed, setting);
}

function idOf(source: unknown): unknown {
  return typeof source === "object" && source !== null && "id" in source ? source.id : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof z.ZodError)) return String(error);
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
