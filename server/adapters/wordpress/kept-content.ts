import type { Clock } from "../../clock.ts";
import type { ContentSource, ListWish } from "../../content/source.ts";
import type { Log } from "../../log.ts";
import type { PartCheck } from "../../part-check.ts";
import type { WordpressDisk } from "./disk.ts";
import type { WordpressMedia } from "./media.ts";
import { restTypes } from "./pages.ts";
import { EmptiedFault, type Holding } from "./reading.ts";

type KeptContentOptions = {
  name: string;
  site: string;
  check: () => Promise<PartCheck>;
  /** Reads what there is now, from what there was before; `undefined` if it cannot be asked for, which is no fault. */
  read: (last: Holding | undefined, wish: ListWish) => Promise<Holding | undefined>;
  disk: WordpressDisk;
  media: WordpressMedia;
  clock: Clock;
  log: Log;
};

/** Content of a site elsewhere, in the shape of the WordPress REST API: what was read last is kept on disk. */
export function createKeptContent(options: KeptContentOptions): ContentSource {
  const { name, site, check, read, disk, media, clock, log } = options;
  const shown = createShown(media);

  async function readKept(): Promise<Holding | undefined> {
    const holding = await disk.read();
    if (holding) shown.take(holding);
    return holding;
  }

  async function readAnew(wish: ListWish): Promise<unknown[] | undefined> {
    const before = shown.holding() ?? (await readKept());
    const holding = await read(before, wish).catch(async (error: unknown) =>
      read(await findAccepted(disk, error), wish),
    );
    if (!holding) return undefined;
    const isNews = holding.listings !== before?.listings || holding.fullAt !== before.fullAt;
    if (isNews) await disk.write(holding).catch(complain);
    return shown.take(holding);
  }

  /** For other processes: they see on disk how the last try went. */
  async function noteTry(items: unknown[] | undefined): Promise<void> {
    if (items) return disk.writeStanding({ readAt: clock(), fault: undefined });
    const { readAt, fault } = await disk.readStanding();
    if (fault !== undefined) await disk.writeStanding({ readAt, fault: undefined });
  }

  /** Members are served from memory: a full disk is no reason to show them less. */
  function complain(error: unknown): void {
    log.error({ error }, "the catalogue could not be kept on disk");
  }

  return {
    name,
    site,
    check,
    async listItems(wish = {}) {
      try {
        const items = await readAnew(wish);
        await noteTry(items).catch(complain);
        return items;
      } catch (error) {
        const { readAt } = await disk.readStanding();
        await disk.writeStanding({ readAt, fault: String(error) }).catch(complain);
        throw error;
      }
    },
    async readKept() {
      const holding = await readKept();
      const { readAt, fault } = await disk.readStanding();
      return holding && { items: shown.take(holding), readAt, fault };
    },
    findMedia: (file, width) => media.find(file, width),
  };
}

/**
 * Where a listing went empty, an operator's command may have said that it is right, and left that on disk.
 * @throws the fault itself, if not.
 */
async function findAccepted(disk: WordpressDisk, fault: unknown): Promise<Holding> {
  const accepted = fault instanceof EmptiedFault ? await disk.read() : undefined;
  if (!accepted || restTypes.every((type) => accepted.listings[type].total > 0)) throw fault;
  return accepted;
}

/** The items that members may see; the same list while nothing changes. */
function createShown(media: WordpressMedia) {
  let held: { holding: Holding; items: unknown[] } | undefined;
  return {
    holding: () => held?.holding,
    take(holding: Holding): unknown[] {
      if (held?.holding.listings === holding.listings) {
        held = { holding, items: held.items };
        return held.items;
      }
      const entries = restTypes.flatMap((type) => Array.from(holding.listings[type].entries.values()));
      const open = entries.filter(({ isPublic }) => isPublic);
      const files = open.flatMap((entry) => entry.files);
      media.know(new Map(files.map(({ name, address }) => [name, address])));
      held = { holding, items: open.map(({ item }) => item) };
      return held.items;
    },
  };
}
