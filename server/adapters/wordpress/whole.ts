import type { Entry } from "./entry.ts";
import { beginWalk, type Progress, type RestType, restTypes, walkOn } from "./pages.ts";
import {
  followIndex,
  type HeldListing,
  type Holding,
  keepIfAllSame,
  keepIfSame,
  type Reader,
  type ReadingContext,
  requireSome,
  toWalk,
} from "./reading.ts";

type Walks = Record<RestType, Progress<Entry>>;

/** Reads everything, which may take longer than one refresh: it continues where it stopped, also after a fault. */
export type WholeReading = ReturnType<typeof createWholeReading>;

export function createWholeReading(ctx: ReadingContext) {
  let walks: Walks | undefined;
  return {
    /**
     * Continues by at least one page, until all is read or time is up; returns `undefined` until then. `before`:
     * changes and withdrawals known meanwhile.
     * @throws {WordpressFault} when a page cannot be read.
     */
    async read(before: Holding | undefined, isTimeUp?: () => boolean): Promise<Holding | undefined> {
      walks ??= beginWalks();
      for (const type of restTypes) {
        const progress = walks[type];
        const walk = toWalk({ ...ctx, type }, { query: {}, known: before?.listings[type].entries });
        if (!progress.isDone) await walkOn(ctx.client, walk, { progress, ...(isTimeUp && { isTimeUp }) });
        if (!progress.isDone) return undefined;
      }
      const listings = {} as Record<RestType, HeldListing>;
      for (const type of restTypes) {
        const listing = await settle({ ...ctx, type }, walks[type], before?.listings[type]);
        requireSome(listing, { type, before: before?.listings[type], sender: "WordPress" });
        listings[type] = listing;
      }
      const seenAt = before?.seenAt ?? findFirstSight(walks) ?? ctx.clock();
      walks = undefined;
      return { listings: keepIfAllSame(before?.listings, listings), fullAt: ctx.clock(), seenAt };
    },
  };
}

function beginWalks(): Walks {
  return Object.fromEntries(restTypes.map((type) => [type, beginWalk<Entry>()])) as Walks;
}

/** Items saved later may have been read in their old form. */
function findFirstSight(walks: Walks): Date | undefined {
  const [first] = Object.values(walks)
    .flatMap(({ seenAt }) => seenAt ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime());
  return first;
}

/**
 * Changes since the walk are known already. The index decides where the list changed on the way, or lacks known items.
 */
async function settle(
  reader: Reader,
  progress: Progress<Entry>,
  before: HeldListing | undefined,
): Promise<HeldListing> {
  const { found, total = 0, isSteady } = progress;
  const entries = new Map([...found].map(([key, entry]) => [key, chooseLater(entry, before?.entries.get(key))]));
  const isKnown =
    !before || (before.entries.size === entries.size && [...entries.keys()].every((key) => before.entries.has(key)));
  if (isSteady && entries.size === total && isKnown) return keepIfSame(before, { entries, total });
  return followIndex(reader, before, entries);
}

function chooseLater(entry: Entry, other: Entry | undefined): Entry {
  return other && (other.modified ?? "") > (entry.modified ?? "") ? other : entry;
}
