import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";

import { openLine } from "../faults/line.ts";
import { openApp } from "../helpers/app.ts";
import { createPostgresDatabase, startPostgres } from "../helpers/postgres-server.ts";
import type { Database, Queries } from "../../server/platform/database/database.ts";
import { answersInTime, openDatabase } from "../../server/platform/database/open-database.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";

async function openOwn(): Promise<Database & AsyncDisposable & { url: string }> {
  const url = await createPostgresDatabase(inject("postgresUrl"));
  const database = await openDatabase({ kind: "postgres", url, poolSize: 4 });
  return { ...database, url, [Symbol.asyncDispose]: () => database.close() };
}

const count = (db: Queries, key: string) =>
  db
    .insertInto("rateLimits")
    .values({ key, attempts: 1, expiresAt: new Date("2030") })
    .execute();
const listKeys = async (db: Queries) =>
  (await db.selectFrom("rateLimits").select("key").orderBy("key").execute()).map(({ key }) => key);

async function readPid(db: Queries): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

test("a restart of the database causes errors only while it is away", async () => {
  const server = await startPostgres();
  const url = await createPostgresDatabase(server.url);
  const database = await openDatabase({ kind: "postgres", url, poolSize: 4 });
  await using app = await openApp({ engine: "postgres", database });
  const { accounts, outbox } = app.services;
  const join = (email: string) =>
    accounts.register({ email, firstName: "Ada", lastName: "L", accountType: "individual", password: "moss-lantern" });
  await Promise.all(["a@x.example", "b@x.example", "c@x.example", "d@x.example"].map(join));

  await server.restart(async () => {
    await expect(join("away@x.example")).rejects.toThrow();
    expect(await answersInTime(database)).toBe(false);
    expect(await app.services.jobs.run("send-mail")).toBe("failed");
  });
  expect(await answersInTime(database)).toBe(true);
  const joined = await Promise.all(["e@x.example", "f@x.example", "g@x.example", "h@x.example"].map(join));
  expect(joined.every((member) => member !== undefined)).toBe(true);
  expect(await accounts.findByEmail("away@x.example")).toBeUndefined();
  expect(await accounts.findByEmail("a@x.example")).toBeDefined();
  expect(await app.services.jobs.run("send-mail")).toBe("done");
  expect(await outbox.list({ limit: 1 })).toEqual([]);
  await app.services.close();
  await server.stop();
});

