import type { Catalogue } from "../../../../server/content/catalogue/catalogue.ts";
import type { Nights } from "../../../../server/content/catalogue/guides.ts";
import { itemKey, parseItemKey } from "../../../../server/content/items/kinds.ts";
import type { NightState } from "../../../../server/platform/database/schema.ts";
import type { Known, StoredPosition } from "../../../../server/members/positions/positions.ts";
import { POSITIONS_A_MEMBER } from "../../../../server/members/positions/progress.ts";
import type { PositionState } from "../../../../server/platform/database/schema.ts";

/**
 * Undo's addresses and buttons contain what was removed, so we store nothing. A made-up one reveals nothing: it only
 * changes the member's own data.
 */

const DAY_IN_SECONDS = 24 * 60 * 60;

/**
 * `watch-2001.61.600.1764216000000.0`: item, position, length, and the times of the last visit and of the first end.
 */
export function writePosition({ kind, id, seconds, duration, observedAt, finishedAt }: StoredPosition): string {
  return [itemKey({ kind, id }), seconds, duration, observedAt.getTime(), finishedAt?.getTime() ?? 0].join(".");
}

export function readPosition(text: string, now: Date): StoredPosition | undefined {
  const [, key = "", ...numbers] = /^(\w+-\d+)\.(\d{1,5})\.(\d{1,5})\.(\d{1,14})\.(\d{1,14})$/.exec(text) ?? [];
  const [seconds = 0, duration = 0, observed = 0, finished = 0] = numbers.map(Number);
  const item = parseItemKey(key);
  if (!item || seconds > duration || duration > DAY_IN_SECONDS || Math.max(observed, finished) > now.getTime())
    return undefined;
  return {
    ...item,
    seconds,
    duration,
    observedAt: new Date(observed),
    finishedAt: finished ? new Date(finished) : undefined,
  };
}

const states: PositionState[] = ["opened", "started", "finished"];

/** `started.watch-2001.61.600.1764216000000.0 menopause/read-1012:opened`. */
export function writeKnown({ items, nights }: Known): string {
  return [
    ...items.map(({ state, ...position }) => `${state}.${writePosition(position)}`),
    ...nights.map(({ topic, state, ...item }) => `${topic}/${itemKey(item)}:${state}`),
  ].join(" ");
}

/** Unknown items and nights are left out. */
export function readKnown(text: string, { catalogue, now }: { catalogue: KnownContent; now: Date }): Known {
  const parts = text.split(" ");
  const items = parts.flatMap((part) => {
    const [name = "", ...rest] = part.split(".");
    const state = states.find((each) => each === name);
    const position = state && readPosition(rest.join("."), now);
    return position && catalogue.findItem(position.kind, position.id) ? [{ state, ...position }] : [];
  });
  const nights = catalogue.listNights().flatMap((guide) => {
    const start = `${guide.slug}/`;
    const marks = parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
    return readMarks(marks.join(","), guide).flatMap(({ key, state }) => {
      const item = parseItemKey(key);
      return item ? [{ topic: guide.slug, ...item, state }] : [];
    });
  });
  return { items: items.slice(0, POSITIONS_A_MEMBER), nights };
}

type KnownContent = Pick<Catalogue, "findItem" | "listNights">;

/** `watch-2001:opened,read-1001:skipped`. */
export function writeMarks(marks: Partial<Record<string, NightState>>): string {
  return Object.entries(marks)
    .map(([key, state]) => `${key}:${state}`)
    .join(",");
}

/** Marks of other items are left out. */
export function readMarks(
  text: string | null,
  { nights }: Pick<Nights, "nights">,
): { key: string; state: NightState }[] {
  const keys = new Set(nights.map(itemKey));
  return (text ?? "").split(",", keys.size).flatMap((each) => {
    const [key = "", state] = each.split(":");
    return keys.has(key) && (state === "opened" || state === "skipped") ? [{ key, state }] : [];
  });
}
