import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestAccounts } from "../../tests/helpers/test-accounts.ts";
import { createTestContext } from "../../tests/helpers/test-context.ts";
import type { Engine } from "../database/database.ts";
import { createFavourites, type ItemRef } from "./favourites.ts";

async function openApp(engine: Engine) {
  const database = await openTestDatabase(engine);
  const ctx = createTestContext(database.db);
  const { accounts } = createTestAccounts(ctx);
  const register = async (name: string) => {
    const details = { firstName: name, lastName: "L", accountType: "individual", password: "sleep-well" } as const;
    const member = await accounts.register({ ...details, email: `${name}@dormouse.example` });
    return member?.id ?? 0;
  };
  const favourites = createFavourites(ctx);
  return { ...database, clock: ctx.clock, favourites, ada: await register("ada"), bo: await register("bo") };
}

const film: ItemRef = { kind: "watch", id: 2001 };
const all = { page: 1, size: 100 };

describe.each(engines)("favourites on %s", (engine) => {
  test("what is saved is kept, once, and what is removed is gone", async () => {
    await using app = await openApp(engine);
    const { favourites, ada } = app;
    await favourites.save(ada, film);
    await favourites.save(ada, film);
    expect(await favourites.findPage(ada, "watch", all)).toEqual({ itemIds: [2001], total: 1 });
    await favourites.remove(ada, film);
    await favourites.remove(ada, film);
    expect(await favourites.findPage(ada, "watch", all)).toEqual({ itemIds: [], total: 0 });
  });

  test("each member keeps their own, and each kind its own numbers", async () => {
    await using app = await openApp(engine);
    const { favourites, ada, bo } = app;
    await favourites.save(ada, film);
    await favourites.save(ada, { kind: "read", id: 2001 });
    await favourites.remove(bo, film);
    expect(await favourites.listFavourited(bo, [film])).toEqual([]);
    expect(
      await favourites.listFavourited(ada, [film, { kind: "read", id: 2001 }, { kind: "learn", id: 2001 }]),
    ).toEqual(expect.arrayContaining(["watch-2001", "read-2001"]));
    expect(await favourites.listFavourited(ada, [])).toEqual([]);
  });

  test("the newest saved comes first, page by page; saving again does not move it", async () => {
    await using app = await openApp(engine);
    const { favourites, ada, clock } = app;
    for (const id of [5, 3, 9, 1]) {
      await favourites.save(ada, { kind: "read", id });
      clock.advance(1000);
    }
    await favourites.save(ada, { kind: "read", id: 5 });
    expect(await favourites.findPage(ada, "read", { page: 1, size: 3 })).toEqual({ itemIds: [1, 9, 3], total: 4 });
    expect(await favourites.findPage(ada, "read", { page: 2, size: 3 })).toEqual({ itemIds: [5], total: 4 });
    expect(await favourites.findPage(ada, "read", { page: 3, size: 3 })).toEqual({ itemIds: [], total: 4 });
  });

  test.each(["save", "remove"] as const)(
    "fifty wishes at once, the last of them to %s: that is what stands",
    async (last) => {
      await using app = await openApp(engine);
      const { favourites, ada } = app;
      const wishes = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0 ? ("save" as const) : ("remove" as const),
      );
      const results = await Promise.allSettled(wishes.map((wish) => favourites[wish](ada, film)));
      expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
      await favourites[last](ada, film);
      const { total } = await favourites.findPage(ada, "watch", all);
      expect(total).toBe(last === "save" ? 1 : 0);
    },
  );

  test("a member who goes takes their favourites along", async () => {
    await using app = await openApp(engine);
    await app.favourites.save(app.ada, film);
    await app.db.deleteFrom("members").where("id", "=", app.ada).execute();
    expect(await app.db.selectFrom("favourites").selectAll().execute()).toEqual([]);
  });
});
