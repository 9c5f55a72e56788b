import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

import type { Clock } from "../../platform/clock.ts";
import type { ContentSource, ListOptions } from "../../content/items/source.ts";
import { isMissing, removeDrafts, splitLines, writeWholeFile } from "../../platform/disk-files.ts";
import type { Log } from "../../platform/log.ts";
import type { KeepText } from "../../content/items/text-file.ts";
import type { WordpressClient } from "./client.ts";
import { keepEntry, toStoredEntry } from "./entry.ts";
import { findFile, hasFile, knowFiles, openWordpressMedia, type WordpressMedia } from "./media.ts";
import { type RestType, restTypes } from "./pages.ts";
import { EmptiedFault, type HeldListing, type Holding } from "./reading.ts";

type StoredContentOptions = Pick<ContentSource, "name" | "check" | "drafts" | "hasPage"> & {
  /** Stored content of another site is ignored. */
  site: string;
  /** The user, where that decides what can be read. Content that another user read is ignored. */
  readAs?: string;
  /** Reads the present content from the last; `undefined` without an account to read with, which is no fault. */
  read: (last: Holding | undefined, listOptions: ListOptions) => Promise<Holding | undefined>;
  /** Continues a long reading; answers everything once it is complete. */
  readFurther?: (last: Holding) => Promise<Holding | undefined>;
  client: Pick<WordpressClient, "readFile">;
  /** For the last good reading and the drawn pictures. */
  folder: string;
  keepText: KeepText;
  clock: Clock;
  log: Log;
};

/**
 * Content of another site, in the shape of the WordPress REST API: the last reading is stored on disk, and pictures and
 * films go through our host.
 */
export function createStoredContent(options: StoredContentOptions): ContentSource {
  const { name, site, check, drafts, hasPage, read, client, folder, clock, log } = options;
  const media = openWordpressMedia({ client, clock, log, folder: join(folder, "pictures") });
  const showing = createShowing(media);

  async function readAll(listOptions: ListOptions): Promise<unknown[] | undefined> {
    const before = showing.find() ?? (await readHolding(options));
    if (before) showing.show(before);
    const holding = await read(before, listOptions).catch(async (error: unknown) =>
      read(await findAccepted(options, error), listOptions),
    );
    if (!holding) return undefined;
    const isNews = holding.listings !== before?.listings || holding.fullAt !== before.fullAt;
    if (isNews) await writeHolding(options, holding).catch(complain);
    return showing.show(holding);
  }

  async function readFurther(): Promise<unknown[] | undefined> {
    const last = showing.find();
    const holding = last && (await options.readFurther?.(last));
    if (!holding) return undefined;
    await writeHolding(options, holding).catch(complain);
    return showing.show(holding);
  }

  /** Members are served from memory, so a full disk does not matter to them. */
  function complain(error: unknown): void {
    log.error({ error }, "the catalogue could not be stored on disk");
  }

  async function withNotedFault<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      await noteFault(options, error).catch(complain);
      throw error;
    }
  }

  return {
    name,
    site,
    check,
    listItems: (listOptions = {}) =>
      withNotedFault(async () => {
        const items = await readAll(listOptions);
        await noteTry(options, items).catch(complain);
        return items;
      }),
    listFurther: () => withNotedFault(readFurther),
    async readStored() {
      const holding = await readHolding(options);
      const { readAt, fault } = await readState(folder);
      return holding && { items: showing.show(holding), readAt, fault };
    },
    findMedia: (file, width) => findFile(media, file, width),
    hasMedia: async (file) => hasFile(media, file),
    ...(drafts && { drafts }),
    ...(hasPage && { hasPage }),
  };
}

/** `show`: items that members may see; the same list while nothing changes. */
function createShowing(media: WordpressMedia) {
  let shown: { holding: Holding; items: unknown[] } | undefined;
  return {
    find: () => shown?.holding,
    show(holding: Holding): unknown[] {
      if (shown?.holding.listings === holding.listings) {
        shown = { holding, items: shown.items };
        return shown.items;
      }
      const entries = restTypes.flatMap((type) => Array.from(holding.listings[type].entries.values()));
      const wanted = entries.filter(({ isPublic }) => isPublic);
      const files = wanted.flatMap((entry) => entry.files);
      knowFiles(media, new Map(files.map((file) => [file.name, file.address])));
      shown = { holding, items: wanted.map(({ readItem }) => readItem) };
      return shown.items;
    },
  };
}

type Folder = Pick<StoredContentOptions, "folder" | "site" | "readAs" | "keepText" | "clock" | "log">;

/**
 * A listing became empty, and an operator's command may have accepted that, on disk. @throws the fault itself, if not.
 */
async function findAccepted(stored: Folder, fault: unknown): Promise<Holding> {
  const accepted = fault instanceof EmptiedFault ? await readHolding(stored) : undefined;
  if (!accepted || restTypes.every((type) => accepted.listings[type].total > 0)) throw fault;
  return accepted;
}

/* On disk: the last good reading, an item a line, and the result of the last try. */

