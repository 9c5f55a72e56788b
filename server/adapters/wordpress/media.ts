import { after, type Clock, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { findPicture, isDrawn, openPictureStore, type PictureStore } from "../../content/items/pictures.ts";
import { type Media, findMediaType } from "../../content/items/source.ts";
import type { Log } from "../../platform/log.ts";
import { AwayFault, type WordpressClient, WordpressFault, readDate } from "./client.ts";

export type WordpressMedia = {
  client: Pick<WordpressClient, "readFile">;
  clock: Clock;
  pictures: PictureStore;
  /** Addresses by name; members can request no other file. */
  known: ReadonlyMap<string, string>;
  films: Map<string, Film>;
  /** When a missing picture may be requested again. */
  missingUntil: Map<string, Date>;
  awayUntil: Map<string, Date>;
  allAwayUntil: Date;
  failures: number;
};

/** The size of a phone's photographs today. */
export const PICTURE_MAX_BYTES = 20_000_000;
/** The pause after a picture did not come; after a few in a row, for all pictures. */
const AWAY_FOR_MS = 30 * SECOND_IN_MS;
const FEW = 2;
const MISSING_FOR_MS = 10 * MINUTE_IN_MS;

type MediaOptions = Pick<WordpressMedia, "client" | "clock"> & { log: Log; folder: string };

export function openWordpressMedia({ client, clock, log, folder }: MediaOptions): WordpressMedia {
  return {
    client,
    clock,
    pictures: openPictureStore({ folder, clock, log }),
    known: new Map(),
    films: new Map(),
    missingUntil: new Map(),
    awayUntil: new Map(),
    allAwayUntil: new Date(0),
    failures: 0,
  };
}

export function knowFiles(media: WordpressMedia, files: ReadonlyMap<string, string>): void {
  media.known = files;
  for (const noted of [media.missingUntil, media.awayUntil, media.films]) noted.clear();
}

export async function findFile(media: WordpressMedia, name: string, width?: number) {
  const address = media.known.get(name);
  if (address === undefined) return undefined;
  if (!isDrawn(name)) return noteIfMissing(media, name, await findFilm(media, name, address));
  const drawn = await findPicture(media.pictures, { name, width, fetch: () => fetchPicture(media, name, address) });
  noteIfMissing(media, name, drawn);
  if (drawn === undefined || drawn === "away") return drawn;
  return { contentType: findMediaType(name), ...drawn };
}

function noteIfMissing<Found>(media: WordpressMedia, name: string, found: Found): Found {
  if (found === undefined) media.missingUntil.set(name, after(media.clock(), MISSING_FOR_MS));
  return found;
}

/** As a source's `hasMedia`: false for a file that no item shows, or that was missing at its last request. */
export function hasFile({ known, clock, missingUntil }: WordpressMedia, name: string): boolean {
  const until = missingUntil.get(name);
  return known.has(name) && (until === undefined || clock() >= until);
}

/** `undefined` where there is none. @throws when WordPress does not answer, and at once for a while after that. */
async function fetchPicture(media: WordpressMedia, name: string, address: string): Promise<Uint8Array | undefined> {
  const { client, clock, missingUntil, awayUntil } = media;
  const isBefore = (until: Date | undefined) => until !== undefined && clock() < until;
  if (isBefore(missingUntil.get(name))) return undefined;
  if (isBefore(media.allAwayUntil) || isBefore(awayUntil.get(name))) {
    throw new AwayFault("WordPress did not answer a moment ago");
  }
  try {
    const { status, bytes } = await client.readFile(address, { maxBytes: PICTURE_MAX_BYTES });
    media.failures = 0;
    return status === 200 ? bytes : undefined;
  } catch (error) {
    if (!(error instanceof AwayFault)) return undefined;
    const until = after(clock(), AWAY_FOR_MS);
    awayUntil.set(name, until);
    media.failures += 1;
    if (media.failures >= FEW) media.allAwayUntil = until;
    throw error;
  }
}

/**
 * A player requests the rest of a film and takes what it gets (RFC 9110, section 15.3.7). Only this part is in memory.
 */
const MAX_RANGE_BYTES = 1_000_000;

/** Passes on a film, a recording or captions in parts. */
export async function findFilm(
  media: Pick<WordpressMedia, "client" | "films">,
  name: string,
  address: string,
): Promise<Media | "away" | undefined> {
  const { client, films } = media;
  try {
    const film = films.get(name) ?? (await readRange(client, address, { start: 0, end: 0 }))?.film;
    if (!film?.size) return undefined;
    films.set(name, film);
    return {
      contentType: findMediaType(name),
      sizeInBytes: film.size,
      changedAt: film.changedAt,
      maxRangeBytes: MAX_RANGE_BYTES,
      async read(start, end) {
        const read = await readRange(client, address, { start, end });
        if (!read || !isSame(read.film, film) || read.bytes.byteLength !== end - start + 1) {
          films.delete(name);
          throw new WordpressFault(`${address}: the film has changed while it was read`);
        }
        return read.bytes;
      },
    };
  } catch {
    return "away";
  }
}

export type Film = { size: number; changedAt: Date | undefined };

function isSame(one: Film, other: Film): boolean {
  return one.size === other.size && one.changedAt?.getTime() === other.changedAt?.getTime();
}

type ByteRange = { start: number; end: number };

async function readRange(client: WordpressMedia["client"], address: string, { start, end }: ByteRange) {
  const range = `bytes=${start}-${end}`;
  const { status, headers, bytes } = await client.readFile(address, { maxBytes: MAX_RANGE_BYTES, range });
  // A page that reports a missing file with any status.
  if (/^text\/html\b/i.test(headers.get("Content-Type") ?? "")) return undefined;
  const changedAt = readDate(headers, "Last-Modified");
  const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("Content-Range") ?? "") ?? [];
  if (status === 206 && Number(from) === start && total) return { film: { size: Number(total), changedAt }, bytes };
  // A short film that WordPress sends whole.
  if (status === 200) {
    return { film: { size: bytes.byteLength, changedAt }, bytes: bytes.slice(start, end + 1) };
  }
  if (status >= 400) return undefined;
  throw new WordpressFault(`${address}: it does not give parts of its films`);
}
