import { data } from "react-router";

import { toCount } from "../../../../server/platform/count.ts";

export const PAGE_SIZE = 50;
/** One more than a page shows, to know whether another follows. */
export const READ_SIZE = PAGE_SIZE + 1;

/** `found` has up to `READ_SIZE` rows. */
export function cutPage<Row>(found: Row[], pathAfter: (last: Row) => string): { shown: Row[]; nextPath?: string } {
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return found.length > PAGE_SIZE && last !== undefined ? { shown, nextPath: pathAfter(last) } : { shown };
}

/** `undefined` for anything but a number. */
export function readNumber(params: URLSearchParams, name: string): number | undefined {
  return toCount(params.get(name) ?? "");
}

/** The subject of a screen, by the number in its address. Throws a 404 without it. */
export async function requireNumbered<Found>(
  text: string | undefined,
  find: (id: number) => Promise<Found | undefined>,
): Promise<Found> {
  const id = toCount(text ?? "");
  const found = id === undefined ? undefined : await find(id);
  if (found === undefined) throw data(null, { status: 404 });
  return found;
}
