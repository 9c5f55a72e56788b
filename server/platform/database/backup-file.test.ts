import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";

import { openTestDatabase } from "../../../tests/helpers/databases.ts";
import { openFolder } from "../../../tests/helpers/folder.ts";
import { fillEveryTable, readEverything } from "../../../tests/helpers/full-database.ts";
import { readBackupFile, writeBackupFile } from "./backup-file.ts";
import { BackupError, readDatabase, writeDatabase, type BackupRecord } from "./backup.ts";

const madeAt = new Date("2026-11-20T03:00:00.000Z");

test("a backup file is readable by its owner only, complete or absent, and never overwrites another", async () => {
  await using source = await openTestDatabase("sqlite");
  await using home = await openFolder();
  await fillEveryTable(source.db);
  const path = join(home.folder, "backup.gz");
  async function* breaking(): AsyncGenerator<BackupRecord> {
    yield { kind: "begin", migrations: [] };
    throw new Error("the disk is full");
  }
  await expect(writeBackupFile({ path, madeAt }, breaking())).rejects.toThrow("the disk is full");
  expect(await readdir(home.folder)).toEqual([]);
  await writeBackupFile({ path, madeAt }, readDatabase(source));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const bytes = await readFile(path);
  await expect(writeBackupFile({ path, madeAt }, readDatabase(source))).rejects.toMatchObject({ code: "EEXIST" });
  expect(await readFile(path)).toEqual(bytes);
  expect(await readdir(home.folder)).toEqual(["backup.gz"]);
  const [first] = gunzipSync(bytes).toString().split("\n");
  expect(JSON.parse(first ?? "")).toEqual({ format: "dormouse backup", version: 1, madeAt: madeAt.toISOString() });
});

test.each([
  ["is cut off", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ["has a byte turned round", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 200, 201)],
  ["is a picture", () => Buffer.from("\x89PNG\r\n")],
  ["is empty", () => Buffer.of()],
  ["is JSON of another program", () => gzipSync('{"hello":"there"}\n')],
  ["is no JSON", () => gzipSync("create table members;\n")],
  ["has nothing in it", () => gzipSync("")],
])("a file that %s is refused with a sentence", async (_, damage) => {
  await using source = await openTestDatabase("sqlite");
  await using target = await openTestDatabase("sqlite");
  await using home = await openFolder();
  await fillEveryTable(source.db);
  const path = join(home.folder, "backup.gz");
  await writeBackupFile({ path, madeAt }, readDatabase(source));
  const damaged = join(home.folder, "damaged.gz");
  await writeFile(damaged, damage(await readFile(path)));
  await expect(writeDatabase(target, readBackupFile(damaged))).rejects.toThrow(BackupError);
  expect((await readEverything(target)).members).toEqual([]);
});
