import { toCount } from "../../forms/text-of.ts";

/** The rows of a page of a list. */
const PAGE_SIZE = 50;
/** What is read for a page: one row more, which tells whether another page follows. */
export const READ_SIZE = PAGE_SIZE + 1;

/** A page of a list of which `READ_SIZE` rows were read, and the address of the next page if there is one. */
export function cutPage<Row>(found: Row[], pathAfter: (last: Row) => string): { shown: Row[]; nextPath?: string } {
  const shown = found.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  return found.length > PAGE_SIZE && last !== undefined ? { shown, nextPath: pathAfter(last) } : { shown };
}

/** A number among search parameters, such as where a page begins; `undefined` for anything else. */
export function readNumber(params: URLSearchParams, name: string): number | undefined {
  return toCount(params.get(name) ?? "");
}
