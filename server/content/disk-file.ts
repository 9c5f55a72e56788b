import { open } from "node:fs/promises";

import type { Media } from "./content-source.ts";

/** A file that is read part by part. It is closed between two parts, so a reader who pauses holds none open. */
export type DiskFile = Pick<Media, "sizeInBytes" | "read"> & { changedAt: Date };

/** The file at a path; nothing where there is none. Its `read` throws once the file has changed. */
export async function findDiskFile(path: string): Promise<DiskFile | undefined> {
  try {
    await using file = await open(path);
    const { size, mtime } = await file.stat();
    const known = { sizeInBytes: size, changedAt: mtime };
    return { ...known, read: (start, end) => readPart(path, { ...known, start, end }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

type Part = { sizeInBytes: number; changedAt: Date; start: number; end: number };

async function readPart(path: string, { sizeInBytes, changedAt, start, end }: Part): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await open(path);
  const { size, mtime } = await file.stat();
  const bytes = new Uint8Array(end - start + 1);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  const isSame = size === sizeInBytes && mtime.getTime() === changedAt.getTime();
  if (!isSame || bytesRead !== bytes.length) throw new Error(`${path} has changed while it was read`);
  return bytes;
}
