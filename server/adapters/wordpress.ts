import { join } from "node:path";

import type { Clock } from "../clock.ts";
import type { ContentSource, ListWish } from "../content/content-source.ts";
import type { Log } from "../log.ts";
import { checkWordpress } from "./wordpress-check.ts";
import { createWordpressClient, usualPatience, type Patience } from "./wordpress-client.ts";
import { createWordpressDisk, type WordpressDisk } from "./wordpress-disk.ts";
import { createWordpressMedia, type WordpressMedia } from "./wordpress-media.ts";
import { restTypes } from "./wordpress-pages.ts";
import { EmptiedFault, readWordpress, type Holding } from "./wordpress-reading.ts";

export type WordpressOptions = {
  /** Where WordPress stands: `https://cms.example.org`, or a folder of that. */
  url: string;
  /** An application password as `name:password`, or a bearer's token. */
  token: string | undefined;
  clock: Clock;
  log: Log;
  /** Where the last good reading and the drawn pictures are kept. */
  folder: string;
  patience?: Partial<Patience>;
};

/**
 * The videos, posts and tutorials of a WordPress, by its REST API. What was read is kept on disk; its pictures and films go through
 * our host. Of its host alone anything is fetched.
 */
export function createWordpress({ url, token, clock, log, folder, ...options }: WordpressOptions): ContentSource {
  const patience = { ...usualPatience, ...options.patience };
  const client = createWordpressClient({ url, token, patience });
  const disk = createWordpressDisk({ folder, cms: client.base.href, clock, log });
  const media = createWordpressMedia({ client, clock, log, folder: join(folder, "pictures") });
  const shown = createShown(media);

  async function readKept(): Promise<Holding | undefined> {
    const holding = await disk.read();
    if (holding) shown.take(holding);
    return holding;
  }

  async function readAnew(wish: ListWish): Promise<unknown[]> {
    const before = shown.holding() ?? (await readKept());
    const signal = AbortSignal.timeout(patience.refreshInMs);
    const read = (last: Holding | undefined) => readWordpress({ client, clock, log }, last, { ...wish, signal });
    const holding = await read(before).catch(async (error: unknown) => read(await findAccepted(disk, error)));
    const isNews = holding.shelves !== before?.shelves || holding.fullAt !== before.fullAt;
    if (isNews) await disk.write(holding).catch(complain);
    return shown.take(holding);
  }

  /** Members are served from memory: a full disk is no reason to show them less. */
  function complain(error: unknown): void {
    log.error({ error }, "the catalogue could not be kept on disk");
  }

  return {
    name: `WordPress at ${client.base.href}`,
    async listItems(wish = {}) {
      try {
        const items = await readAnew(wish);
        await disk.writeStanding({ readAt: clock(), fault: undefined }).catch(complain);
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
    findMedia: (name, width) => media.find(name, width),
    check: () => checkWordpress(client, { isTokenSet: token !== undefined }),
  };
}

/**
 * Where a shelf went empty, an operator's command may have said that it is right, and left that on disk.
 * @throws the fault itself, if not.
 */
async function findAccepted(disk: WordpressDisk, fault: unknown): Promise<Holding> {
  const accepted = fault instanceof EmptiedFault ? await disk.read() : undefined;
  if (!accepted || restTypes.every((type) => accepted.shelves[type].total > 0)) throw fault;
  return accepted;
}

/** The items that members may see; the same list while nothing changes. */
function createShown(media: WordpressMedia) {
  let held: { holding: Holding; items: unknown[] } | undefined;
  return {
    holding: () => held?.holding,
    take(holding: Holding): unknown[] {
      if (held?.holding.shelves === holding.shelves) {
        held = { holding, items: held.items };
        return held.items;
      }
      const entries = restTypes.flatMap((type) => Array.from(holding.shelves[type].entries.values()));
      const open = entries.filter(({ isPublic }) => isPublic);
      const files = open.flatMap((entry) => entry.files);
      media.know(new Map(files.map(({ name, address }) => [name, address])));
      held = { holding, items: open.map(({ item }) => item) };
      return held.items;
    },
  };
}
