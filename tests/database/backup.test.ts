import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import { engines, openTestDatabase } from "../helpers/databases.ts";
import { fillEveryTable, LAST_EMAIL, listTables, readEverything } from "../helpers/full-database.ts";
import { openFolder } from "../helpers/folder.ts";
import { createPostgresDatabase } from "../helpers/postgres-server.ts";
import { readBackupFile, writeBackupFile } from "../../server/platform/database/backup-file.ts";
import { readDatabase, writeDatabase, type BackupRecord } from "../../server/platform/database/backup.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";
import { migrations, readApplied } from "../../server/platform/database/migrate.ts";
import type { Migration } from "../../server/platform/database/migration.ts";

const madeAt = new Date("2026-11-20T03:00:00.000Z");
const ways = engines.flatMap((from) => engines.map((to): [Engine, Engine] => [from, to]));

async function collect(records: AsyncIterable<BackupRecord>): Promise<BackupRecord[]> {
  const collected: BackupRecord[] = [];
  for await (const record of records) collected.push(record);
  return collected;
}

async function* replay(records: BackupRecord[]): AsyncGenerator<BackupRecord> {
  yield* records;
}

async function makeShared(engine: Engine) {
  const home = await openFolder();
  const place =
    engine === "sqlite"
      ? { kind: engine, path: join(home.folder, "dormouse.sqlite") }
      : { kind: engine, url: await createPostgresDatabase(inject("postgresUrl")), poolSize: 2 };
  return {
    async open() {
      const database = await openDatabase(place);
      return { ...database, [Symbol.asyncDispose]: () => database.close() };
    },
    [Symbol.asyncDispose]: home[Symbol.asyncDispose],
  };
}

/** Exists until the end of the test. */
function addMigration(migration: Migration): Disposable {
  migrations.push(migration);
  return { [Symbol.dispose]: () => void migrations.pop() };
}

describe.each(ways)("from %s to %s", (from, to) => {
  test("a backup restores every row of every table byte for byte, and ids continue where they were", async () => {
    await using source = await openTestDatabase(from);
    await using target = await openTestDatabase(to);
    await using home = await openFolder();
    await fillEveryTable(source.db);
    const path = join(home.folder, "backup.gz");
    await writeBackupFile({ path, madeAt }, readDatabase(source));
    const tallies = await writeDatabase(target, readBackupFile(path));

    const before = await readEverything(source);
    expect(await readEverything(target)).toEqual(before);
    expect(Object.keys({ ...tallies, migrations: 0 }).toSorted((a, b) => a.localeCompare(b))).toEqual(
      await listTables(source),
    );
    expect(Object.entries(tallies).filter(([, { rows }]) => rows === 0)).toEqual([]);
    for (const [name, { rows }] of Object.entries(tallies)) expect(rows, name).toBe(before[name]?.length);

    const mail = {
      kind: "welcome",
      recipient: "a@x.example",
      isSecret: 0,
      createdAt: new Date(0),
      attempts: 0,
    } as const;
    const next = await target.db
      .insertInto("emails")
      .values({ key: "next", ...mail })
      .returning("id")
      .executeTakeFirst();
    expect(next).toEqual({ id: LAST_EMAIL + 1 });
  });
});

