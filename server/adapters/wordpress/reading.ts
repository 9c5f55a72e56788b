import { after, type Clock, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { ListOptions } from "../../content/items/source.ts";
import type { Log } from "../../platform/log.ts";
import { type WordpressClient, WordpressFault, WordpressRefusal } from "./client.ts";
import type { KeepText } from "../../content/items/text-file.ts";
import {
  type Attachment,
  type Entry,
  keepEntry,
  readHead,
  toKey,
  listMissingFiles,
  toEntry,
  toStoredEntry,
} from "./entry.ts";
import { beginWalk, type Pace, PER_PAGE, type RestType, restTypes, type Walk, walkOn, walkPages } from "./pages.ts";

/** A whole reading of a WordPress. Never altered: a reading makes the next. */
export type Holding = {
  listings: Record<RestType, HeldListing>;
  /** The last reading of everything, not of changes alone. */
  fullAt: Date;
  /** Changes are known up to this time, by WordPress's clock. */
  seenAt: Date;
};

export type HeldListing = { entries: Map<string, Entry>; total: number };

/** `stranger` reads files without a log-in (docs/behaviour.md, Content). `paces`: for whole items, and for heads. */
export type ReadingContext = {
  client: WordpressClient;
  stranger: WordpressClient;
  clock: Clock;
  log: Log;
  keepText: KeepText;
  paces: { items: Pace; heads: Pace };
};

/** An item saved while we read bears an earlier time, so the last minutes are requested again. */
const OVERLAP_IN_MS = 5 * MINUTE_IN_MS;
/** From so many items to none is a mistake of the CMS. */
const MANY = 5;

/**
 * Reads what has changed since the last holding: modified items, and the index when the count or the newest items do
 * not match. Unchanged items and listings stay the same objects.
 * @throws {WordpressFault} when any part cannot be read; nothing is half done.
 */
export async function readChanges(ctx: ReadingContext, last: Holding, options: ListOptions): Promise<Holding> {
  const listings = {} as Record<RestType, HeldListing>;
  let seenAt = ctx.clock();
  for (const type of restTypes) {
    const before = last.listings[type];
    const read = await readTypeChanges({ ...ctx, type }, before, last.seenAt);
    if (!options.acceptsEmpty) requireSome(read.listing, { type, before, sender: "WordPress" });
    listings[type] = read.listing;
    if (read.seenAt && read.seenAt < seenAt) ({ seenAt } = read);
  }
  return { listings: keepIfAllSame(last.listings, listings), fullAt: last.fullAt, seenAt };
}

/** The same object where no listing has changed. */
export function keepIfAllSame(before: Holding["listings"] | undefined, listings: Holding["listings"]) {
  return before && restTypes.every((type) => listings[type] === before[type]) ? before : listings;
}

/** A listing became empty. The caller decides whether that was intended. */
export class EmptiedFault extends WordpressFault {
  override name = "EmptiedFault";
}

type Before = { type: RestType; before: HeldListing | undefined; sender: string };

/** @throws {EmptiedFault} for an empty listing that had many items. */
export function requireSome(listing: HeldListing, { type, before, sender }: Before): void {
  if (listing.total > 0 || (before?.entries.size ?? 0) < MANY) return;
  throw new EmptiedFault(
    `${sender} says that there are no “${type}” where there were ${before?.entries.size}; the last catalogue stays. ` +
      "If that is right, run: dormouse catalogue refresh --accept-empty",
  );
}

type EntryReader = Pick<ReadingContext, "client" | "stranger" | "log" | "keepText"> & {
  type: RestType;
  signal?: AbortSignal;
};
export type Reader = ReadingContext & { type: RestType };
type ReadListing = { listing: HeldListing; seenAt: Date | undefined };

async function readTypeChanges(reader: Reader, before: HeldListing, since: Date): Promise<ReadListing> {
  const query = { modified_after: after(since, -OVERLAP_IN_MS).toISOString().replace(/\.\d+/, "") };
  const { results, seenAt } = await walkPages(reader.client, toWalk(reader, { query, known: before.entries }));
  const entries = new Map([...before.entries, ...results.map((entry): [string, Entry] => [entry.key, entry])]);
  const { keys, total } = await readNewest(reader);
  // The number alone does not change where one item goes and another comes.
  const isExpected =
    total - before.total === entries.size - before.entries.size && keys.every((key) => entries.has(key));
  const listing = isExpected ? keepIfSame(before, { entries, total }) : await followIndex(reader, before, entries);
  return { listing, seenAt };
}

/**
 * The count, and the keys of the latest dates: a scheduled item is among them when it appears, though it was modified
 * long before.
 */
async function readNewest({ client, type, paces }: Reader): Promise<{ keys: string[]; total: number }> {
  const query = { _fields: "id", orderby: "date", order: "desc" };
  const progress = beginWalk<Head>();
  const walk: Walk<Head> = { type, query, pace: paces.heads, take: takeHeads, toKey: ({ key }) => key };
  await walkOn(client, walk, { progress, isTimeUp: () => true });
  const heads = [...progress.found.values()].filter(({ id }) => id !== undefined);
  return { keys: heads.map(({ key }) => key), total: progress.total ?? 0 };
}

/** Removes withdrawn items, and reads those that appeared without a new date, such as scheduled ones. */
export async function followIndex(
  reader: Reader,
  before: HeldListing | undefined,
  entries: Map<string, Entry>,
): Promise<HeldListing> {
  const { client, type, paces } = reader;
  const query = { _fields: "id,modified_gmt" };
  const index = await walkPages(client, { type, query, pace: paces.heads, take: takeHeads, toKey: ({ key }) => key });
  const wanted = index.results.filter(({ key, modified }) => entries.get(key)?.modified !== modified);
  const fresh = new Map(entries);
  const ids = wanted.map(({ id }) => id).filter((id) => id !== undefined);
  for (let at = 0; at < ids.length; at += PER_PAGE) {
    const include = ids.slice(at, at + PER_PAGE).join(",");
    const { results } = await walkPages(client, toWalk(reader, { query: { include }, known: entries }));
    for (const entry of results) fresh.set(entry.key, entry);
  }
  const listed = index.results.map(({ key }) => [key, fresh.get(key)] as const);
  const present = new Map(listed.filter((pair): pair is readonly [string, Entry] => pair[1] !== undefined));
  return keepIfSame(before, { entries: present, total: index.total });
}

type WalkOptions = { query: Record<string, string>; known: Map<string, Entry> | undefined };

export function toWalk(reader: Reader, { query, known }: WalkOptions): Walk<Entry> {
  return {
    type: reader.type,
    pace: reader.paces.items,
    query: { _embed: "1", ...query },
    take: (page, firstPlace) => takeEntries(reader, page, { known, firstPlace }),
    toKey: ({ key }) => key,
  };
}

type Taking = { known: Map<string, Entry> | undefined; firstPlace: number };

export async function takeEntries(
  reader: EntryReader,
  page: unknown[],
  { known, firstPlace }: Taking,
): Promise<Entry[]> {
  const attachments = await readAttachments(reader, page);
  const { type, client, keepText } = reader;
  return page.map((raw, index) => {
    const entry = toEntry(raw, { type, base: client.base, place: firstPlace + index, attachments, isTyped: true });
    return keepIfEqual(known?.get(entry.key), entry, keepText);
  });
}

/** The same object where nothing has changed; else the new one, with its item stored as text. */
export function keepIfEqual(before: Entry | undefined, entry: Entry, keepText: KeepText): Entry {
  const isEqual = before && JSON.stringify(toStoredEntry(before)) === JSON.stringify(toStoredEntry(entry));
  return isEqual ? before : keepEntry(entry, keepText);
}

/** Files that need a log-in count as lost with their item. */
async function readAttachments(
  { stranger, log, signal }: EntryReader,
  page: unknown[],
): Promise<Map<number, Attachment>> {
  const ids = [...new Set(page.flatMap(listMissingFiles))];
  const found = new Map<number, Attachment>();
  try {
    for (let at = 0; at < ids.length; at += PER_PAGE) {
      const query = {
        include: ids.slice(at, at + PER_PAGE).join(","),
        per_page: String(PER_PAGE),
        _fields: "id,source_url,alt_text,media_details",
      };
      const { body } = await stranger.readJson("media", { query, itemCount: ids.length, ...(signal && { signal }) });
      const attachments = Array.isArray(body) ? (body as (Attachment & { id?: unknown })[]) : [];
      for (const attachment of attachments) found.set(Number(attachment?.id), attachment);
    }
  } catch (error) {
    if (!(error instanceof WordpressRefusal) || error.status >= 500) throw error;
    log.warn({ error }, "the files that items name by numbers are not shown to us");
  }
  return found;
}

type Head = Pick<Entry, "key" | "modified"> & { id: number | undefined };

async function takeHeads(page: unknown[], firstPlace: number): Promise<Head[]> {
  return page.map((raw, index) => {
    const { id, modified_gmt: modified } = readHead(raw);
    return { key: toKey(id, firstPlace + index), id, modified };
  });
}

export function keepIfSame(before: HeldListing | undefined, listing: HeldListing): HeldListing {
  const isSame =
    before?.total === listing.total &&
    before.entries.size === listing.entries.size &&
    [...listing.entries].every(([key, entry]) => before.entries.get(key) === entry);
  return isSame ? before : listing;
}
