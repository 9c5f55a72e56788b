import { after, type Clock, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { errorText } from "../../platform/faults.ts";
import { createGate } from "../../platform/gate.ts";
import { LastingFault, type Log } from "../../platform/log.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import type { Catalogue } from "./catalogue.ts";
import { chooseWidth, isDrawn } from "./pictures.ts";
import type { FileRef, Media } from "./source.ts";

/** An object store, or a CDN before one, that holds copies of the content's files. */
export type Bucket = {
  /** The scheme, host and port from which browsers fetch: what a page's policy must let in. */
  origin: string;
  /** Whether we have a key that may write. */
  hasKey: boolean;
  /**
   * Where a browser fetches a file; with a key it is signed. Each address is good for some hours, and within some hours it is the same
   * one, so that browsers find in their cache what they have.
   */
  toAddress(key: string): string;
  /** A file's size in bytes and since when it is there; nothing where there is none. @throws when the store does not answer. */
  find(key: string): Promise<{ sizeInBytes: number; storedAt: Date } | undefined>;
  /** Stores a file whole or not at all. @throws when it cannot. */
  put(key: string, file: Media): Promise<void>;
  /** Writes and reads an object for real. */
  check(): Promise<PartCheck>;
};

type PushReport = {
  /** How many files there are, how many of them were sent now, and their bytes. */
  files: number;
  sent: number;
  bytes: number;
  /** Files that could not be sent, with a reason each. */
  failures: { key: string; reason: string }[];
};

type PushOptions = { again?: boolean; onSent?: (key: string, bytes: number) => void };

type MediaStore = Pick<Bucket, "origin" | "hasKey" | "check"> & {
  /**
   * Where the store has a published file; nothing where this server must send it, because the store has no copy or is away. A file that
   * is missing there is sent to it meanwhile, once. `isContinued`: a later part of the file is asked for.
   */
  findAddress(file: FileRef & { isContinued?: boolean }): Promise<string | undefined>;
  /**
   * Sends every published file that the store lacks, or has in another size; a drawn picture that is there stays. `again`: sends all of
   * them. It may be broken off and begun again at any time.
   */
  push(options?: PushOptions): Promise<PushReport>;
};

type MediaStoreOptions = {
  bucket: Bucket;
  catalogue: Pick<Catalogue, "findMedia" | "hasMedia" | "listFiles">;
  clock: Clock;
  log: Log;
};

/**
 * How long a film that began to play from here goes on from here after the store got it: Chromium ends a film whose next part comes from
 * another origin.
 */
const BEGUN_HERE_FOR_MS = 3 * HOUR_IN_MS;

export function createMediaStore(options: MediaStoreOptions): MediaStore {
  const { bucket, catalogue, clock } = options;
  const presence = createPresence(options);
  const sendLater = createSender(options, presence);
  return {
    origin: bucket.origin,
    hasKey: bucket.hasKey,
    check: () => bucket.check(),
    async findAddress(file) {
      const key = toKey(file);
      if (key === undefined || !(await catalogue.hasMedia(file.name))) return undefined;
      const storedAt = await presence.findSince(key);
      if (!storedAt) {
        sendLater(key, file);
        return undefined;
      }
      const isSettled = clock() >= after(storedAt, BEGUN_HERE_FOR_MS);
      return file.isContinued && !isSettled ? undefined : bucket.toAddress(key);
    },
    push: (pushOptions = {}) => push(options, pushOptions),
  };
}

/** How long it is believed that the store has a file, or has none: another server may have sent it. */
const THERE_FOR_MS = HOUR_IN_MS;
const LACKING_FOR_MS = 10 * MINUTE_IN_MS;
/** How often the store is looked at while it is used. */
const LOOK_EVERY_MS = 30 * SECOND_IN_MS;

type Presence = ReturnType<typeof createPresence>;

/** The state of the store as far as it was looked at: whether it answers, and which files it has. */
function createPresence({ bucket, clock, log }: MediaStoreOptions) {
  const known = new Map<string, { storedAt: Date | undefined; until: Date }>();
  const looking = new Map<string, Promise<Date | undefined>>();
  const fault = new LastingFault({ log, clock });
  let isAway = false;
  let lookedAt = new Date(0);

  function note(key: string, storedAt: Date | undefined): Date | undefined {
    known.set(key, { storedAt, until: after(clock(), storedAt ? THERE_FOR_MS : LACKING_FOR_MS) });
    return storedAt;
  }

  async function look(key: string): Promise<Date | undefined> {
    lookedAt = clock();
    try {
      const found = await bucket.find(key);
      isAway = false;
      fault.end({}, "the media store answers again");
      return note(key, found?.storedAt);
    } catch (error) {
      isAway = true;
      fault.note({ error: errorText(error) }, "the media store is away, and this server sends the files");
      return undefined;
    }
  }

  /** One look for all who want to know meanwhile. */
  function lookOnce(key: string): Promise<Date | undefined> {
    const running = looking.get(key) ?? look(key).finally(() => looking.delete(key));
    looking.set(key, running);
    return running;
  }

  return {
    isAway: () => isAway,
    note,
    /** Since when the store has a file; nothing where it has none or is away. */
    async findSince(key: string): Promise<Date | undefined> {
      const last = known.get(key);
      const isKnown = last !== undefined && clock() < last.until;
      if (!isKnown && !isAway) return lookOnce(key);
      // A request does not wait for a store that is away, or for another look at one that answered.
      if (clock() >= after(lookedAt, LOOK_EVERY_MS)) void lookOnce(key);
      return isKnown && !isAway ? last.storedAt : undefined;
    },
  };
}

/** How long nothing is sent after a failure. */
const PAUSE_IN_MS = 10 * MINUTE_IN_MS;
const MAX_WAITING = 200;

/** Sends files that were asked for in vain, one after another, beside the requests. */
function createSender({ bucket, catalogue, clock, log }: MediaStoreOptions, presence: Presence) {
  const waiting = new Set<string>();
  const oneAtATime = createGate(1);
  let pausedUntil = new Date(0);

  async function send(key: string, { name, width }: FileRef): Promise<void> {
    if (clock() < pausedUntil) return;
    const file = await catalogue.findMedia(name, width);
    if (!file || file === "away") return;
    try {
      await bucket.put(key, file);
      presence.note(key, clock());
    } catch (error) {
      log.warn({ key, error: errorText(error) }, "a file could not be sent to the media store");
      pausedUntil = after(clock(), PAUSE_IN_MS);
    }
  }

  return (key: string, file: FileRef): void => {
    const isIdle = !bucket.hasKey || presence.isAway() || clock() < pausedUntil;
    if (isIdle || waiting.has(key) || waiting.size >= MAX_WAITING) return;
    waiting.add(key);
    void oneAtATime(() => send(key, file))
      .catch((error: unknown) => log.warn({ key, error: errorText(error) }, "a file of the content could not be read"))
      .finally(() => waiting.delete(key));
  };
}

const SENT_AT_ONCE = 4;

async function push({ bucket, catalogue }: MediaStoreOptions, { again, onSent }: PushOptions): Promise<PushReport> {
  const report: PushReport = { files: 0, sent: 0, bytes: 0, failures: [] };
  const gate = createGate(SENT_AT_ONCE);

  /** The bytes that were sent. */
  async function pushOne(key: string, { name, width }: FileRef): Promise<number> {
    const stored = again ? undefined : await bucket.find(key);
    if (stored && isDrawn(name)) return 0;
    const file = await catalogue.findMedia(name, width);
    if (file === undefined) throw new Error("there is no such file any more");
    if (file === "away") throw new Error("its source does not answer");
    if (stored?.sizeInBytes === file.sizeInBytes) return 0;
    await bucket.put(key, file);
    onSent?.(key, file.sizeInBytes);
    return file.sizeInBytes;
  }

  async function pushAndNote(key: string, file: FileRef): Promise<void> {
    report.files += 1;
    try {
      const bytes = await pushOne(key, file);
      if (bytes > 0) report.sent += 1;
      report.bytes += bytes;
    } catch (error) {
      report.failures.push({ key, reason: errorText(error) });
    }
  }

  const files = new Map(catalogue.listFiles().map((file) => [toKey(file), file]));
  const pushing = [...files].map(([key, file]) =>
    gate(async () => {
      if (key !== undefined && (await catalogue.hasMedia(file.name))) await pushAndNote(key, file);
    }),
  );
  await Promise.all(pushing);
  return report;
}

/**
 * The name of a file in the store: `NAME`, or `NAME-400.webp` of a picture so wide. None for captions: a browser takes those of another
 * host only where that host names ours (HTML, `<track>`), and they are a few kilobytes.
 */
function toKey({ name, width }: FileRef): string | undefined {
  if (name.endsWith(".vtt") || !/^[\w-][\w.-]*$/.test(name)) return undefined;
  if (width === undefined || !name.endsWith(".webp")) return name;
  return name.replace(/\.webp$/, `-${chooseWidth(width)}.webp`);
}