describe.each(engines)("a backup on %s", (engine) => {
  test("is a snapshot of one moment and blocks no writer", async () => {
    await using place = await makeShared(engine);
    await using source = await place.open();
    await using writer = await place.open();
    await fillEveryTable(source.db);
    const before = await readEverything(source);
    const records: BackupRecord[] = [];
    for await (const record of readDatabase(source)) {
      records.push(record);
      if (record.kind === "table") {
        const row = { key: `written at ${record.name}`, attempts: 1, expiresAt: new Date("2030") };
        await writer.db.insertInto("rateLimits").values(row).execute();
      }
    }
    await using target = await openTestDatabase(engine);
    await writeDatabase(target, replay(records));
    expect(await readEverything(target)).toEqual(before);
    expect((await readEverything(source)).rate_limits?.length).toBeGreaterThan(before.rate_limits?.length ?? 0);
  });

  test("is restored into an empty database only, unless replacing is asked for, which leaves no old row", async () => {
    await using source = await openTestDatabase(engine);
    await using target = await openTestDatabase(engine);
    await fillEveryTable(source.db);
    await target.db
      .insertInto("rateLimits")
      .values({ key: "mine", attempts: 1, expiresAt: new Date("2030") })
      .execute();
    const mine = await readEverything(target);
    await expect(writeDatabase(target, readDatabase(source))).rejects.toThrow(/not empty \(rate_limits\)/);
    expect(await readEverything(target)).toEqual(mine);
    await writeDatabase(target, readDatabase(source), { isReplacing: true });
    expect(await readEverything(target)).toEqual(await readEverything(source));
  });

  test("that is truncated or altered changes nothing", async () => {
    await using source = await openTestDatabase(engine);
    await using target = await openTestDatabase(engine);
    await fillEveryTable(source.db);
    await fillEveryTable(target.db);
    const before = await readEverything(target);
    const records = await collect(readDatabase(source));
    const rowsAt = records.findIndex(({ kind }) => kind === "rows");
    const altered = structuredClone(records);
    const page = altered[rowsAt];
    if (page?.kind === "rows") page.rows[0]?.splice(-1, 1, "altered");
    const begin: BackupRecord = { kind: "begin", migrations: ["9999-later"] };
    const none: BackupRecord = { kind: "begin", migrations: [] };
    for (const bad of [
      [],
      records.slice(0, -1),
      records.filter((_, index) => index !== rowsAt),
      records.filter((record) => record.kind !== "table" || record.name !== "avatars"),
      altered,
      [begin, ...records.slice(1)],
      [none, ...records.slice(1)],
      records.slice(1),
      [...records, ...records.slice(1, 2)],
    ]) {
      await expect(writeDatabase(target, replay(bad), { isReplacing: true })).rejects.toThrow();
      expect(await readEverything(target)).toEqual(before);
    }
  });

  test("is not restored over a newer version, whose tables would remain", async () => {
    await using source = await openTestDatabase(engine);
    await using target = await openTestDatabase(engine);
    await sql`insert into migrations (name, applied_at) values ('9999-later', '2030')`.execute(target.db);
    await target.db
      .insertInto("rateLimits")
      .values({ key: "mine", attempts: 1, expiresAt: new Date("2030") })
      .execute();
    const mine = await readEverything(target);
    for (const isReplacing of [false, true]) {
      const written = writeDatabase(target, readDatabase(source), { isReplacing });
      await expect(written).rejects.toThrow(/newer version \(it has 9999-later\)/);
      expect(await readEverything(target)).toEqual(mine);
    }
    await sql`delete from migrations where name = '9999-later'`.execute(target.db);
  });

  test("of an older version is brought up to date", async () => {
    await using source = await openTestDatabase("sqlite");
    await using target = await openTestDatabase(engine);
    await source.db
      .insertInto("rateLimits")
      .values({ key: "k", attempts: 3, expiresAt: new Date("2030") })
      .execute();
    const records = await collect(readDatabase(source));
    using _later = addMigration({
      name: "9999-later",
      async up(db) {
        await sql`create table later (key text primary key)`.execute(db);
        await sql`insert into later select key from rate_limits`.execute(db);
      },
    });
    const tallies = await writeDatabase(target, replay(records));
    expect(tallies.rate_limits?.rows).toBe(1);
    expect(Object.keys(tallies)).not.toContain("later");
    expect((await sql`select key from later`.execute(target.db)).rows).toEqual([{ key: "k" }]);
    expect(await readApplied(target.db)).toEqual(migrations.map(({ name }) => name));
  });

  test("that is aborted half-way leaves the database usable", async () => {
    await using source = await openTestDatabase(engine);
    await fillEveryTable(source.db);
    for await (const record of readDatabase(source)) if (record.kind === "rows") break;
    await source.db
      .insertInto("rateLimits")
      .values({ key: "after", attempts: 1, expiresAt: new Date("2030") })
      .execute();
    expect((await collect(readDatabase(source))).at(-1)).toMatchObject({ kind: "end" });
  });
});

test("in a PostgreSQL that another product shares only our tables are touched", async () => {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  const place = { kind: "postgres" as const, url, poolSize: 2 };
  const database = await openDatabase(place);
  await sql`create table theirs (words text)`.execute(database.db);
  await sql`insert into theirs values ('keep me')`.execute(database.db);
  await using source = await openTestDatabase("sqlite");
  await fillEveryTable(source.db);
  await writeDatabase(database, readDatabase(source));
  await writeDatabase(database, readDatabase(source), { isReplacing: true });
  expect((await sql`select * from theirs`.execute(database.db)).rows).toEqual([{ words: "keep me" }]);
  const last = (await collect(readDatabase(database))).at(-1);
  expect(last?.kind === "end" && Object.keys(last.tallies)).not.toContain("theirs");
  await database.close();
});
