import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { findPictureKind } from "../avatars/picture-kind.ts";
import { redraw } from "../avatars/redraw.ts";
import { after, type Clock, DAY_IN_MS } from "../clock.ts";
import { createGate } from "../gate.ts";
import type { Log } from "../log.ts";
import { chooseWidth, type DrawnWidth, drawnWidths } from "./drawn-pictures.ts";
import type { Media } from "./source.ts";

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

/** Pictures of a source, drawn anew in a few widths and kept on disk, so that each is fetched and drawn once. */
export type PictureStore = {
  /**
   * The WebP of a picture, about as wide as asked. Where it cannot be fetched now, the copy that is kept, of any width or age.
   * `away`: nothing is kept either. Nothing at all: it is no picture.
   */
  find(wanted: WantedPicture): Promise<StoredPicture | "away" | undefined>;
};

export type StoredPicture = Pick<Media, "sizeInBytes" | "read">;

/** `fetch` answers the file, nothing where there is none, and throws when it cannot be had now. */
export type WantedPicture = {
  name: string;
  width: number | undefined;
  fetch(): Promise<Uint8Array | undefined>;
};

type StoreOptions = { folder: string; clock: Clock; log: Log; maxBytes?: number };

const MAX_BYTES = 500_000_000;
/** By then a picture that was replaced under its old address is seen. */
const FRESH_FOR_MS = 7 * DAY_IN_MS;
const DRAWN_AT_ONCE = 2;
/** A photograph on a card, not on a wall. */
const QUALITY = 72;
/** How much higher than wide a picture may be before it is made narrower. */
const TALLEST = 3;

export function createPictureStore({ folder, clock, log, maxBytes = MAX_BYTES }: StoreOptions): PictureStore {
  const gate = createGate(DRAWN_AT_ONCE);
  const drawing = new Map<string, Promise<StoredPicture | undefined>>();
  const cache = createFileCache({ folder, clock, maxBytes });

  async function draw(wanted: WantedPicture, width: DrawnWidth): Promise<StoredPicture | undefined> {
    const bytes = await wanted.fetch();
    const kind = bytes && findPictureKind(bytes);
    if (!kind) return undefined;
    const drawn = await redraw(bytes, kind, { frame: { width, height: TALLEST * width, quality: QUALITY } });
    if (!drawn.ok) {
      log.warn({ name: wanted.name, reason: drawn.reason }, "a picture of the content cannot be drawn");
      return undefined;
    }
    await cache.keep(fileOf(wanted.name, width), drawn.bytes).catch((error: unknown) => {
      log.warn({ error }, "a drawn picture could not be kept");
    });
    return holdInMemory(new Uint8Array(drawn.bytes));
  }

  /** Requests that come while it is drawn get that one. */
  function drawOnce(wanted: WantedPicture, width: DrawnWidth) {
    const file = fileOf(wanted.name, width);
    const running = drawing.get(file) ?? gate(() => draw(wanted, width)).finally(() => drawing.delete(file));
    drawing.set(file, running);
    return running;
  }

  async function findAnyOther(name: string): Promise<StoredPicture | undefined> {
    for (const width of drawnWidths.toReversed()) {
      const kept = await cache.find(fileOf(name, width));
      if (kept) return kept;
    }
  }

  return {
    async find(wanted) {
      const width = chooseWidth(wanted.width);
      const kept = await cache.find(fileOf(wanted.name, width));
      if (kept && clock() < after(kept.drawnAt, FRESH_FOR_MS)) return kept;
      try {
        return (await drawOnce(wanted, width)) ?? kept;
      } catch (error) {
        log.warn({ name: wanted.name, error }, "a picture of the content cannot be had now");
        return kept ?? (await findAnyOther(wanted.name)) ?? "away";
      }
    },
  };
}

function fileOf(name: string, width: DrawnWidth): string {
  return `${name.replace(/\.webp$/, "")}-${width}.webp`;
}

/** All requests that waited for the picture are answered from this one copy. */
function holdInMemory(bytes: Uint8Array<ArrayBuffer>): StoredPicture {
  return { sizeInBytes: bytes.byteLength, read: async (start, end) => bytes.subarray(start, end + 1) };
}

type Kept = StoredPicture & { drawnAt: Date };

/** A folder of files that never grows past its bound: what was drawn first goes first. */
function createFileCache({ folder, clock, maxBytes }: Pick<StoreOptions, "folder" | "clock"> & { maxBytes: number }) {
  let size: number | undefined;

  async function find(file: string): Promise<Kept | undefined> {
    const found = await findDiskFile(join(folder, file));
    return found && { ...found, drawnAt: found.changedAt };
  }

  async function keep(file: string, bytes: Uint8Array): Promise<void> {
    await mkdir(folder, { recursive: true });
    const draft = join(folder, `.${randomUUID()}.draft`);
    try {
      await writeFile(draft, bytes);
      await stamp(draft, clock());
      await rename(draft, join(folder, file));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    size = (size ?? (await measure())) + bytes.byteLength;
    if (size > maxBytes) size = await clear();
  }

  async function list() {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".webp"));
    const files = names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return { name, size: found?.size ?? 0, drawnAt: found?.mtimeMs ?? 0 };
    });
    return Promise.all(files);
  }

  async function measure(): Promise<number> {
    return (await list()).reduce((sum, file) => sum + file.size, 0);
  }

  /** Several processes may share the folder, so what is there is counted again; a tenth is left free. */
  async function clear(): Promise<number> {
    const oldestFirst = (await list()).toSorted((a, b) => a.drawnAt - b.drawnAt);
    let left = oldestFirst.reduce((sum, file) => sum + file.size, 0);
    for (const file of oldestFirst) {
      if (left <= maxBytes * 0.9) break;
      await rm(join(folder, file.name), { force: true });
      left -= file.size;
    }
    return left;
  }

  return { find, keep };
}

async function stamp(path: string, at: Date): Promise<void> {
  await using handle = await open(path, "r+");
  await handle.utimes(at, at);
}
