import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

import type { Log } from "../../platform/log.ts";

/** Stores a text outside of memory; returns its reader. A lone surrogate becomes a replacement character. */
export type KeepText = (text: string) => () => string;

export const keepInMemory: KeepText = (text) => () => text;

/** Freed blocks take another text of as many blocks. */
type Extent = { start: number; blocks: number };

const BLOCK_IN_BYTES = 1024;

/**
 * Stores texts in a nameless file of `folder`, which ends with the process. Reading copies from the system's cache,
 * some microseconds an article. Blocks are freed when a text's reader is garbage. Without a writable folder, texts stay
 * in memory.
 */
export function openTextFile({ folder, log }: { folder: string; log: Log }): KeepText {
  let file: number | undefined;
  let isBroken = false;
  let end = 0;
  const free = new Map<number, number[]>();
  const leaving = new FinalizationRegistry<Extent>(({ start, blocks }) => {
    const starts = free.get(blocks);
    if (starts) starts.push(start);
    else free.set(blocks, [start]);
  });

  function write(bytes: Buffer): Extent {
    file ??= openUnnamed(folder);
    const blocks = Math.ceil(bytes.length / BLOCK_IN_BYTES);
    const start = free.get(blocks)?.pop() ?? end;
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, start + done);
    end = Math.max(end, start + blocks * BLOCK_IN_BYTES);
    return { start, blocks };
  }

  return (text) => {
    if (isBroken) return keepInMemory(text);
    const bytes = Buffer.from(text);
    const { length } = bytes;
    try {
      const extent = write(bytes);
      const read = () => readWhole(file ?? 0, extent.start, length);
      leaving.register(read, extent);
      return read;
    } catch (error) {
      isBroken = true;
      log.error({ error }, "the texts of the catalogue stay in memory: they could not be written to disk");
      return keepInMemory(text);
    }
  };
}

function openUnnamed(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `.${randomUUID()}.draft`);
  const file = openSync(path, "wx+", 0o600);
  try {
    rmSync(path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return file;
}

/** Shared: one reading ends before the next begins. */
let scratch = Buffer.alloc(64 * BLOCK_IN_BYTES);

function readWhole(file: number, start: number, length: number): string {
  if (scratch.length < length) scratch = Buffer.alloc(2 * length);
  for (let done = 0; done < length;) {
    const count = readSync(file, scratch, done, length - done, start + done);
    if (count === 0) throw new Error("a text of the catalogue is gone from disk");
    done += count;
  }
  return scratch.toString("utf8", 0, length);
}
