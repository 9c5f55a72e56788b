import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";

import { after, HOUR_IN_MS, systemClock } from "./clock.ts";

/** A file that is read in parts. It is closed between two parts, so a reader who pauses holds no file open. */
export type DiskFile = {
  sizeInBytes: number;
  changedAt: Date;
  /** The bytes from `start` up to and including `end`. Throws once the file has changed. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
};

export async function findDiskFile(path: string): Promise<DiskFile | undefined> {
  try {
    await using file = await open(path);
    const { size: sizeInBytes, mtime: changedAt } = await file.stat();
    return {
      sizeInBytes,
      changedAt,
      async read(start, end) {
        await using again = await open(path);
        const { size, mtime } = await again.stat();
        const bytes = new Uint8Array(end - start + 1);
        const { bytesRead } = await again.read(bytes, 0, bytes.length, start);
        const isSame = size === sizeInBytes && mtime.getTime() === changedAt.getTime();
        if (!isSame || bytesRead !== bytes.length) throw new Error(`${path} has changed while it was read`);
        return bytes;
      },
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** A process id means something only on its machine, or in its container. */
const MACHINE = encodeURIComponent(hostname());

/** The file appears whole or not at all. Two writers of one file have a draft each, and the last one wins. */
export async function writeWholeFile(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = join(dirname(path), `.${MACHINE}-${process.pid}-${randomUUID()}.draft`);
  try {
    await write(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** No process writes a file for so long. */
const DRAFT_LIFE_IN_MS = HOUR_IN_MS;

/**
 * Removes the drafts that killed processes left in a folder, because they may contain codes. Those of other machines
 * stay for an hour: such a process may still be writing. Uses the disk's clock, not the demo's.
 */
export async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/^\..+\.draft$/.test(name)) continue;
    const draft = join(folder, name);
    const found = await stat(draft).catch(() => undefined);
    if (found && isLeft(name, found.mtime)) await rm(draft, { force: true });
  }
}

function isLeft(name: string, changedAt: Date): boolean {
  if (changedAt < after(systemClock(), -DRAFT_LIFE_IN_MS)) return true;
  const start = `.${MACHINE}-`;
  if (!name.startsWith(start)) return false;
  const pid = Number.parseInt(name.slice(start.length), 10);
  // A container that starts again gives its server the same number.
  if (pid === process.pid) return changedAt.getTime() < performance.timeOrigin;
  return !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * The lines of a text in chunks, including a last one without an end. `readline` does not pass on a failure of its
 * input, and a reader that stops half-way leaves a stream whose failure nothing catches.
 */
export async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of text) {
    const [first = "", ...lines] = chunk.split("\n");
    rest.push(first);
    for (const line of lines) {
      yield rest.join("");
      rest = [line];
    }
  }
  if (rest.join("") !== "") yield rest.join("");
}
