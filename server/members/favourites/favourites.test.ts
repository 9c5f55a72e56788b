import { describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { itemKinds, type ItemRef } from "../../content/catalogue/kinds.ts";
import type { Engine } from "../../platform/database/database.ts";

async function openFavourites(engine: Engine) {
  const app = await openApp({ engine });
  const { favourites } = app.services;
  return { ...app, favourites, ada: await addNamed(app, "Ada"), bo: await addNamed(app, "Bo") };
}

const film: ItemRef = { kind: "watch", id: 2001 };
const all = { page: 1, size: 100 };

describe.each(engines)("favourites on %s", (engine) => {
  // The tables list the kinds too: a new kind needs a migration.
  test("an item of every kind can be a favourite, and have a position", async () => {
    await using app = await openFavourites(engine);
    for (const kind of itemKinds) {
      expect(await app.favourites.save(app.ada, { kind, id: 7 })).toEqual({ ok: true });
      expect(await app.services.positions.noteOpened(app.ada, { kind, id: 7 })).toEqual({ ok: true, isOn: true });
    }
  });

  test("are separate for each member and each kind of item", async () => {
    await using app = await openFavourites(engine);
    const { favourites, ada, bo } = app;
    const article: ItemRef = { kind: "read", id: 2001 };
    for (const item of [film, article]) await favourites.save(ada, item);
    await favourites.remove(bo, film);
    expect(await favourites.listFavourited(bo, [film])).toEqual([]);
    const listed = await favourites.listFavourited(ada, [film, article, { kind: "learn", id: 2001 }]);
    expect(listed.toSorted()).toEqual(["read-2001", "watch-2001"]);
    expect(await favourites.listFavourited(ada, [])).toEqual([]);
    await favourites.remove(ada, film);
    expect(await favourites.listFavourited(ada, [film, article])).toEqual(["read-2001"]);
  });

  test("the newest saved comes first, page by page; saving again does not move it", async () => {
    await using app = await openFavourites(engine);
    const { favourites, ada, clock } = app;
    for (const id of [5, 3, 9, 1]) {
      await favourites.save(ada, { kind: "read", id });
      clock.advance(1000);
    }
    await favourites.save(ada, { kind: "read", id: 5 });
    for (const [index, itemIds] of [[1, 9, 3], [5], []].entries()) {
      expect(await favourites.findPage(ada, "read", { page: index + 1, size: 3 })).toEqual({ itemIds, total: 4 });
    }
  });

  test("fifty simultaneous changes all succeed, and the next one decides", async () => {
    await using app = await openFavourites(engine);
    const { favourites, ada } = app;
    const changes = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? "save" : "remove"));
    await Promise.all(changes.map((change) => favourites[change](ada, film)));
    await favourites.save(ada, film);
    expect((await favourites.findPage(ada, "watch", all)).total).toBe(1);
    await favourites.remove(ada, film);
    expect((await favourites.findPage(ada, "watch", all)).total).toBe(0);
  });
});
