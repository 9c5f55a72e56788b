import type { Clock } from "../../platform/clock.ts";
import type { ContentSource, ListOptions } from "../../content/items/source.ts";
import type { Log } from "../../platform/log.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import { catchProviderError, type ProviderError } from "../../provider/client/answers.ts";
import type { ListAnswer, ProviderClient } from "../../provider/client/client.ts";
import type { ProviderTokens } from "../../provider/client/tokens.ts";
import { type KeepText, openTextFile } from "../../content/items/text-file.ts";
import { AwayFault, type FileAnswer, type FileAsk, WordpressFault } from "../wordpress/client.ts";
import { type Entry, toEntry } from "../wordpress/entry.ts";
import { createStoredContent } from "../wordpress/stored-content.ts";
import { type RestType, restTypes, toKind } from "../wordpress/pages.ts";
import { type HeldListing, type Holding, keepIfEqual, keepIfSame, requireSome } from "../wordpress/reading.ts";
import { type AnyMember, createAnyMember } from "./member.ts";

type ProviderContentOptions = {
  client: ProviderClient;
  tokens: ProviderTokens;
  clock: Clock;
  log: Log;
  folder: string;
};

/**
 * A provider's videos, articles and webinars. Only subscribers see them, so they are read with the token of a member
 * who is logged in here; without one, the last reading is shown. Pictures and films go through our host.
 */
export function createProviderContent(options: ProviderContentOptions): ContentSource {
  const { client, tokens, clock, log, folder } = options;
  const { askForList, askForFile } = createAnyMember({ tokens, clock });
  const keepText = openTextFile({ folder, log });

  async function readFile(address: string, how: FileAsk): Promise<FileAnswer> {
    const target = new URL(address);
    const ask = async (token: string | undefined) => {
      const file = await catchProviderError(client.readFile(target, { ...how, token }), toFault);
      if (file.status >= 500 || file.status === 429) throw new AwayFault(`it answered ${file.status}`);
      return file;
    };
    const answer = client.isOfApi(target) ? await askForFile(ask) : await ask(undefined);
    if (!answer) throw new AwayFault("no member who can see it is logged in here");
    return answer;
  }

  return createStoredContent({
    name: `the provider at ${client.base.href}`,
    site: client.base.href,
    read: createContentReader({ client, askForList, keepText, clock }),
    check: () => catchProviderError(checkProviderContent(client, askForList), toFailedCheck),
    client: { readFile },
    folder,
    keepText,
    clock,
    log,
  });
}

function toFault(error: ProviderError): never {
  const Fault = error.isUnavailable ? AwayFault : WordpressFault;
  throw new Fault(error.message, { cause: error });
}

function toFailedCheck({ message }: ProviderError): PartCheck {
  return { isWell: false, message };
}

async function checkProviderContent(client: ProviderClient, askForList: AnyMember["askForList"]): Promise<PartCheck> {
  const counts: string[] = [];
  for (const type of restTypes) {
    const answer = await askForList<ListAnswer & { status?: number }>((token) =>
      client.readList(toKind(type).listCall, { token, page: { page: 1, size: 1 } }),
    );
    if (!answer) {
      const message = `no subscriber is logged in here, and the provider at ${client.base.href} only shows its content to subscribers`;
      return { isWell: true, message };
    }
    if (!answer.ok) return { isWell: false, message: `the provider refuses its list of “${type}” (${answer.status})` };
    const count = answer.total ?? ("items" in answer ? answer.items.length : 0);
    counts.push(`${count} ${type}`);
  }
  return { isWell: true, message: `the provider at ${client.base.href} shows its content: ${counts.join(", ")}` };
}

const PAGE_SIZE = 100;
/** More than any provider has; and the limit for three lists on the wire. */
const MOST_ITEMS = 50_000;
const MOST_PAGES = 1000;
const MOST_BYTES = 256_000_000;
const ATTEMPTS = 3;

type ContentContext = { client: ProviderClient; askForList: AnyMember["askForList"]; keepText: KeepText; clock: Clock };
type Page = { etag: string | undefined; entries: Entry[]; total: number | undefined; sizeInBytes: number };
type PageRequest = { type: RestType; page: number; known: Map<string, Entry> | undefined };

/**
 * Reads the three lists, in pages if the provider has them, and only what has changed. `undefined` without a member to
 * read as.
 */
function createContentReader(ctx: ContentContext) {
  const readPage = createPageReader(ctx);

  async function walk(type: RestType, known: Map<string, Entry> | undefined): Promise<HeldListing | undefined> {
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

  /** Starts again where the list changes during the reading. */
  async function readListing(type: RestType, before: HeldListing | undefined): Promise<HeldListing | undefined> {
    let last: string | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const listing = await walk(type, before?.entries);
      if (!listing) return undefined;
      // Two readings that agree: the provider counts items that it does not show.
      const count = `${listing.entries.size} of ${listing.total}`;
      if (listing.entries.size === listing.total || count === last) return keepIfSame(before, listing);
      last = count;
    }
    throw new WordpressFault(`the pages of “${type}” do not fit together`);
  }

  return async (last: Holding | undefined, { acceptsEmpty }: ListOptions): Promise<Holding | undefined> => {
    const listings = {} as Record<RestType, HeldListing>;
    for (const type of restTypes) {
      const before = last?.listings[type];
      const listing = await readListing(type, before);
      if (!listing) return undefined;
      if (!acceptsEmpty) requireSome(listing, { type, before, sender: "the provider" });
      listings[type] = listing;
    }
    const now = ctx.clock();
    const isSame = last && restTypes.every((type) => listings[type] === last.listings[type]);
    return isSame ? last : { listings, fullAt: now, seenAt: now };
  };
}

function tooLong(type: RestType): WordpressFault {
  return new WordpressFault(`the list of “${type}” is too long`);
}

function createPageReader({ client, askForList, keepText }: ContentContext) {
  const pages = new Map<string, Page>();

  /** @throws {WordpressFault} when it is refused, {ProviderError} when it does not come. */
  return async ({ type, page, known }: PageRequest): Promise<Page | undefined> => {
    const name = `${type} ${page}`;
    const before = pages.get(name);
    const answer = await askForList<ListAnswer & { status?: number }>((token) =>
      client.readList(toKind(type).listCall, { token, page: { page, size: PAGE_SIZE }, etag: before?.etag }),
    );
    if (!answer) return undefined;
    if (!answer.ok) throw new WordpressFault(`the provider refuses its list of “${type}” (${answer.status})`);
    if ("isUnchanged" in answer) return before && { ...before, total: answer.total ?? before.total, sizeInBytes: 0 };
    const { items, etag, total, sizeInBytes } = answer;
    const origin = { type, base: client.base };
    const entries = items.map((raw, index) => {
      const entry = toEntry(raw, { ...origin, place: (page - 1) * PAGE_SIZE + index + 1 });
      return keepIfEqual(known?.get(entry.key), entry, keepText);
    });
    const read = { etag, entries, total, sizeInBytes };
    pages.set(name, read);
    return read;
  };
}
