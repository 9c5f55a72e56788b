import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test } from "vitest";

import { openDatabase } from "./database.ts";

const run = promisify(execFile);

test("a file is opened for keeping: WAL, full synchronisation, foreign keys", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-"));
  const { db, close } = await openDatabase({ kind: "sqlite", path: join(folder, "d.sqlite") });
  expect((await sql`pragma journal_mode`.execute(db)).rows).toMatchObject([{ journal_mode: "wal" }]);
  expect((await sql`pragma synchronous`.execute(db)).rows).toMatchObject([{ synchronous: 2 }]);
  expect((await sql`pragma foreign_keys`.execute(db)).rows).toMatchObject([{ foreign_keys: 1 }]);
  expect((await sql`pragma busy_timeout`.execute(db)).rows).toMatchObject([{ timeout: 5000 }]);
  await close();
  await rm(folder, { recursive: true });
});

test("a folder that is made for the file is its owner's alone", async () => {
  const home = await mkdtemp(join(tmpdir(), "dormouse-"));
  const folder = join(home, "data");
  const { close } = await openDatabase({ kind: "sqlite", path: join(folder, "d.sqlite") });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await close();
  await rm(home, { recursive: true });
});

test("three processes that read and then write lose nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-"));
  const config = { kind: "sqlite" as const, path: join(folder, "d.sqlite") };
  const { db, close } = await openDatabase(config);
  await db.insertInto("throttles").values({ key: "k", attempts: 0, expires_at: "x" }).execute();
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL("database.ts", import.meta.url).href)});
    const { db, close } = await openDatabase(${JSON.stringify(config)});
    for (let round = 0; round < 50; round += 1) {
      await db.transaction().execute(async (trx) => {
        const { attempts } = await trx.selectFrom("throttles").select("attempts").executeTakeFirstOrThrow();
        await trx.updateTable("throttles").set({ attempts: attempts + 1 }).execute();
      });
    }
    await close();
  `;
  const start = () => run(process.execPath, ["--input-type=module", "--eval", script]);
  await Promise.all([start(), start(), start()]);
  expect(await db.selectFrom("throttles").select("attempts").executeTakeFirst()).toMatchObject({ attempts: 150 });
  await close();
  await rm(folder, { recursive: true });
});

test("a transaction that fails leaves nothing", async () => {
  const { db, close } = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const failing = db.transaction().execute(async (trx) => {
    await trx.insertInto("throttles").values({ key: "k", attempts: 1, expires_at: "x" }).execute();
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  expect(await db.selectFrom("throttles").selectAll().execute()).toEqual([]);
  await close();
});
