import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import type { Member } from "../server/members/accounts/accounts.ts";
import { readBackupFile } from "../server/platform/database/backup-file.ts";
import { readDatabase, writeDatabase, type BackupRecord } from "../server/platform/database/backup.ts";
import type { Database, Engine, NoteQuery } from "../server/platform/database/database.ts";
import { migrate, migrations, runMigrations } from "../server/platform/database/migrate.ts";
import { openPostgres } from "../server/platform/database/postgres.ts";
import { openSqlite } from "../server/platform/database/sqlite.ts";
import { addMember, ada, openApp } from "./helpers/app.ts";
import { engines, openTestDatabase } from "./helpers/databases.ts";
import { readEverything } from "./helpers/full-database.ts";
import { createPostgresDatabase } from "./helpers/postgres-server.ts";

const FIRST = "0001-first-schema";
const NAMES = "0001-plain-names";

/* `tests/schemas` has a release's schema on each engine, and its backup with rows in every table, from which the
   release is upgraded. */

const schemas = new URL("schemas/", import.meta.url);
const readSchema = (engine: Engine) => readFileSync(new URL(`1.0.0-${engine}.sql`, schemas), "utf8");
const readBackup = () => readBackupFile(fileURLToPath(new URL("1.0.0-backup.gz", schemas)));

/**
 * The SHA-256 of each released migration's files in the order of their names, without comments and imports. A release
 * adds a line; no line changes.
 */
const released: Record<string, { files: string[]; digest: string }> = {
  [FIRST]: {
    files: ["companies", "member-search", "members", "operations", "payments", "sign-up"],
    digest: "75f9c19afa973268ab1744dc0a879afcf2ee8c732a0c91e680822e29acc0e8e6",
  },
};

test.each(Object.entries(released))("the released migration %s is as it was released", (name, { files, digest }) => {
  const hash = createHash("sha256");
  for (const file of [name, ...files.map((each) => `${name}/${each}`)]) {
    const text = readFileSync(new URL(`../server/platform/database/migrations/${file}.ts`, import.meta.url), "utf8");
    // Folders may move: only code counts.
    hash.update(text.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "").replaceAll(/^import .*\n/gm, ""));
  }
  expect(hash.digest("hex")).toBe(digest);
});

/** Without a table. */
async function openEmpty(engine: Engine, noteQuery?: NoteQuery) {
  const database =
    engine === "sqlite"
      ? await openSqlite(":memory:", { noteQuery })
      : openPostgres({ url: await createPostgresDatabase(inject("postgresUrl")), poolSize: 4, noteQuery });
  return { ...database, [Symbol.asyncDispose]: () => database.close() };
}

/** As 1.0.0 left it, with rows in every table. */
async function openReleased(engine: Engine) {
  const database = await openEmpty(engine);
  await database.db.transaction().execute(async (trx) => {
    // A trigger has semicolons of its own.
    for (const statement of readSchema(engine).split(/;\n(?:\n|$)/))
      if (statement) await sql.raw(statement).execute(trx);
    await sql`create table migrations (name text primary key, applied_at text not null)`.execute(trx);
    await sql`insert into migrations values (${FIRST}, '2026-11-26T16:14:17.000Z')`.execute(trx);
    let table = { name: "", columns: [] as string[] };
    for await (const part of readBackup()) {
      if (part.kind === "table") table = part;
      if (part.kind !== "rows") continue;
      for (const row of part.rows) {
        const cells = row.map((cell) =>
          cell !== null && typeof cell === "object" ? Buffer.from(cell.base64, "base64") : cell,
        );
        const columns = sql.join(table.columns.map((column) => sql.ref(column)));
        await sql`insert into ${sql.table(table.name)} (${columns}) values (${sql.join(cells)})`.execute(trx);
      }
    }
  });
  return database;
}

/** In 1.0.0's backup, by table. */
async function countRows(records: AsyncIterable<BackupRecord>) {
  let tallies: Record<string, { rows: number }> = {};
  for await (const part of records) if (part.kind === "end") ({ tallies } = part);
  return Object.fromEntries(Object.entries(tallies).map(([name, { rows }]) => [name, rows]));
}

