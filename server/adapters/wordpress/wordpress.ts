import { createHash } from "node:crypto";

import { after, type Clock, HOUR_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import type { ContentSource, DraftSource } from "../../content/items/source.ts";
import type { Log } from "../../platform/log.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import { openTextFile } from "../../content/items/text-file.ts";
import {
  createWordpressClient,
  isForbidden,
  type Patience,
  usualPatience,
  type WordpressClient,
  WordpressFault,
} from "./client.ts";
import { createWordpressDrafts } from "./drafts.ts";
import { createStoredContent } from "./stored-content.ts";
import { countItems, Pace, type RestType, restTypes } from "./pages.ts";
import { readChanges } from "./reading.ts";
import { createSitePages } from "./site-pages.ts";
import { createWholeReading } from "./whole.ts";

export type WordpressOptions = {
  /** `https://cms.example.org`, or a folder of it. */
  url: string;
  /** A user who may edit, for unpublished items alone: `name:application password`, or a bearer token. */
  editorToken?: string | undefined;
  /** A user who may only read, where WordPress shows nothing without a log-in. */
  readerToken?: string | undefined;
  clock: Clock;
  log: Log;
  folder: string;
  patience?: Partial<Patience>;
};

/** Renamed authors and topics, texts of pictures and sticky items change no date, so everything is read so often. */
const WHOLE_EVERY_IN_MS = HOUR_IN_MS;
/** The share of a minute's refresh for that: changes and withdrawals come with the next one. */
const SLICE_IN_MS = 30 * SECOND_IN_MS;

/**
 * Videos, posts and tutorials by WordPress's REST API. The last reading is stored on disk; files go through our host,
 * and no other host is contacted. Published items are read as a member may see them: blocks such as Query Loop show
 * what their user may read, so an Editor's reading would bring private posts into public ones.
 */
export function createWordpress(options: WordpressOptions): ContentSource {
  const { url, editorToken, readerToken, clock, log, folder } = options;
  const patience = { ...usualPatience, ...options.patience };
  const reader = readerToken === undefined ? undefined : ({ token: readerToken, setting: "CMS_READER_TOKEN" } as const);
  const editor = editorToken === undefined ? undefined : ({ token: editorToken, setting: "CMS_TOKEN" } as const);
  const client = createWordpressClient({ url, user: reader, clock, patience });
  const stranger = reader ? createWordpressClient({ url, user: undefined, clock, patience }) : client;
  const keepText = openTextFile({ folder, log });
  const ctx = { client, stranger, clock, log, keepText, paces: { items: new Pace(), heads: new Pace() } };
  const whole = createWholeReading(ctx);
  const pages = createSitePages(client);
  const drafts = createWordpressDrafts({
    client: createWordpressClient({ url, user: editor, clock, patience }),
    stranger,
    clock,
    log,
    patience,
    isTokenSet: editor !== undefined,
  });
  return createStoredContent({
    name: `WordPress at ${client.base.href}`,
    site: client.base.href,
    readAs: reader ? readName(reader.token) : "anyone",
    async read(last, listOptions) {
      const holding = await (last ? readChanges(ctx, last, listOptions) : whole.read(undefined));
      await pages.read();
      return holding;
    },
    async readFurther(last) {
      if (clock() < after(last.fullAt, WHOLE_EVERY_IN_MS)) return undefined;
      const until = after(clock(), SLICE_IN_MS);
      const holding = await whole.read(last, () => clock() >= until);
      if (holding) await pages.read({ again: true });
      return holding;
    },
    hasPage: (address) => pages.has(address),
    drafts,
    check: () => checkWordpress(client, { hasReader: reader !== undefined, drafts: editor && drafts }),
    client,
    folder,
    keepText,
    clock,
    log,
  });
}

/** Tells users apart without a secret: the name, or a short hash of a bearer token. */
function readName(token: string): string {
  const [name, password] = token.split(":");
  return password === undefined ? createHash("sha256").update(token).digest("hex").slice(0, 16) : `${name}:`;
}

type Checked = { hasReader: boolean; drafts: DraftSource | undefined };

/** WordPress answers, has the three kinds of items, and gives each user the expected rights. */
async function checkWordpress(client: WordpressClient, { hasReader, drafts }: Checked): Promise<PartCheck> {
  try {
    const counts: string[] = [];
    for (const type of restTypes) counts.push(`${await countItems(client, type)} ${type}`);
    for (const type of hasReader ? restTypes : [])
      if (await maySeePrivate(client, type)) return { isWell: false, message: readerRightsText(type) };
    const found = await drafts?.list();
    if (found?.ok === false) return { isWell: false, message: found.message };
    const reader = hasReader ? "the user of CMS_READER_TOKEN" : "anyone";
    return { isWell: true, message: `WordPress at ${client.base.href} answers ${reader}: ${counts.join(", ")}` };
  } catch (error) {
    if (!(error instanceof WordpressFault)) throw error;
    return { isWell: false, message: error.message };
  }
}

function readerRightsText(type: RestType): string {
  return (
    `The user of CMS_READER_TOKEN may see private “${type}” of WordPress, so members may see parts of them, too: ` +
    "give that user the role Subscriber, and make the application password of an Editor CMS_TOKEN"
  );
}

/** WordPress allows `status=private` only to users who may edit items or read private ones. */
async function maySeePrivate(client: WordpressClient, type: RestType): Promise<boolean> {
  try {
    await client.readJson(type, { query: { status: "private", per_page: "1", _fields: "id" } });
    return true;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}
