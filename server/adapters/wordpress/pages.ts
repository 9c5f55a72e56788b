import { itemKinds, kinds } from "../../content/items/kinds.ts";
import { type WordpressClient, WordpressFault, WordpressRefusal, readDate } from "./client.ts";

export const restTypes = itemKinds.map((kind) => kinds[kind].restBase);
export type RestType = (typeof restTypes)[number];

export function toKind(type: RestType) {
  return kinds[itemKinds.find((kind) => kinds[kind].restBase === type) ?? "read"];
}

/** The most that WordPress gives at once, and the least that we request. */
export const PER_PAGE = 100;
const LEAST_PER_PAGE = 5;
/** After so many full pages twice as many items are tried, and after twice as many where that has failed. */
const GROW_AFTER = 10;
const MAX_GROW_AFTER = 640;

/** The number of items that a host can give at once: halved after each page that was too much, and raised later. */
export class Pace {
  perPage = PER_PAGE;
  #fullPages = 0;
  #growAfter = GROW_AFTER;
  #isTrial = false;

  noteFullPage(): void {
    this.#isTrial = false;
    this.#fullPages += 1;
    if (this.#fullPages < this.#growAfter || this.perPage === PER_PAGE) return;
    this.perPage = Math.min(PER_PAGE, this.perPage * 2);
    this.#fullPages = 0;
    this.#isTrial = true;
  }

  /** False: less cannot be requested. */
  slowDown(): boolean {
    if (this.perPage === LEAST_PER_PAGE) return false;
    this.perPage = Math.max(LEAST_PER_PAGE, Math.floor(this.perPage / 2));
    this.#fullPages = 0;
    if (this.#isTrial) this.#growAfter = Math.min(MAX_GROW_AFTER, this.#growAfter * 2);
    this.#isTrial = false;
    return true;
  }
}

/** `total`: WordPress's count; `seenAt`: its time, by WordPress's clock. */
export type Walked<Result> = { results: Result[]; total: number; seenAt: Date | undefined };

export type Walk<Result> = {
  type: RestType;
  query: Record<string, string>;
  pace: Pace;
  /** Reduces a page, given the number of its first item, so that the raw CMS is never whole in memory. */
  take(page: unknown[], firstPlace: number): Promise<Result[]>;
  toKey(result: Result): string;
};

export type Progress<Result> = {
  found: Map<string, Result>;
  at: number;
  total: number | undefined;
  seenAt: Date | undefined;
  isSteady: boolean;
  isDone: boolean;
};

export function beginWalk<Result>(): Progress<Result> {
  return { found: new Map(), at: 0, total: undefined, seenAt: undefined, isSteady: true, isDone: false };
}

const MAX_ITEMS = 100_000;
const ATTEMPTS = 3;

/**
 * All pages of a list, by id, so that changed items stay in place. A withdrawal still moves later ones, so a walk over
 * a changed list starts again.
 * @throws {WordpressFault} when it cannot be read whole.
 */
export async function walkPages<Result>(client: WordpressClient, walk: Walk<Result>): Promise<Walked<Result>> {
  let last: Walked<Result> | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const progress = beginWalk<Result>();
    await walkOn(client, walk, { progress });
    const { total = 0, seenAt } = progress;
    const walked = progress.isSteady ? { results: [...progress.found.values()], total, seenAt } : undefined;
    if (walked && walked.results.length === walked.total) return walked;
    // Two walks that agree: WordPress counts items that it does not show.
    if (walked && last && isSame(walked, last, (result) => walk.toKey(result))) return walked;
    last = walked;
  }
  throw new WordpressFault(`“${walk.type}” changes faster than it can be read, or its pages do not fit together`);
}

function isSame<Result>(one: Walked<Result>, other: Walked<Result>, toKey: (result: Result) => string): boolean {
  const keys = new Set(other.results.map(toKey));
  return (
    one.total === other.total && one.results.length === keys.size && one.results.every((each) => keys.has(toKey(each)))
  );
}

type Steps<Result> = { progress: Progress<Result>; isTimeUp?: () => boolean };

/**
 * Continues a walk by at least one page until it is done or time is up. Where the list changed, items stay and
 * `isSteady` is false: some may be missing, or be gone.
 * @throws {WordpressFault} when a page cannot be read; the walk can continue from there.
 */
export async function walkOn<Result>(
  client: WordpressClient,
  walk: Walk<Result>,
  { progress, isTimeUp = () => false }: Steps<Result>,
): Promise<void> {
  do {
    const page = await readPage(client, walk, progress.at);
    const gone = page ? (progress.total ?? page.total) - page.total : 0;
    if (!page || gone !== 0) progress.isSteady = false;
    // The last page has gone since an earlier one was read.
    if (!page) return void (progress.isDone = true);
    for (const result of page.results) progress.found.set(walk.toKey(result), result);
    progress.total = page.total;
    progress.seenAt ??= page.seenAt;
    // The items after a withdrawn one have moved to the front, past the present place.
    progress.at = gone > 0 ? Math.max(0, progress.at - gone) : page.endsAt;
    progress.isDone = gone <= 0 && page.endsAt >= page.total;
  } while (!progress.isDone && !isTimeUp());
}

/** The page of a place, as large as the host can give; `undefined` past the end. */
async function readPage<Result>(client: WordpressClient, walk: Walk<Result>, at: number) {
  for (;;) {
    const { perPage } = walk.pace;
    const page = Math.floor(at / perPage) + 1;
    try {
      const answer = await askForPage(client, walk, { page, perPage });
      if (!answer) return undefined;
      const { items, total, seenAt } = answer;
      const results = await walk.take(items, (page - 1) * perPage + 1);
      if (items.length === perPage) walk.pace.noteFullPage();
      return { results, total, seenAt, endsAt: page * perPage };
    } catch (error) {
      if (!(error instanceof WordpressFault) || !error.isOverload || !walk.pace.slowDown()) throw error;
    }
  }
}

type PageAsk = { page: number; perPage: number };

async function askForPage<Result>(client: WordpressClient, { type, query }: Walk<Result>, { page, perPage }: PageAsk) {
  const { orderby = "id", order = "asc" } = query;
  const paging = { per_page: String(perPage), page: String(page), orderby, order };
  try {
    const { body, headers } = await client.readJson(type, { query: { ...query, ...paging }, itemCount: perPage });
    if (!Array.isArray(body)) throw new WordpressFault(`WordPress answered “${type}” with something that is no list`);
    const total = readCount(headers, "X-WP-Total");
    const pageCount = readCount(headers, "X-WP-TotalPages");
    const isPossible = total !== undefined && pageCount === Math.ceil(total / perPage) && total <= MAX_ITEMS;
    if (!isPossible)
      throw new WordpressFault(`WordPress does not say how many “${type}” there are, or says it wrongly`);
    return { items: body as unknown[], total, seenAt: readDate(headers, "Date") };
  } catch (error) {
    if (page > 1 && error instanceof WordpressRefusal && error.code === "rest_post_invalid_page_number")
      return undefined;
    throw error;
  }
}

function readCount(headers: Headers, name: string): number | undefined {
  const text = headers.get(name) ?? "";
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Without reading items. @throws {WordpressFault} */
export async function countItems(client: WordpressClient, type: RestType): Promise<number> {
  const query = { per_page: "1", _fields: "id" };
  const { headers } = await client.readJson(type, { query });
  const total = readCount(headers, "X-WP-Total");
  if (total === undefined) throw new WordpressFault(`WordPress does not say how many “${type}” there are`);
  return total;
}
