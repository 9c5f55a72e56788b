import { itemKinds, kinds } from "../../content/kinds.ts";
import { type WordpressClient, WordpressFault, WordpressRefusal } from "./client.ts";

/** The lists of items, by their names in the REST API. */
export const restTypes = itemKinds.map((kind) => kinds[kind].restBase);
export type RestType = (typeof restTypes)[number];

/** `total` is how many WordPress says there are; `seenAt` when it said so, by its own clock. */
export type Walked<Result> = { results: Result[]; total: number; seenAt: Date | undefined };

type Walk<Result> = {
  type: RestType;
  query: Record<string, string>;
  signal: AbortSignal;
  /** Picks what is kept of a page, given the number of its first item, so that the raw CMS is never whole in memory. */
  take(page: unknown[], firstPlace: number): Promise<Result[]>;
  keyOf(result: Result): string;
};

/** The most that WordPress gives. */
export const PER_PAGE = 100;
const MAX_PAGES = 1000;
const ATTEMPTS = 3;

/**
 * All pages of a list, by id, so that what changes meanwhile stays in its place. A withdrawal still moves what comes after it: a walk
 * on which the list was not the same all the way is begun again.
 * @throws {WordpressFault} when it cannot be read whole.
 */
export async function walkPages<Result>(client: WordpressClient, walk: Walk<Result>): Promise<Walked<Result>> {
  let last: Walked<Result> | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const walked = await walkOnce(client, walk);
    if (walked && walked.results.length === walked.total) return walked;
    // Two walks that agree: WordPress counts some that it does not show.
    if (walked && last && isSame(walked, last, (result) => walk.keyOf(result))) return walked;
    last = walked;
  }
  throw new WordpressFault(`“${walk.type}” changes faster than it can be read, or its pages do not fit together`);
}

function isSame<Result>(one: Walked<Result>, other: Walked<Result>, keyOf: (result: Result) => string): boolean {
  const keys = new Set(other.results.map(keyOf));
  return (
    one.total === other.total && one.results.length === keys.size && one.results.every((each) => keys.has(keyOf(each)))
  );
}

/** Nothing when the list has changed under our hands. */
async function walkOnce<Result>(client: WordpressClient, walk: Walk<Result>): Promise<Walked<Result> | undefined> {
  const found = new Map<string, Result>();
  let total = 0;
  let seenAt: Date | undefined;
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const answer = await readPage(client, walk, page);
    if (!answer || (page > 1 && answer.total !== total)) return undefined;
    ({ total, pageCount } = answer);
    seenAt ??= answer.seenAt;
    for (const result of await walk.take(answer.items, (page - 1) * PER_PAGE + 1))
      found.set(walk.keyOf(result), result);
  }
  return { results: [...found.values()], total, seenAt };
}

async function readPage<Result>(client: WordpressClient, { type, query, signal }: Walk<Result>, page: number) {
  const paging = { per_page: String(PER_PAGE), page: String(page), orderby: "id", order: "asc" };
  try {
    const { body, headers } = await client.readJson(type, { query: { ...query, ...paging }, signal });
    if (!Array.isArray(body)) throw new WordpressFault(`WordPress answered “${type}” with something that is no list`);
    const total = countOf(headers, "X-WP-Total");
    const pageCount = countOf(headers, "X-WP-TotalPages");
    const isPossible = total !== undefined && pageCount === Math.ceil(total / PER_PAGE) && pageCount <= MAX_PAGES;
    if (!isPossible)
      throw new WordpressFault(`WordPress does not say how many “${type}” there are, or says it wrongly`);
    return { items: body as unknown[], total, pageCount, seenAt: dateOf(headers) };
  } catch (error) {
    // The last page is gone since the first was read.
    if (page > 1 && error instanceof WordpressRefusal && error.code === "rest_post_invalid_page_number")
      return undefined;
    throw error;
  }
}

function dateOf(headers: Headers): Date | undefined {
  const time = Date.parse(headers.get("Date") ?? "");
  return Number.isNaN(time) ? undefined : new Date(time);
}

function countOf(headers: Headers, name: string): number | undefined {
  const text = headers.get(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** How many there are, without reading them. @throws {WordpressFault} */
export async function countItems(client: WordpressClient, type: RestType, signal?: AbortSignal): Promise<number> {
  const query = { per_page: "1", _fields: "id" };
  const { headers } = await client.readJson(type, { query, signal });
  const total = countOf(headers, "X-WP-Total");
  if (total === undefined) throw new WordpressFault(`WordPress does not say how many “${type}” there are`);
  return total;
}
