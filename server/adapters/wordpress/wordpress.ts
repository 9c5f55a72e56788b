import type { Clock } from "../../clock.ts";
import type { ContentSource } from "../../content/source.ts";
import type { Log } from "../../log.ts";
import type { PartCheck } from "../../part-check.ts";
import {
  createWordpressClient,
  type Patience,
  usualPatience,
  type WordpressClient,
  WordpressFault,
  WordpressRefusal,
} from "./client.ts";
import { createWordpressDrafts } from "./drafts.ts";
import { createKeptContent } from "./kept-content.ts";
import { countItems, restTypes } from "./pages.ts";
import { readWordpress } from "./reading.ts";

export type WordpressOptions = {
  /** The address of WordPress: `https://cms.example.org`, or a folder of that. */
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
    drafts: createWordpressDrafts({ client, clock, log, patience, isTokenSet: token !== undefined }),
    check: () => checkWordpress(client, { isTokenSet: token !== undefined }),
    client,
    folder,
    clock,
    log,
  });
}

/** Whether WordPress answers, takes our token and has the three kinds of items. */
async function checkWordpress(client: WordpressClient, { isTokenSet }: { isTokenSet: boolean }): Promise<PartCheck> {
  try {
    if (isTokenSet) await checkToken(client);
    const counts: string[] = [];
    for (const type of restTypes) counts.push(`${await countItems(client, type)} ${type}`);
    const manner = isTokenSet ? "" : " (asked without CMS_TOKEN)";
    return { isWell: true, says: `WordPress at ${client.base.href} answers${manner}: ${counts.join(", ")}` };
  } catch (error) {
    if (!(error instanceof WordpressFault)) throw error;
    return { isWell: false, says: error.message };
  }
}

/** Some sites hide the current user; there the lists show whether the token is right. */
async function checkToken(client: WordpressClient): Promise<void> {
  try {
    await client.readJson("users/me", { query: { _fields: "id" }, isAuthorised: true });
  } catch (error) {
    const isHidden = error instanceof WordpressRefusal && error.status !== 401 && error.status !== 403;
    if (!isHidden) throw error;
  }
}
