import { join } from "node:path";

import type { Clock } from "../clock.ts";
import type { ContentSource } from "../content/source.ts";
import type { Log } from "../log.ts";
import { createKeptContent } from "./kept-content.ts";
import { checkWordpress } from "./wordpress-check.ts";
import { createWordpressClient, type Patience, usualPatience } from "./wordpress-client.ts";
import { createWordpressDisk } from "./wordpress-disk.ts";
import { createWordpressMedia } from "./wordpress-media.ts";
import { readWordpress } from "./wordpress-reading.ts";

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
  return createKeptContent({
    name: `WordPress at ${client.base.href}`,
    site: client.base.href,
    read(last, wish) {
      const signal = AbortSignal.timeout(patience.refreshInMs);
      return readWordpress({ client, clock, log }, last, { ...wish, signal });
    },
    check: () => checkWordpress(client, { isTokenSet: token !== undefined }),
    disk: createWordpressDisk({ folder, cms: client.base.href, clock, log }),
    media: createWordpressMedia({ client, clock, log, folder: join(folder, "pictures") }),
    clock,
    log,
  });
}
