import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { findPictureKind, redraw } from "../../platform/pictures/redraw.ts";
import { after, type Clock, DAY_IN_MS } from "../../platform/clock.ts";
import { type DiskFile, findDiskFile, writeWholeFile } from "../../platform/disk-files.ts";
import { createGate, type Gate } from "../../platform/gate.ts";
import type { Log } from "../../platform/log.ts";

/**
 * Pictures are redrawn in a few widths. Their name is `media/HASH.webp`, with `?w=400`; bundled pictures have plain
 * names and are served as they are.
 */
export const drawnWidths = [400, 640, 800, 1600] as const;
type DrawnWidth = (typeof drawnWidths)[number];

const HASH_LENGTH = 32;

/** `ending`: of the type that it is served as. */
export function nameOfAddress(address: string, ending: string): string {
  return `${createHash("sha256").update(address).digest("hex").slice(0, HASH_LENGTH)}.${ending}`;
}

export function isDrawn(name: string): boolean {
  return /^[\da-f]{32}\.webp$/.test(name);
}

/** The next larger width that is drawn. */
export function chooseWidth(wantedWidth: number | undefined): DrawnWidth {
  if (wantedWidth === undefined) return 800;
  return drawnWidths.find((width) => width >= wantedWidth) ?? 1600;
}

export function listWidths(width: number): DrawnWidth[] {
  const last = drawnWidths.findIndex((each) => each >= width);
  return drawnWidths.slice(0, last === -1 ? drawnWidths.length : last + 1);
}

/** A folder of drawn pictures, so that each is fetched and drawn once. */
export type PictureStore = {
  folder: string;
  clock: Clock;
  log: Log;
  maxBytes: number;
  gate: Gate;
  drawing: Map<string, Promise<StoredPicture | undefined>>;
  sizeInBytes?: number;
};

type StoredPicture = Pick<DiskFile, "sizeInBytes" | "read"> & Partial<Pick<DiskFile, "changedAt">>;

/** `fetch` returns `undefined` where there is no file, and throws while it is unavailable. */
type WantedPicture = {
  name: string;
  width: number | undefined;
  fetch(): Promise<Uint8Array | undefined>;
};

const MAX_BYTES = 500_000_000;
/** After this a picture that was replaced at its address is fetched again. */
const FRESH_FOR_MS = 7 * DAY_IN_MS;
const DRAWN_AT_ONCE = 2;
/** A photograph on a card, not on a wall. */
const QUALITY = 72;
/** A picture that is taller in proportion is made narrower. */
const TALLEST = 3;

export function openPictureStore(
  given: Pick<PictureStore, "folder" | "clock" | "log"> & { maxBytes?: number },
): PictureStore {
  return { maxBytes: MAX_BYTES, ...given, gate: createGate(DRAWN_AT_ONCE), drawing: new Map() };
}

/**
 * The WebP, about as wide as requested; while it cannot be fetched, a stored one of any width or age. `away`: none is
 * stored. `undefined`: it is no picture.
 */
export async function findPicture(
  store: PictureStore,
  wanted: WantedPicture,
): Promise<StoredPicture | "away" | undefined> {
  const width = chooseWidth(wanted.width);
  const stored = await findDiskFile(toPath(store, wanted.name, width));
  if (stored && store.clock() < after(stored.changedAt, FRESH_FOR_MS)) return stored;
  try {
    return (await drawOnce(store, wanted, width)) ?? stored;
  } catch (error) {
    store.log.warn({ name: wanted.name, error }, "a picture of the content is unavailable");
    return stored ?? (await findAnyOther(store, wanted.name)) ?? "away";
  }
}

function toPath({ folder }: PictureStore, name: string, width: DrawnWidth): string {
  return join(folder, `${name.replace(/\.webp$/, "")}-${width}.webp`);
}

function drawOnce(store: PictureStore, wanted: WantedPicture, width: DrawnWidth) {
  const { drawing, gate } = store;
  const path = toPath(store, wanted.name, width);
  const running = drawing.get(path) ?? gate(() => draw(store, wanted, width)).finally(() => drawing.delete(path));
  drawing.set(path, running);
  return running;
}

async function draw(store: PictureStore, wanted: WantedPicture, width: DrawnWidth): Promise<StoredPicture | undefined> {
  const drawn = await redrawContent(await wanted.fetch(), { width, name: wanted.name, log: store.log });
  if (!drawn) return undefined;
  await keep(store, toPath(store, wanted.name, width), drawn).catch((error: unknown) => {
    store.log.warn({ error }, "a drawn picture could not be stored");
  });
  return toStored(drawn);
}

type Drawing = { width: DrawnWidth; name: string; log: Log };

async function redrawContent(bytes: Uint8Array | undefined, { width, name, log }: Drawing) {
  const kind = bytes && findPictureKind(bytes);
  if (!kind) return undefined;
  const drawn = await redraw(bytes, kind, { frame: { width, height: TALLEST * width, quality: QUALITY } });
  if (drawn.ok) return drawn.bytes;
  log.warn({ name, reason: drawn.reason }, "a picture of the content cannot be drawn");
}

/** All waiting requests share this copy. */
function toStored(drawn: Uint8Array): StoredPicture {
  const copy = new Uint8Array(drawn);
  return { sizeInBytes: copy.byteLength, read: async (start, end) => copy.subarray(start, end + 1) };
}

/** Draws without storing; `undefined` where it is no picture. */
export async function drawUnstored(
  bytes: Uint8Array,
  { width, ...drawing }: { width: number | undefined; name: string; log: Log },
): Promise<StoredPicture | undefined> {
  const drawn = await redrawContent(bytes, { width: chooseWidth(width), ...drawing });
  return drawn && toStored(drawn);
}

async function findAnyOther(store: PictureStore, name: string): Promise<StoredPicture | undefined> {
  for (const width of drawnWidths.toReversed()) {
    const stored = await findDiskFile(toPath(store, name, width));
    if (stored) return stored;
  }
}

async function keep(store: PictureStore, path: string, bytes: Uint8Array): Promise<void> {
  const { folder, clock, maxBytes } = store;
  await mkdir(folder, { recursive: true });
  await writeWholeFile(path, async (draft) => {
    await writeFile(draft, bytes);
    await using file = await open(draft, "r+");
    await file.utimes(clock(), clock());
  });
  const size =
    store.sizeInBytes === undefined ? sumSizes(await listDrawn(folder)) : store.sizeInBytes + bytes.byteLength;
  store.sizeInBytes = size > maxBytes ? await clear(store) : size;
}

/** Deletes the oldest until a tenth is free. Several processes may share the folder, so it counts again. */
async function clear({ folder, maxBytes }: PictureStore): Promise<number> {
  const oldestFirst = (await listDrawn(folder)).toSorted((a, b) => a.drawnAt - b.drawnAt);
  let left = sumSizes(oldestFirst);
  for (const file of oldestFirst) {
    if (left <= maxBytes * 0.9) break;
    await rm(file.path, { force: true });
    left -= file.size;
  }
  return left;
}

type DrawnFile = { path: string; size: number; drawnAt: number };

async function listDrawn(folder: string): Promise<DrawnFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".webp"));
  const files = names.map(async (name) => {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    return { path, size: found?.size ?? 0, drawnAt: found?.mtimeMs ?? 0 };
  });
  return Promise.all(files);
}

function sumSizes(files: DrawnFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
