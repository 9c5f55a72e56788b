import { readdir, writeFile } from "node:fs/promises";
import { fstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { createQuietLog } from "../../../tests/helpers/quiet-log.ts";
import { openTextFile } from "./text-file.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const texts = ["", "short", "Für die Nacht – 🌙", "long ".repeat(100_000), "zero\0within"];

test("texts are read as they were kept, in any order, and no file is left to be seen", async () => {
  await using opened = await openFolder();
  const keepText = openTextFile({ folder: join(opened.folder, "data"), log: createQuietLog() });
  const readers = texts.map((text) => keepText(text));
  expect(readers.toReversed().map((read) => read())).toEqual(texts.toReversed());
  expect(readers.map((read) => read())).toEqual(texts);
  expect(await readdir(join(opened.folder, "data"))).toEqual([]);
});

test.skipIf(process.platform !== "linux")("a text that is no longer used gives its place to another", async () => {
  await using opened = await openFolder();
  const keepText = openTextFile({ folder: opened.folder, log: createQuietLog() });
  const wanted = keepText("wanted");
  for (let count = 0; count < 1000; count += 1) keepText(`text ${count}`);
  const size = measureFile(opened.folder);
  // Space is free some turns after that.
  for (let turn = 0; turn < 20; turn += 1) {
    collectGarbage();
    await nextTurn();
  }
  const readers = Array.from({ length: 900 }, (_, count) => keepText(`later ${count}`));
  expect(measureFile(opened.folder)).toBe(size);
  expect(readers.map((read) => read())).toEqual(readers.map((_, count) => `later ${count}`));
  expect(wanted()).toBe("wanted");
});

function measureFile(folder: string): number {
  const open = readdirSync("/proc/self/fd").find((file) => readTarget(file)?.startsWith(folder));
  return fstatSync(Number(open)).size;
}

function readTarget(file: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return undefined;
  }
}

test("where nothing can be written texts stay in memory, and operators are told once", async () => {
  await using opened = await openFolder();
  await writeFile(join(opened.folder, "file"), "");
  const log = createQuietLog();
  const keepText = openTextFile({ folder: join(opened.folder, "file"), log });
  const readers = texts.map((text) => keepText(text));
  expect(readers.map((read) => read())).toEqual(texts);
  expect(log.lines).toEqual([expect.objectContaining({ event: expect.stringContaining("stay in memory") })]);
});