/** Since 1.0.0. */
const renamed: Record<string, string> = {
  letters: "emails",
  notices: "webhook_events",
  notice_cursors: "webhook_cursors",
  task_leases: "job_leases",
  demo_notices: "demo_webhook_events",
  admissions: "provider_sign_ups",
  throttles: "rate_limits",
};

async function listIndexes({ db, engine }: Database): Promise<string[]> {
  const names =
    engine === "postgres"
      ? sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = current_schema()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'index'`;
  return (await names.execute(db)).rows.map(({ name }) => name).toSorted();
}

describe.each(engines)("1.0.0 on %s", (engine) => {
  test("has the schema that its migration makes today", async () => {
    const run: string[] = [];
    await using database = await openEmpty(engine, ({ sql: text }) => run.push(text));
    await database.db.transaction().execute((trx) => runMigrations({ engine, only: [FIRST] }, trx));
    const isOwn = (text: string) => !/^(?:begin|commit|select|insert into migrations|create table if)/.test(text);
    const bare = (text: string) => text.replaceAll(/\s+/g, " ").trim();
    expect(bare(`${run.filter(isOwn).join("; ")};`)).toBe(bare(readSchema(engine).replace(/^--.*$/m, "")));
  });

  test("is upgraded with every row, and its backup is restored to the same", async () => {
    await using upgraded = await openReleased(engine);
    await migrate(upgraded);
    await using restored = await openTestDatabase(engine);
    await writeDatabase(restored, readBackup());
    const everything = await readEverything(upgraded);
    expect(await readEverything(restored)).toEqual(everything);
    for (const [name, rows] of Object.entries(await countRows(readBackup()))) {
      expect(everything[renamed[name] ?? name]?.length, name).toBe(rows);
      expect(rows, name).toBeGreaterThan(0);
    }
    expect(Object.keys(everything).filter((name) => name in renamed)).toEqual([]);
  });

  test("has the passkeys of its operators where those of members are", async () => {
    await using upgraded = await openReleased(engine);
    await migrate(upgraded);
    const { db } = upgraded;
    const before = await db.selectFrom("operatorPasskeys").selectAll().orderBy("id").execute();
    const members = { memberId: null, isSynced: null, isBackedUp: null };
    expect(before.length).toBeGreaterThan(0);
    expect(await db.selectFrom("passkeys").selectAll().orderBy("id").execute()).toEqual(
      before.map((row) => Object.assign(row, members)),
    );
  });

  test("takes a kind of items that it did not know, and has the indexes of a new database", async () => {
    await using upgraded = await openReleased(engine);
    await migrate(upgraded);
    const member = sql`select min(id) from members`;
    for (const statement of [
      sql`insert into favourites values ((${member}), 'course', 1, '2026-11-26T16:14:17.000Z')`,
      sql`insert into nights values ((${member}), 'sleep', 'course', 1, 'opened')`,
      sql`update positions set kind = 'course'`,
    ])
      await statement.execute(upgraded.db);
    await using made = await openTestDatabase(engine);
    expect(await listIndexes(upgraded)).toEqual(await listIndexes(made));
  });

  test("a backup of a version between it and the next, which had the new names without their migration, is restored", async () => {
    await using database = await openTestDatabase(engine);
    await database.db
      .insertInto("rateLimits")
      .values({ key: "k", attempts: 1, expiresAt: new Date("2030") })
      .execute();
    await sql`delete from migrations where name = ${NAMES}`.execute(database.db);
    await using restored = await openTestDatabase(engine);
    await writeDatabase(restored, readDatabase(database));
    expect(await readEverything(restored)).toEqual(await readEverything(database));
    await migrate(database);
    expect(await database.db.selectFrom("rateLimits").select("key").execute()).toEqual([{ key: "k" }]);
  });
});

/* An upgrade with several servers (docs/operating/data.md): the first new server migrates while old ones run, until
   the last old one is stopped. The old server is this build over the first tables and their names, as in the release
   after 1.0.0. */

/** PostgreSQL with the first tables, without later migrations. */
async function openFirst() {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  const open = (): Database => openPostgres({ url, poolSize: 4 });
  const first = open();
  await first.db.transaction().execute((trx) => runMigrations({ engine: "postgres", only: [FIRST, NAMES] }, trx));
  return { first, open };
}

type Column = { table: string; name: string; type: string; isNullable: string; default: string | null };

async function listColumns({ db }: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`select table_name as "table", column_name as name, data_type as type,
    is_nullable as is_nullable, column_default as default from information_schema.columns where table_schema = 'public'`.execute(
    db,
  );
  return rows;
}

test("no migration after the names takes away or narrows what an older server reads and writes", async () => {
  const { first } = await openFirst();
  const before = await listColumns(first);
  await migrate(first);
  const after = await listColumns(first);
  const now = new Map(after.map((column) => [`${column.table}.${column.name}`, column]));
  expect(before.length).toBeGreaterThan(150);
  for (const column of before) expect(now.get(`${column.table}.${column.name}`)).toEqual(column);

  // An old server leaves the new columns of its tables out.
  const tables = new Set(before.map(({ table }) => table));
  const known = new Set(before.map(({ table, name }) => `${table}.${name}`));
  const added = after.filter(({ table, name }) => tables.has(table) && !known.has(`${table}.${name}`));
  expect(added.length).toBeGreaterThan(0);
  expect(added.filter((column) => column.isNullable === "NO" && column.default === null)).toEqual([]);
  await first.close();
});

test("an old and a new server answer side by side while the schema changes, and nothing is lost", async () => {
  const { first, open } = await openFirst();
  await using old = await openApp({ database: first });
  const members: Member[] = [];
  for (let number = 1; number <= 4; number += 1) {
    members.push(await addMember(old, { email: `member-${number}@dormouse.example` }));
  }
  const countApplied = async () =>
    (await sql<{ name: string }>`select name from migrations order by name`.execute(first.db)).rows.length;
  expect(await countApplied()).toBe(2);

  type Server = Pick<typeof old, "services">;
  const load = new AbortController();
  let next = 1;
  const saved: { memberId: number; itemId: number }[] = [];
  /**
   * A member logs in and saves an item repeatedly, at random servers. The session begins without a proof, whose columns
   * no old server knows.
   */
  async function visit({ services }: Server, { id: memberId, email }: { id: number; email: string }) {
    const itemId = next++;
    expect((await services.accounts.findMemberByPassword(email, ada.password))?.id).toBe(memberId);
    const { token } = await services.sessions.start(memberId, { userAgent: "" });
    expect((await services.sessions.find(token))?.memberId).toBe(memberId);
    await services.favourites.save(memberId, { kind: "read", id: itemId });
    saved.push({ memberId, itemId });
  }
  async function keepVisiting(server: Server) {
    let count = 0;
    while (!load.signal.aborted) {
      await Promise.all(members.map((member) => visit(server, member)));
      count += 1;
    }
    return count;
  }

  const second = open();
  /** As a new server starts; then both run for a while. */
  async function startNew() {
    await migrate(second);
    expect(await countApplied()).toBe(migrations.length);
    const server = await openApp({ database: second });
    const counted = keepVisiting(server);
    await expect.poll(() => saved.length, { timeout: 60_000 }).toBeGreaterThan(20);
    load.abort();
    return { server, count: await counted };
  }
  const [oldCount, { server: fresh, count }] = await Promise.all([keepVisiting(old), startNew()]);
  await using _ = fresh;
  expect(Math.min(oldCount, count)).toBeGreaterThan(0);

  const rows = await second.db.selectFrom("favourites").select(["memberId", "itemId"]).orderBy("itemId").execute();
  expect(rows).toEqual(saved.toSorted((one, other) => one.itemId - other.itemId));
  // Both compete for the shared jobs.
  expect(await old.services.jobs.run("purge-expired")).toBe("done");
  expect(await fresh.services.jobs.run("purge-expired")).toBe("done");
  expect([...old.log.lines, ...fresh.log.lines].filter(({ level }) => level !== "info")).toEqual([]);
});
