import { execFile } from "node:child_process";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { expect, test } from "vitest";

import { openFolder } from "../../../tests/helpers/folder.ts";
import { countTurns } from "../../../tests/helpers/turns.ts";
import type { Queries } from "./database.ts";
import { answersInTime, openDatabase } from "./open-database.ts";

const run = promisify(execFile);
const here = JSON.stringify(new URL("open-database.ts", import.meta.url).href);

/** Runs `work` in its own process and returns its output; `work` calls `become` to give up root's rights. */
async function askUser(work: string): Promise<string> {
  const script = `
    const { openDatabase, answersInTime } = await import(${here});
    const become = () => process.getuid() === 0 && process.setuid(65534);
    const answer = await (async () => { ${work} })();
    process.stdout.write(String(answer));
  `;
  return (await run(process.execPath, ["--input-type=module", "--eval", script])).stdout;
}

async function openPlace() {
  const home = await openFolder();
  const path = join(home.folder, "d.sqlite");
  return { ...home, path, config: { kind: "sqlite", path } as const };
}

test("a file that another user made, which can only be read, is refused by name", async () => {
  await using place = await openPlace();
  await (await openDatabase(place.config)).close();
  await chmod(place.path, 0o444);
  await chmod(place.folder, 0o777);
  const open = `become(); return openDatabase(${JSON.stringify(place.config)}).then(() => "open", String);`;
  expect(await askUser(open)).toContain(`SqliteFileError: ${place.path} can be read but not written to: `);
  await chmod(place.path, 0o000);
  expect(await askUser(open)).toContain(`SqliteFileError: ${place.path} cannot be opened: `);
});

test("opening a file writes nothing to it but its schema, once", async () => {
  await using place = await openPlace();
  await (await openDatabase(place.config)).close();
  const before = await stat(place.path);
  const { db, close } = await openDatabase(place.config);
  expect((await sql`pragma user_version`.execute(db)).rows).toMatchObject([{ userVersion: 0 }]);
  await close();
  expect((await stat(place.path)).mtimeMs).toBe(before.mtimeMs);
});

test("a database whose file can no longer be written to is not ready", async () => {
  await using place = await openPlace();
  const answer = await askUser(`
    const { chmodSync } = await import("node:fs");
    const database = await openDatabase(${JSON.stringify(place.config)});
    chmodSync(${JSON.stringify(place.folder)}, 0o755);
    const before = await answersInTime(database);
    chmodSync(${JSON.stringify(place.path)}, 0o444);
    become();
    return [before, await answersInTime(database)];
  `);
  expect(answer).toBe("true,false");
});

test("a readiness check does not wait for a write", async () => {
  await using place = await openPlace();
  const [writing, reading] = [await openDatabase(place.config), await openDatabase(place.config)];
  await writing.db.transaction().execute(async () => {
    expect(await answersInTime(reading, 1000)).toBe(true);
  });
  await Promise.all([writing.close(), reading.close()]);
});

test("a file is opened with WAL, full synchronisation and foreign keys", async () => {
  await using place = await openPlace();
  const { db, close } = await openDatabase(place.config);
  expect((await sql`pragma journal_mode`.execute(db)).rows).toMatchObject([{ journalMode: "wal" }]);
  expect((await sql`pragma synchronous`.execute(db)).rows).toMatchObject([{ synchronous: 2 }]);
  expect((await sql`pragma foreign_keys`.execute(db)).rows).toMatchObject([{ foreignKeys: 1 }]);
  expect((await sql`pragma busy_timeout`.execute(db)).rows).toMatchObject([{ timeout: 5000 }]);
  await close();
});

test("a limit is written into a statement, which is then compiled once", async () => {
  const { db, close } = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const query = db.selectFrom("rateLimits").select("key").where("attempts", ">", 1).limit(3).offset(2).compile();
  expect(query).toMatchObject({
    sql: 'select "key" from "rate_limits" where "attempts" > ? limit 3 offset ?',
    parameters: [1, 2],
  });
  await close();
});

test("a folder that is created for the file is accessible to its owner only", async () => {
  await using home = await openFolder();
  const folder = join(home.folder, "data");
  const { close } = await openDatabase({ kind: "sqlite", path: join(folder, "d.sqlite") });
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await close();
});

test("three processes that read and then write lose nothing", async () => {
  await using place = await openPlace();
  const { db, close } = await openDatabase(place.config);
  await db
    .insertInto("rateLimits")
    .values({ key: "k", attempts: 0, expiresAt: new Date(0) })
    .execute();
  const script = `
    const { openDatabase } = await import(${here});
    const { db, close } = await openDatabase(${JSON.stringify(place.config)});
    for (let round = 0; round < 50; round += 1) {
      await db.transaction().execute(async (trx) => {
        const { attempts } = await trx.selectFrom("rateLimits").select("attempts").executeTakeFirstOrThrow();
        await trx.updateTable("rateLimits").set({ attempts: attempts + 1 }).execute();
      });
    }
    await close();
  `;
  const start = () => run(process.execPath, ["--input-type=module", "--eval", script]);
  await Promise.all([start(), start(), start()]);
  expect(await db.selectFrom("rateLimits").select("attempts").executeTakeFirst()).toMatchObject({ attempts: 150 });
  await close();
});

test("between statements of a long loop others have their turn, and not within a transaction", async () => {
  const { db, close } = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const look = async (queries: Queries) => {
    for (let row = 0; row < 10; row += 1) await queries.selectFrom("rateLimits").selectAll().execute();
  };
  expect(await countTurns(() => look(db))).toBeGreaterThanOrEqual(5);
  expect(await countTurns(() => db.transaction().execute(look))).toBeLessThan(3);
  await close();
});

test("a transaction that fails is rolled back", async () => {
  const { db, close } = await openDatabase({ kind: "sqlite", path: ":memory:" });
  const failing = db.transaction().execute(async (trx) => {
    await trx
      .insertInto("rateLimits")
      .values({ key: "k", attempts: 1, expiresAt: new Date(0) })
      .execute();
    throw new Error("half-way");
  });
  await expect(failing).rejects.toThrow("half-way");
  expect(await db.selectFrom("rateLimits").selectAll().execute()).toEqual([]);
  await close();
});