describe("a connection that is ended in the middle of a transaction", () => {
  test("between two statements rolls back and affects no other transaction", async () => {
    await using own = await openOwn();
    const work = own.db.transaction().execute(async (trx) => {
      await count(trx, "half");
      const pid = await readPid(trx);
      await sql`select pg_terminate_backend(${pid}, 5000)`.execute(own.db);
      await count(trx, "other half");
    });
    await expect(work).rejects.toThrow(/terminat/i);
    await Promise.all(["1", "2", "3", "4", "5"].map((key) => count(own.db, key)));
    expect(await listKeys(own.db)).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("while a statement runs does too", async () => {
    await using own = await openOwn();
    const started = Promise.withResolvers<number>();
    const work = own.db.transaction().execute(async (trx) => {
      await count(trx, "half");
      started.resolve(await readPid(trx));
      // Ended at once; the server has no other statement that runs until it is ended.
      await sql`select pg_sleep(9)`.execute(trx);
    });
    const endIt = async () => sql`select pg_terminate_backend(${await started.promise}, 5000)`.execute(own.db);
    await Promise.all([expect(work).rejects.toThrow(/terminat/i), endIt()]);
    expect(await listKeys(own.db)).toEqual([]);
  });
});

test("queries to a silent database time out, and its connections are not reused", async () => {
  const url = new URL(await createPostgresDatabase(inject("postgresUrl")));
  await using line = await openLine(Number(url.port));
  url.port = String(line.port);
  // By the real clock: the driver measures a silence with timers of its own, among those of the sockets.
  const database = openPostgres({ url: url.href, poolSize: 2, silenceLimitInMs: 1000 });
  await sql`create table migrations (name text)`.execute(database.db);
  expect(await answersInTime(database)).toBe(true);
  line.silence();
  expect(await answersInTime(database, 100)).toBe(false);
  await expect(database.db.transaction().execute((trx) => readPid(trx))).rejects.toThrow();
  await expect(readPid(database.db)).rejects.toThrow();
  await line.mend();
  const pids = await Promise.all(Array.from({ length: 6 }, () => readPid(database.db)));
  expect(pids.every((pid) => pid > 0)).toBe(true);
  expect(await answersInTime(database)).toBe(true);
  await database.close();
});

test("a pool whose connections were all cut opens new ones", async () => {
  const url = new URL(await createPostgresDatabase(inject("postgresUrl")));
  await using line = await openLine(Number(url.port));
  url.port = String(line.port);
  const { db, close } = openPostgres({ url: url.href, poolSize: 2 });
  await Promise.all([readPid(db), readPid(db)]);
  await line.shut();
  await line.mend();
  await expect.poll(() => readPid(db).catch(() => 0)).toBeGreaterThan(0);
  await close();
});

test("two transactions that deadlock both complete", async () => {
  await using own = await openOwn();
  await Promise.all([count(own.db, "a"), count(own.db, "b")]);
  const met = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const add = async (order: [string, string], me: number) =>
    own.db.transaction().execute(async (trx) => {
      for (const [step, key] of order.entries()) {
        const more = { attempts: sql<number>`attempts + 1` };
        await trx.updateTable("rateLimits").set(more).where("key", "=", key).execute();
        if (step > 0) continue;
        met[me]?.resolve();
        await Promise.all(met.map(({ promise }) => promise));
      }
    });
  await Promise.all([add(["a", "b"], 0), add(["b", "a"], 1)]);
  const rows = await own.db.selectFrom("rateLimits").select("attempts").execute();
  expect(rows).toEqual([{ attempts: 3 }, { attempts: 3 }]);
});

test("a failed statement is tried once, and the connection is kept", async () => {
  await using own = await openOwn();
  const { db, close } = openPostgres({ url: own.url, poolSize: 1 });
  const pid = await readPid(db);
  let tries = 0;
  const work = db.transaction().execute(async (trx) => {
    tries += 1;
    await count(trx, "same");
    await count(trx, "same");
  });
  await expect(work).rejects.toMatchObject({ code: "23505" });
  expect(tries).toBe(1);
  expect(await readPid(db)).toBe(pid);
  await close();
});

test("transactions have time limits, and leave no setting behind", async () => {
  await using own = await openOwn();
  const { db, close } = openPostgres({ url: own.url, poolSize: 1 });
  const show = async (queries: Queries) => {
    const { rows } = await sql<{ statement: string; idle: string }>`
      select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`.execute(queries);
    return rows[0];
  };
  expect(await db.transaction().execute(show)).toEqual({ statement: "10s", idle: "20s" });
  expect(await show(db)).toEqual({ statement: "0", idle: "0" });
  await close();
});

test("a migration and a restore may take an hour for a statement", async () => {
  await using own = await openOwn();
  const { db, close } = openPostgres({ url: own.url, poolSize: 1, isPatient: true });
  const limit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`;
  const { rows } = await db.transaction().execute((trx) => limit.execute(trx));
  expect(rows).toEqual([{ limit: "1h" }]);
  await close();
});

test("a connection starts without parameters that PgBouncer refuses", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { db, close } = openPostgres({ url: `postgres://ada:secret@127.0.0.1:${port}/dormouse`, poolSize: 1 });
  const pid = readPid(db).catch(() => 0);
  const [socket] = (await once(server, "connection")) as [Socket];
  const [packet] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  await pid;
  const words = packet.subarray(8).toString().split("\0");
  const names = words.filter((word, index) => index % 2 === 0 && word !== "");
  // PgBouncer's own list: the database, the user, and what it tracks for each client.
  const welcome = new Set(["user", "database", "application_name", "client_encoding", "datestyle", "timezone"]);
  expect(names.filter((name) => !welcome.has(name.toLowerCase()))).toEqual([]);
  await close();
  server.close();
});
