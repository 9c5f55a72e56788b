import { describe, expect, test } from "vitest";

import { engines, openTestDatabase, rollBack } from "../../../tests/helpers/databases.ts";
import { after, DAY_IN_MS } from "../clock.ts";
import type { Queries } from "./database.ts";
import { prepareQuery } from "./prepared-query.ts";

const now = new Date("2026-11-27T03:00:00.000Z");

let builds = 0;
const selectNewer = prepareQuery((db, { since, most, text }: { since: Date; most: number; text: string }) => {
  builds += 1;
  const newer = db.selectFrom("rateLimits").select(["key", "expiresAt"]).where("expiresAt", ">", since);
  return newer.where("key", "!=", text).where("attempts", "=", 1).orderBy("key").limit(most);
});

async function add(db: Queries, key: string, days: number): Promise<void> {
  await db
    .insertInto("rateLimits")
    .values({ key, attempts: 1, expiresAt: after(now, days * DAY_IN_MS) })
    .execute();
}

describe.each(engines)("a prepared query on %s", (engine) => {
  test("is built once, and runs with the values of each call, in a transaction too", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    builds = 0;
    for (const [key, days] of [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ] as const)
      await add(db, key, days);
    const keys = async (on: Queries, given: Partial<{ since: Date; most: number; text: string }> = {}) => {
      const rows = await selectNewer(on, { since: now, most: 9, text: "none", ...given });
      return rows.map(({ key }) => key).join("");
    };

    expect(await keys(db)).toBe("abc");
    expect(await keys(db, { since: after(now, DAY_IN_MS) })).toBe("bc");
    expect(await keys(db, { most: 2 })).toBe("ab");
    expect(await keys(db, { text: "b" })).toBe("ac");
    expect(await keys(db, { text: "' or 1=1" })).toBe("abc");
    await rollBack(db, async (trx) => {
      await add(trx, "d", 4);
      expect(await keys(trx)).toBe("abcd");
    });
    expect(await keys(db)).toBe("abc");
    expect(builds).toBe(1);
  });

  test("takes lists, and is built once for each length", async () => {
    await using database = await openTestDatabase(engine);
    const { db } = database;
    for (const key of ["a", "b", "c"]) await add(db, key, 1);
    let listBuilds = 0;
    const selectListed = prepareQuery((on, { keys, since }: { keys: string[]; since: Date }) => {
      listBuilds += 1;
      const listed = on.selectFrom("rateLimits").select("key").where("key", "in", keys).orderBy("key");
      return listed.where("expiresAt", ">", since);
    });
    const find = async (...keys: string[]) => (await selectListed(db, { keys, since: now })).map(({ key }) => key);
    expect(await find("a", "c")).toEqual(["a", "c"]);
    expect(await find("b", "d")).toEqual(["b"]);
    expect(await find("c", "c", "b")).toEqual(["b", "c"]);
    expect(listBuilds).toBe(2);
  });

  test("maps its rows as other queries do, and belongs to one database", async () => {
    await using first = await openTestDatabase(engine);
    await using second = await openTestDatabase(engine);
    await add(first.db, "a", 1);
    const values = { since: now, most: 1, text: "" };
    expect(await selectNewer(first.db, values)).toEqual([{ key: "a", expiresAt: after(now, DAY_IN_MS) }]);
    expect(await selectNewer(second.db, values)).toEqual([]);
  });
});
