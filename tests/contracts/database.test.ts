import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { isUniqueViolation } from "../../server/platform/database/faults.ts";
import { engines, openTestDatabase } from "../helpers/databases.ts";

/** Services rely on this behaviour of both engines. Their own tests run on both. */
describe.each(engines)("%s", (engine) => {
  const row = { attempts: 1, expiresAt: new Date("2026-11-20T03:00:00.000Z") };

  test("counts, sums and numbers of rows are numbers, and an instant is a Date in a row and ISO text in the database", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    await db
      .insertInto("rateLimits")
      .values([
        { ...row, key: "a" },
        { ...row, key: "b" },
      ])
      .execute();
    const { rows } = await sql<Record<string, unknown>>`
      select count(*) as count, sum(attempts) as sum, max(expires_at) as last from rate_limits`.execute(db);
    expect(rows[0]).toMatchObject({ count: 2, sum: 2, last: "2026-11-20T03:00:00.000Z" });
    const at = new Date("2026-11-20T03:00:00.000Z");
    const entry = { at, operator: "o", action: "a", facts: "{}" };
    expect(await db.insertInto("audit").values(entry).returning(["id", "at"]).executeTakeFirst()).toEqual({
      id: 1,
      at,
    });
  });

  test("a text is kept and looked up without NUL, which one engine does not take", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    await db
      .insertInto("rateLimits")
      .values({ ...row, key: "a\0b\0" })
      .execute();
    const found = await db.selectFrom("rateLimits").select("key").where("key", "=", "\0ab").executeTakeFirst();
    expect(found).toEqual({ key: "ab" });
  });

  test("one of ten simultaneous inserts of the same row wins, and the others report the conflict", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    const tries = Array.from({ length: 10 }, () =>
      db
        .insertInto("rateLimits")
        .values({ ...row, key: "k" })
        .execute(),
    );
    const results = await Promise.allSettled(tries);
    const lost = results.filter((result) => result.status === "rejected");
    expect(lost).toHaveLength(9);
    for (const { reason } of lost) expect(isUniqueViolation(reason)).toBe(true);
  });

  test("one of ten conditional updates of a row wins", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    await db
      .insertInto("rateLimits")
      .values({ ...row, key: "k" })
      .execute();
    const claims = await Promise.all(
      Array.from({ length: 10 }, () =>
        db
          .updateTable("rateLimits")
          .set({ attempts: 2 })
          .where("key", "=", "k")
          .where("attempts", "=", 1)
          .executeTakeFirst(),
      ),
    );
    expect(claims.reduce((sum, { numUpdatedRows }) => sum + numUpdatedRows, 0n)).toBe(1n);
  });

  test("the schema refuses an unknown member, an invalid state, a seat too many and a missing value", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    const seats = { products: "117", seats: 1, startsAt: new Date(0), createdAt: new Date(0) };
    const forbidden = [
      db
        .insertInto("favourites")
        .values({ memberId: 9, kind: "watch", itemId: 1, savedAt: new Date(0) })
        .execute(),
      db
        .insertInto("favourites")
        .values({ memberId: 9, kind: "hear" as "watch", itemId: 1, savedAt: new Date(0) })
        .execute(),
      db
        .insertInto("codes")
        .values({ ...seats, code: "A", codeKey: "a", seatsTaken: 2 })
        .execute(),
      db
        .insertInto("rateLimits")
        .values({ ...row, key: "k", attempts: null as unknown as number })
        .execute(),
    ];
    for (const result of await Promise.allSettled(forbidden)) expect(result.status).toBe("rejected");
    expect(await db.selectFrom("codes").selectAll().execute()).toEqual([]);
  });

  test("a failed transaction is rolled back, and the next one works", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    const failing = db.transaction().execute(async (trx) => {
      await trx
        .insertInto("rateLimits")
        .values({ ...row, key: "k" })
        .execute();
      await trx
        .insertInto("rateLimits")
        .values({ ...row, key: "k" })
        .execute();
    });
    await expect(failing).rejects.toThrow();
    await db.transaction().execute((trx) =>
      trx
        .insertInto("rateLimits")
        .values({ ...row, key: "k" })
        .execute(),
    );
    expect(await db.selectFrom("rateLimits").select("key").execute()).toEqual([{ key: "k" }]);
  });

  test("ids of deleted rows are not reused", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    const entry = { at: new Date(0), operator: "o", action: "a", facts: "{}" };
    await db.insertInto("audit").values([entry, entry]).execute();
    await db.deleteFrom("audit").execute();
    expect(await db.insertInto("audit").values(entry).returning("id").executeTakeFirst()).toEqual({ id: 3 });
  });
});
