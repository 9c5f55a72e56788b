import { describe, expect, test } from "vitest";

import { addNamed, openApp } from "../../../tests/helpers/app.ts";
import { engines } from "../../../tests/helpers/databases.ts";
import { itemKey, itemKinds, type ItemRef } from "../../content/items/kinds.ts";
import type { Engine } from "../../platform/database/database.ts";

async function openFavourites(engine: Engine) {
  const app = await openApp({ engine });
  const { favourites } = app.services;
  return { ...app, favourites, ada: await addNamed(app, "Ada"), bo: await addNamed(app, "Bo") };
}

const film: ItemRef = { kind: "watch", id: 2001 };
const films = { kind: "watch", page: 1, size: 100 } as const;

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
    const pages = await favourites.findPages(
      ada,
      [1, 2, 3].map((page) => ({ kind: "read", page, size: 3 })),
    );
    const listed = [[1, 9, 3], [5], []].map((ids) => ids.map((id) => ({ kind: "read", id })));
    expect(pages).toEqual(listed.map((items) => ({ items, total: 4 })));
  });

  test("a page may be of some items alone, or leave some out; each query has its own", async () => {
    await using app = await openFavourites(engine);
    const { favourites, ada, clock } = app;
    for (const kind of itemKinds) {
      await favourites.save(ada, { kind, id: 7 });
      clock.advance(1000);
      await favourites.save(ada, { kind, id: 8 });
      clock.advance(1000);
    }
    const page = { page: 1, size: 10 };
    const some: ItemRef[] = [
      { kind: "watch", id: 7 },
      { kind: "read", id: 8 },
      { kind: "read", id: 9 },
    ];
    const found = await favourites.findPages(ada, [
      { among: [], ...page },
      { among: some, ...page },
      { kind: "watch", except: [7], ...page },
      { among: some, page: 2, size: 1 },
    ]);
    const [first, second] = await favourites.listFavourited(ada, some);
    expect(found.map(({ items, total }) => [items.map(itemKey), total])).toEqual([
      [[], 0],
      [[first, second], 2],
      [["watch-8"], 1],
      [[second], 2],
    ]);
    expect(await favourites.findPages(ada, [])).toEqual([]);
  });

  test("fifty simultaneous changes all succeed, and the next one decides", async () => {
    await using app = await openFavourites(engine);
    const { favourites, ada } = app;
    const changes = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? "save" : "remove"));
    await Promise.all(changes.map((change) => favourites[change](ada, film)));
    await favourites.save(ada, film);
    expect(await favourites.findPages(ada, [films])).toEqual([{ items: [film], total: 1 }]);
    await favourites.remove(ada, film);
    expect(await favourites.findPages(ada, [films])).toEqual([{ items: [], total: 0 }]);
  });
});
