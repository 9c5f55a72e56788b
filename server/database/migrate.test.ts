import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { openFolder } from "../../tests/helpers/folder.ts";
import { createPostgresDatabase } from "../../tests/helpers/postgres-server.ts";
import type { Config } from "../config.ts";
import type { Database, Engine, Queries } from "./database.ts";
import { openDatabase } from "./open-database.ts";
import { runMigrations } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";

const run = promisify(execFile);

async function makeConfig(engine: Engine): Promise<{ config: Config["database"] } & AsyncDisposable> {
  if (engine === "postgres") {
    const url = await createPostgresDatabase(inject("postgresUrl"));
    return { config: { kind: "postgres", url, poolSize: 10 }, [Symbol.asyncDispose]: async () => {} };
  }
  const home = await openFolder();
  return { ...home, config: { kind: "sqlite", path: join(home.folder, "deep", "dormouse.sqlite") } };
}

/** Opens and closes the database in a process of its own. */
function openElsewhere(config: Config["database"]): Promise<unknown> {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL("open-database.ts", import.meta.url).href)});
    await (await openDatabase(${JSON.stringify(config)})).close();
  `;
  return run(process.execPath, ["--input-type=module", "--eval", script]);
}

describe.each(engines)("migrations on %s", (engine) => {
  test("six processes that start at once leave one schema", async () => {
    await using made = await makeConfig(engine);
    await Promise.all(Array.from({ length: 6 }, () => openElsewhere(made.config)));
    const { db, close } = await openDatabase(made.config);
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual([...new Set(rows.map(({ name }) => name))]);
    expect(await db.selectFrom("members").selectAll().execute()).toEqual([]);
    await close();
  });

  test("a second start keeps what is there", async () => {
    await using made = await makeConfig(engine);
    const first = await openDatabase(made.config);
    await first.db.insertInto("throttles").values({ key: "k", attempts: 1, expires_at: "2026" }).execute();
    await first.close();
    const second = await openDatabase(made.config);
    expect(await second.db.selectFrom("throttles").select("key").execute()).toHaveLength(1);
    await second.close();
  });

  test("a database of a newer version is refused by name", async () => {
    await using made = await makeConfig(engine);
    const first = await openDatabase(made.config);
    await sql`insert into migrations (name, applied_at) values ('9999-later', '2030')`.execute(first.db);
    await first.close();
    await expect(openDatabase(made.config)).rejects.toThrow("9999-later");
  });

  test("a subscription of any plan fits after the sixteenth, which loses no row, index or reference", async () => {
    await using database = await openTestDatabase(engine);
    const { rows: all } = await sql<{ name: string }>`select name from migrations order by name`.execute(database.db);
    const before = all.map(({ name }) => name).filter((name) => name < "0016");
    await using older = await openEmptyDatabase(engine);
    const { db } = older;
    await db.transaction().execute((trx) => runMigrations({ engine, only: before }, trx));
    await fillSubscriptions(db);
    const read = async () => ({
      rows: (await sql`select * from subscriptions order by id`.execute(db)).rows,
      indexed: (await listIndexedColumns(engine, (query) => query.execute(db))).toSorted(),
    });
    const was = await read();
    expect(was.rows).toHaveLength(2);
    await expect(insertTerm(db, 4)).rejects.toThrow();

    const only = [...before, "0016-plans-outside-the-schema"];
    await db.transaction().execute((trx) => runMigrations({ engine, only }, trx));
    expect(await read()).toEqual(was);
    // The number of the deleted row is not given again.
    expect(await insertTerm(db, 4)).toBeGreaterThan(3);
    await expect(sql`update subscriptions set order_id = 1`.execute(db)).rejects.toThrow();
    await expect(sql`update subscriptions set member_id = 99`.execute(db)).rejects.toThrow();
    await sql`delete from orders`.execute(db);
    const { rows: orders } = await sql`select distinct order_id from subscriptions`.execute(db);
    expect(orders).toEqual([{ order_id: null }]);
    await sql`delete from members`.execute(db);
    expect((await read()).rows).toEqual([]);
  });

  test("every query by member, token or expiry has an index", async () => {
    await using made = await makeConfig(engine);
    const { db, close } = await openDatabase(made.config);
    const indexed = await listIndexedColumns(engine, (query) => query.execute(db));
    for (const column of [
      "members.email_key",
      "sessions.token_hash",
      "sessions.member_id",
      "sessions.expires_at",
      "subscriptions.member_id",
      "throttles.key",
      "throttles.expires_at",
    ]) {
      expect(indexed).toContain(column);
    }
    await close();
  });
});

/** A database that no migration has been at. */
async function openEmptyDatabase(engine: Engine): Promise<Database & AsyncDisposable> {
  const made = await makeConfig(engine);
  const { config } = made;
  const database = config.kind === "sqlite" ? await openSqlite(config.path) : openPostgres(config);
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await made[Symbol.asyncDispose]();
    },
  };
}

/** Two terms of one member, one of them of an order, and a third that was deleted. In SQL: later columns are not there yet. */
async function fillSubscriptions(db: Queries): Promise<void> {
  await sql`insert into members (email, email_key, password_hash, first_name, last_name, account_type, created_at)
      values ('a@b.example', 'a@b.example', 'x', 'Ada', 'Lovell', 'individual', '2026')`.execute(db);
  await sql`insert into orders (account_type, plan_type, amount_in_pence, currency, state, email, first_name, last_name,
      postcode, country, site, created_at, updated_at)
      values ('individual', 1, 1500, 'GBP', 'completed', 'a@b.example', 'Ada', 'Lovell', '', 'GB', '', '2026', '2026')`.execute(
    db,
  );
  await sql`insert into subscriptions (member_id, plan_type, starts_at, ends_at, order_id, revoked_at, reminded_at,
      end_told_at) values (1, 1, '2026', '2027', 1, '2026-02', '2026-03', '2026-04')`.execute(db);
  await insertTerm(db, 3);
  const last = await insertTerm(db, 2);
  await sql`delete from subscriptions where id = ${last}`.execute(db);
}

async function insertTerm(db: Queries, planType: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into subscriptions (member_id, plan_type, starts_at, ends_at)
      values (1, ${planType}, '2027', '2028') returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

type Raw = ReturnType<typeof sql<{ place: string }>>;

/** The first column of each index, as `table.column`. */
async function listIndexedColumns(engine: Engine, execute: (query: Raw) => Promise<{ rows: { place: string }[] }>) {
  const query =
    engine === "sqlite"
      ? sql<{ place: string }>`
          select m.tbl_name || '.' || i.name as place
          from sqlite_master m join pragma_index_info(m.name) i on i.seqno = 0 where m.type = 'index'`
      : sql<{ place: string }>`
          select t.relname || '.' || a.attname as place
          from pg_index x join pg_class t on t.oid = x.indrelid
          join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]`;
  return (await execute(query)).rows.map(({ place }) => place);
}
