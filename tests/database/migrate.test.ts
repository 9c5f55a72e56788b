import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import { addMember, openApp } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { openFolder } from "../helpers/folder.ts";
import { createPostgresDatabase } from "../helpers/postgres-server.ts";
import type { Config } from "../../server/config.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import { runMigrations } from "../../server/platform/database/migrate.ts";
import { openDatabase } from "../../server/platform/database/open-database.ts";

const run = promisify(execFile);

async function makeConfig(engine: Engine): Promise<{ config: Config["database"] } & AsyncDisposable> {
  if (engine === "postgres") {
    const url = await createPostgresDatabase(inject("postgresUrl"));
    return { config: { kind: "postgres", url, poolSize: 10 }, [Symbol.asyncDispose]: async () => {} };
  }
  const home = await openFolder();
  return { ...home, config: { kind: "sqlite", path: join(home.folder, "deep", "dormouse.sqlite") } };
}

/** In another process. */
function openElsewhere(config: Config["database"]): Promise<unknown> {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(new URL("../../server/platform/database/open-database.ts", import.meta.url).href)});
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
    await first.db
      .insertInto("rateLimits")
      .values({ key: "k", attempts: 1, expiresAt: new Date("2026") })
      .execute();
    await first.close();
    const second = await openDatabase(made.config);
    expect(await second.db.selectFrom("rateLimits").select("key").execute()).toHaveLength(1);
    await second.close();
  });

  test("a database of a newer version is refused by name", async () => {
    await using made = await makeConfig(engine);
    const first = await openDatabase(made.config);
    await sql`insert into migrations (name, applied_at) values ('9999-later', '2030')`.execute(first.db);
    await first.close();
    await expect(openDatabase(made.config)).rejects.toThrow("9999-later");
  });

  test("an address that was stored with its domain in ASCII is found in letters, and one that is taken stays", async () => {
    await using app = await openApp({ engine });
    const letters = (name: string) => `${name}@müller.example`;
    const ascii = (name: string) => `${name}@xn--mller-kva.example`;
    for (const name of ["otto", "twin", "emma"]) await addMember(app, { email: letters(name) });
    const rename = (from: string, to: string) =>
      app.db
        .updateTable("members")
        .set({ email: ascii(to), emailKey: ascii(to) })
        .where("email", "=", letters(from))
        .execute();
    await rename("otto", "otto");
    await rename("twin", "emma");
    await sql`delete from migrations where name = '0014-domains-in-letters'`.execute(app.db);
    await app.db.transaction().execute((trx) => runMigrations({ engine }, trx));
    const { rows } = await sql<object>`select email, email_key as key from members order by id`.execute(app.db);
    expect(rows).toEqual([
      { email: letters("otto"), key: letters("otto") },
      { email: letters("emma"), key: ascii("emma") },
      { email: letters("emma"), key: letters("emma") },
    ]);
    expect(await app.services.accounts.search({ search: letters("otto"), size: 5 })).toHaveLength(1);
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
      "rate_limits.key",
      "rate_limits.expires_at",
    ]) {
      expect(indexed).toContain(column);
    }
    await close();
  });
});

type Raw = ReturnType<typeof sql<{ place: string }>>;

/** As `table.column`. */
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