const FORMAT = 2;
const ITEMS_FILE = "items.ndjson";
const STATE_FILE = "standing.json";
/** Lines written at once, between which other work runs. */
const BATCH = 50;

const headSchema = z.object({
  format: z.literal(FORMAT),
  cms: z.string(),
  /** Absent in files that older versions stored, which read WordPress as any user. */
  readAs: z.string().optional(),
  fullAt: z.coerce.date(),
  seenAt: z.coerce.date(),
  count: z.int(),
  totals: z.record(z.enum(restTypes), z.int()),
});

const lineSchema = z.tuple([
  z.enum(restTypes),
  z.object({
    key: z.string(),
    modified: z.string().optional(),
    isPublic: z.boolean(),
    item: z.unknown(),
    files: z.array(z.object({ name: z.string(), address: z.string() })),
  }),
]);

const stateSchema = z.object({ readAt: z.coerce.date().optional(), fault: z.string().optional() });

/** Only if it is whole, of this WordPress, of this user and in this format. */
async function readHolding({ folder, log, ...origin }: Folder): Promise<Holding | undefined> {
  await removeDrafts(folder);
  try {
    return await parseHolding(join(folder, ITEMS_FILE), origin);
  } catch (error) {
    if (!isMissing(error)) log.warn({ error }, "the catalogue on disk cannot be used; it will be read anew");
    return undefined;
  }
}

/** Appears whole or not at all, and survives a power cut. */
async function writeHolding({ folder, ...origin }: Folder, holding: Holding): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeWholeFile(join(folder, ITEMS_FILE), (draft) => writeLines(draft, listLines(holding, origin)));
  // A rename lasts once its folder is on disk.
  await using handle = await open(folder);
  await handle.sync();
}

/** The last reading without a fault, and why later ones failed. */
type ReadingState = { readAt?: Date | undefined; fault?: string | undefined };

async function readState(folder: string): Promise<ReadingState> {
  try {
    return stateSchema.parse(JSON.parse(await readFile(join(folder, STATE_FILE), "utf8")));
  } catch {
    return { readAt: undefined, fault: undefined };
  }
}

/** Other processes read the result of the last try on disk. */
async function noteTry({ folder, clock }: Folder, items: unknown[] | undefined): Promise<void> {
  if (items) return writeState(folder, { readAt: clock(), fault: undefined });
  const { readAt, fault } = await readState(folder);
  if (fault !== undefined) await writeState(folder, { readAt, fault: undefined });
}

async function noteFault({ folder }: Folder, error: unknown): Promise<void> {
  const { readAt } = await readState(folder);
  await writeState(folder, { readAt, fault: String(error) });
}

async function writeState(folder: string, state: ReadingState): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeWholeFile(join(folder, STATE_FILE), (draft) => writeFile(draft, JSON.stringify(state)));
}

type Origin = Pick<Folder, "site" | "readAs" | "keepText">;

function* listLines({ listings, fullAt, seenAt }: Holding, { site: cms, readAs }: Origin): Generator<string> {
  const totals = Object.fromEntries(restTypes.map((type) => [type, listings[type].total]));
  const count = restTypes.reduce((sum, type) => sum + listings[type].entries.size, 0);
  yield JSON.stringify({ format: FORMAT, cms, readAs, fullAt, seenAt, count, totals });
  for (const type of restTypes)
    for (const entry of listings[type].entries.values()) yield JSON.stringify([type, toStoredEntry(entry)]);
}

async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  await using file = await open(path, "wx");
  let batch: string[] = [];
  for (const line of lines) {
    if (batch.push(line) < BATCH) continue;
    await file.write(`${batch.join("\n")}\n`);
    batch = [];
  }
  await file.write(batch.map((line) => `${line}\n`).join(""));
  await file.sync();
}

/** @throws when it is incomplete, or of another format, CMS or user. */
async function parseHolding(path: string, { site, readAs, keepText }: Origin): Promise<Holding> {
  const listings = {} as Record<RestType, HeldListing>;
  let head: z.infer<typeof headSchema> | undefined;
  let count = 0;
  // Opened first: a stream that fails to open later would throw outside of any `await`.
  await using file = await open(path);
  for await (const line of splitLines(file.createReadStream({ encoding: "utf8" }))) {
    if (!head) {
      head = headSchema.parse(JSON.parse(line));
      if (head.cms !== site) throw new Error(`it is of another CMS: ${head.cms}`);
      if (head.readAs !== readAs) throw new Error("it was read as another user, who may see other items");
      for (const type of restTypes) listings[type] = { entries: new Map(), total: head.totals[type] ?? 0 };
      continue;
    }
    const [type, { modified, item, ...entry }] = lineSchema.parse(JSON.parse(line));
    listings[type].entries.set(entry.key, keepEntry({ ...entry, modified, readItem: () => item }, keepText));
    count += 1;
  }
  if (!head || count !== head.count) throw new Error("its end is missing");
  return { listings, fullAt: head.fullAt, seenAt: head.seenAt };
}
