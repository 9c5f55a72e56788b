import { sql } from "kysely";
import { expect, inject, test } from "vitest";

import type { Member } from "../server/accounts/accounts.ts";
import type { Database } from "../server/database/database.ts";
import { migrate, migrations, runMigrations } from "../server/database/migrate.ts";
import { openPostgres } from "../server/database/postgres.ts";
import { addMember, ada, home, openApp } from "./helpers/app.ts";
import { createPostgresDatabase } from "./helpers/postgres-server.ts";

/*
 * An upgrade with several servers (docs/operating.md, Upgrade): the first new server migrates while old ones answer, and both answer until the
 * last old one is stopped. The old server is this build over the schema of 1.0.0: all that it does there version 1.0.0 did, too.
 */

const FIRST = "0001-first-schema";

/** A PostgreSQL database of version 1.0.0, opened without bringing its schema up to date. */
async function openFirst() {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  const open = (): Database => openPostgres({ url, poolSize: 4 });
  const first = open();
  await first.db.transaction().execute((trx) => runMigrations({ engine: "postgres", only: [FIRST] }, trx));
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

test("no migration takes away or narrows what a server of 1.0.0 reads and writes", async () => {
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
  expect(await countApplied()).toBe(1);

  type Server = Pick<typeof old, "services">;
  const load = new AbortController();
  let next = 1;
  const saved: { memberId: number; itemId: number }[] = [];
  /** A member who logs in and saves an item, again and again, each time over whichever server the balancer gives. */
  async function visit({ services }: Server, { id: memberId, email }: { id: number; email: string }) {
    const itemId = next++;
    const loggedIn = await services.logIn({ email, password: ada.password, address: home.address, userAgent: "" });
    if (!loggedIn.ok) throw new Error(loggedIn.reason);
    expect((await services.sessions.find(loggedIn.session.token))?.memberId).toBe(memberId);
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
  /** As a new server does at its start; then both answer for a while. */
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
  // Both take turns at the work that one does for all.
  expect(await old.services.jobs.run("purge-expired")).toBe("done");
  expect(await fresh.services.jobs.run("purge-expired")).toBe("done");
  expect([...old.log.lines, ...fresh.log.lines].filter(({ level }) => level !== "info")).toEqual([]);
});
