import type { Clock } from "../clock.ts";
import type { ListWish } from "../content/source.ts";
import type { ListAnswer, ListName, ProviderClient } from "../provider-api/provider-client.ts";
import type { AnyMember } from "./provider-member.ts";
import { type Entry, toEntry } from "./wordpress-entry.ts";
import { WordpressFault } from "./wordpress-faults.ts";
import { type RestType, restTypes } from "./wordpress-pages.ts";
import { type HeldShelf, type Holding, keepIfEqual, keepIfSame, requireSome } from "./wordpress-reading.ts";

export const listNames = { videos: "getwatches", posts: "getreads", tutorials: "getlearns" } as const satisfies Record<
  RestType,
  ListName
>;

const PAGE_SIZE = 100;
/** More than any provider has; and what three lists of them may weigh on the wire. */
const MOST_ITEMS = 50_000;
const MOST_PAGES = 1000;
const MOST_BYTES = 256_000_000;
const ATTEMPTS = 3;

type Parts = { client: ProviderClient; askForList: AnyMember["askForList"]; clock: Clock };
type Page = { etag: string | undefined; entries: Entry[]; total: number | undefined; sizeInBytes: number };
type Place = { type: RestType; page: number; known: Map<string, Entry> | undefined };

/**
 * Reads the three lists, page by page where the provider has pages, and of those only what has changed. `undefined` where nobody is there
 * for whom they could be asked.
 */
export function createProviderLists(parts: Parts) {
  const readPage = createPageReader(parts);

  /** All pages of a list, as far as they bring anything new. */
  async function walk(type: RestType, known: Map<string, Entry> | undefined): Promise<HeldShelf | undefined> {
    const entries = new Map<string, Entry>();
    let total = 0;
    let bytes = 0;
    for (let page = 1, isMore = true; isMore; page += 1) {
      const read = await readPage({ type, page, known });
      if (!read) return undefined;
      const count = entries.size;
      for (const entry of read.entries) entries.set(entry.key, entry);
      total = read.total ?? entries.size;
      bytes += read.sizeInBytes;
      if (total > MOST_ITEMS || bytes > MOST_BYTES || page > MOST_PAGES) throw tooLong(type);
      isMore = entries.size < total && entries.size > count;
    }
    return { entries, total };
  }

  /** The whole of a list. Where it changes under our hands it is begun again. */
  async function readShelf(type: RestType, before: HeldShelf | undefined): Promise<HeldShelf | undefined> {
    let last: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const shelf = await walk(type, before?.entries);
      if (!shelf) return undefined;
      // Two that agree: it counts some that it does not show.
      const count = `${shelf.entries.size} of ${shelf.total}`;
      if (shelf.entries.size === shelf.total || count === last) return keepIfSame(before, shelf);
      last = count;
    }
    throw new WordpressFault(`the pages of “${type}” do not fit together`);
  }

  return async (last: Holding | undefined, { acceptsEmpty }: ListWish): Promise<Holding | undefined> => {
    const shelves = {} as Record<RestType, HeldShelf>;
    for (const type of restTypes) {
      const before = last?.shelves[type];
      const shelf = await readShelf(type, before);
      if (!shelf) return undefined;
      if (!acceptsEmpty) requireSome(shelf, { type, before, place: "the provider" });
      shelves[type] = shelf;
    }
    const now = parts.clock();
    const isSame = last && restTypes.every((type) => shelves[type] === last.shelves[type]);
    return isSame ? last : { shelves, fullAt: now, seenAt: now };
  };
}

function tooLong(type: RestType): WordpressFault {
  return new WordpressFault(`the list of “${type}” is too long`);
}

/** Reads a page of a list, or finds that it is as it was. */
function createPageReader({ client, askForList }: Parts) {
  const pages = new Map<string, Page>();

  /** @throws {WordpressFault} when it is refused, {ProviderError} when it does not come. */
  return async ({ type, page, known }: Place): Promise<Page | undefined> => {
    const name = `${type} ${page}`;
    const before = pages.get(name);
    const answer = await askForList<ListAnswer & { status?: number }>((token) =>
      client.readList(listNames[type], { token, page: { page, size: PAGE_SIZE }, etag: before?.etag }),
    );
    if (!answer) return undefined;
    if (!answer.ok) throw new WordpressFault(`the provider refuses its list of “${type}” (${answer.status})`);
    if ("isUnchanged" in answer) return before && { ...before, total: answer.total ?? before.total, sizeInBytes: 0 };
    const { items, etag, total, sizeInBytes } = answer;
    const origin = { type, base: client.base, cover: undefined };
    const entries = items.map((raw, index) => {
      const entry = toEntry(raw, { ...origin, place: (page - 1) * PAGE_SIZE + index + 1 });
      return keepIfEqual(known?.get(entry.key), entry);
    });
    const read = { etag, entries, total, sizeInBytes };
    pages.set(name, read);
    return read;
  };
}
