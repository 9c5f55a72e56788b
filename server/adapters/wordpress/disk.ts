import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

import { after, type Clock, HOUR_IN_MS } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { splitLines } from "../../split-lines.ts";
import type { Entry } from "./entry.ts";
import { type RestType, restTypes } from "./pages.ts";
import type { HeldListing, Holding } from "./reading.ts";

/** The last good reading of a WordPress on disk, an item a line, and how the last try went. */
export type WordpressDisk = {
  /** What is there whole, of this WordPress and of this format; otherwise nothing. */
  read(): Promise<Holding | undefined>;
  /** Appears whole or not at all, and stays through a power cut. */
  write(holding: Holding): Promise<void>;
  readStanding(): Promise<Standing>;
  writeStanding(standing: Standing): Promise<void>;
};

/** When it was last read without a fault, and why it could not be read since. */
export type Standing = { readAt: Date | undefined; fault: string | undefined };

type DiskOptions = { folder: string; cms: string; clock: Clock; log: Log };

const FORMAT = 2;
/** Lines that are written in one go, between which others get their turn. */
const BATCH = 50;

const headSchema = z.object({
  format: z.literal(FORMAT),
  cms: z.string(),
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

const standingSchema = z.object({ readAt: z.coerce.date().optional(), fault: z.string().optional() });

export function createWordpressDisk({ folder, cms, clock, log }: DiskOptions): WordpressDisk {
  const itemsPath = join(folder, "items.ndjson");
  const standingPath = join(folder, "standing.json");

  return {
    async read() {
      await removeDrafts(folder, after(clock(), -HOUR_IN_MS)).catch(() => undefined);
      try {
        return await readHolding(itemsPath, cms);
      } catch (error) {
        if (!isMissing(error)) log.warn({ error }, "the catalogue on disk cannot be used; it will be read anew");
        return undefined;
      }
    },

    async write(holding) {
      await mkdir(folder, { recursive: true });
      const draft = `${itemsPath}.${randomUUID()}.draft`;
      try {
        await writeLines(draft, linesOf(holding, cms));
        await rename(draft, itemsPath);
        await settle(folder);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async readStanding() {
      const text = await readFile(standingPath, "utf8").catch(() => "{}");
      const { readAt, fault } = parseStanding(text);
      return { readAt, fault };
    },

    async writeStanding({ readAt, fault }) {
      await mkdir(folder, { recursive: true });
      const draft = `${standingPath}.${randomUUID()}.draft`;
      await writeFile(draft, JSON.stringify({ readAt, fault }));
      await rename(draft, standingPath);
    },
  };
}

/** Drafts of a process that ended while it wrote. */
async function removeDrafts(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".draft")) continue;
    const { mtime } = await stat(join(folder, name));
    if (mtime < before) await rm(join(folder, name), { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

function parseStanding(text: string): z.infer<typeof standingSchema> {
  try {
    return standingSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function* linesOf({ listings, fullAt, seenAt }: Holding, cms: string): Generator<string> {
  const totals = Object.fromEntries(restTypes.map((type) => [type, listings[type].total]));
  const count = restTypes.reduce((sum, type) => sum + listings[type].entries.size, 0);
  yield JSON.stringify({ format: FORMAT, cms, fullAt, seenAt, count, totals });
  for (const type of restTypes)
    for (const entry of listings[type].entries.values()) yield JSON.stringify([type, entry]);
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

/** A rename lasts once its folder is on disk. */
async function settle(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}

/** @throws when it is not whole, of another format or of another CMS. */
async function readHolding(path: string, cms: string): Promise<Holding> {
  const listings = {} as Record<RestType, HeldListing>;
  let head: z.infer<typeof headSchema> | undefined;
  let count = 0;
  // Opened first: a stream that fails to open later would throw outside of any `await`.
  await using file = await open(path);
  for await (const line of splitLines(file.createReadStream({ encoding: "utf8" }))) {
    if (!head) {
      head = headSchema.parse(JSON.parse(line));
      if (head.cms !== cms) throw new Error(`it is of another CMS: ${head.cms}`);
      for (const type of restTypes) listings[type] = { entries: new Map(), total: head.totals[type] ?? 0 };
      continue;
    }
    const [type, { modified, ...entry }] = lineSchema.parse(JSON.parse(line));
    listings[type].entries.set(entry.key, { ...entry, modified } satisfies Entry);
    count += 1;
  }
  if (!head || count !== head.count) throw new Error("its end is missing");
  return { listings, fullAt: head.fullAt, seenAt: head.seenAt };
}
