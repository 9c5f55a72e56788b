import { after, type Clock, HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "../../platform/clock.ts";
import { errorText } from "../../platform/faults.ts";
import { createGate } from "../../platform/gate.ts";
import { LastingFault, type Log } from "../../platform/log.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import type { Catalogue } from "./catalogue.ts";
import { chooseWidth, isDrawn } from "../items/pictures.ts";
import type { FileRef, Media } from "../items/source.ts";

/** An object store, or a CDN before it, with copies of the content's files. */
export type Bucket = {
  /** The origin from which browsers fetch, which the content security policy must allow. */
  origin: string;
  hasKey: boolean;
  /**
   * The address for a browser; signed if there is a key. Each is valid for some hours and repeats meanwhile, so that
   * browser caches work.
   */
  toAddress(key: string): string;
  /** Bytes and time of a stored file. @throws when the store does not answer. */
  find(key: string): Promise<{ sizeInBytes: number; storedAt: Date } | undefined>;
  /** Stores the file whole or not at all. @throws when it cannot. */
  put(key: string, file: Media): Promise<void>;
  /** Really writes and reads an object. */
  check(): Promise<PartCheck>;
};

type PushReport = {
  files: number;
  sent: number;
  bytes: number;
  failures: { key: string; reason: string }[];
};

type PushOptions = { again?: boolean; onSent?: (key: string, bytes: number) => void };

type MediaStore = Pick<Bucket, "origin" | "hasKey" | "check"> & {
  /**
   * The store's address of a published file; `undefined` where this server must send it. A missing file is then copied
   * to the store, once. `isContinued`: the browser already has the first part.
   */
  findAddress(file: FileRef & { isContinued?: boolean }): Promise<string | undefined>;
  /**
   * Sends every published file that the store lacks or has in another size; drawn pictures stay. `again`: sends all. An
   * interrupted run can be repeated.
   */
  push(options?: PushOptions): Promise<PushReport>;
};

type MediaStoreOptions = {
  bucket: Bucket;
  catalogue: Pick<Catalogue, "findMedia" | "hasMedia" | "listFiles">;
  clock: Clock;
  log: Log;
};

/** How long a film that began here continues here: Chromium ends a film whose next part comes from another origin. */
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

/** How long we trust that the store has a file or lacks it: another server may have sent it. */
const THERE_FOR_MS = HOUR_IN_MS;
const LACKING_FOR_MS = 10 * MINUTE_IN_MS;
const LOOK_EVERY_MS = 30 * SECOND_IN_MS;

type Presence = ReturnType<typeof createPresence>;

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

  /** Concurrent callers share one check. */
  function lookOnce(key: string): Promise<Date | undefined> {
    const running = looking.get(key) ?? look(key).finally(() => looking.delete(key));
    looking.set(key, running);
    return running;
  }

  return {
    isAway: () => isAway,
    note,
    /** `undefined` where the store lacks the file or is away. */
    async findSince(key: string): Promise<Date | undefined> {
      const last = known.get(key);
      const isKnown = last !== undefined && clock() < last.until;
      if (!isKnown && !isAway) return lookOnce(key);
      // A request does not wait for a store that is away, or for another check of one that answered.
      if (clock() >= after(lookedAt, LOOK_EVERY_MS)) void lookOnce(key);
      return isKnown && !isAway ? last.storedAt : undefined;
    },
  };
}

const PAUSE_IN_MS = 10 * MINUTE_IN_MS;
const MAX_WAITING = 200;

/** Sends missing files one after another, beside the requests. */
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
 * `NAME`, or `NAME-400.webp` for a drawn width. Captions stay here: a browser accepts those of another host only with
 * its consent (HTML, `<track>`).
 */
function toKey({ name, width }: FileRef): string | undefined {
  if (name.endsWith(".vtt") || !/^[\w-][\w.-]*$/.test(name)) return undefined;
  if (width === undefined || !name.endsWith(".webp")) return name;
  return name.replace(/\.webp$/, `-${chooseWidth(width)}.webp`);
}
