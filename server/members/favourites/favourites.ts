import { type Selectable, sql } from "kysely";

import { type ItemKind, itemKey, type ItemRef } from "../../content/catalogue/kinds.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { Schema } from "../../platform/database/schema.ts";

/** Saving and removing name the wanted state, and do not toggle it: a repeat changes nothing. */
export type Favourites = ReturnType<typeof createFavourites>;

/** `unavailable`: the provider did not answer, and may have saved it or not. */
export type ToggleResult = { ok: true } | { ok: false; reason: "unavailable" };

export type Favourite = ItemRef & { savedAt: Date };

/** Pages count from 1. `except`: ids of items that are shown elsewhere. */
export type PageQuery = { page: number; size: number; except?: number[] };

export type FavouritesPage = { itemIds: number[]; total: number };

/** Enough to find one that exists and is not shown already. */
export const NEWEST = 8;

/** Far fewer parameters than a statement may have. */
const ROWS_AT_ONCE = 500;

export function createFavourites({ db, clock }: Context) {
  return {
    async save(memberId: number, { kind, id }: ItemRef): Promise<ToggleResult> {
      await db
        .insertInto("favourites")
        .values({ memberId, kind, itemId: id, savedAt: clock() })
        .onConflict((conflict) => conflict.columns(["memberId", "kind", "itemId"]).doNothing())
        .execute();
      return { ok: true };
    },

    /** Imports favourites, the newest first; answers how many are new. */
    async bring(memberId: number, items: ItemRef[], trx: Queries): Promise<number> {
      if (items.length === 0) return 0;
      const now = clock().getTime();
      const rows = items.map(({ kind, id }, place) => ({ memberId, kind, itemId: id, savedAt: new Date(now - place) }));
      const added = await trx
        .insertInto("favourites")
        .values(rows)
        .onConflict((conflict) => conflict.columns(["memberId", "kind", "itemId"]).doNothing())
        .returning("itemId")
        .execute();
      return added.length;
    },

    async remove(memberId: number, { kind, id }: ItemRef): Promise<ToggleResult> {
      await db
        .deleteFrom("favourites")
        .where("memberId", "=", memberId)
        .where("kind", "=", kind)
        .where("itemId", "=", id)
        .execute();
      return { ok: true };
    },

    /** The newest first, with the number of all. */
    async findPage(memberId: number, kind: ItemKind, { page, size, except = [] }: PageQuery): Promise<FavouritesPage> {
      const ofKind = db.selectFrom("favourites").where("memberId", "=", memberId).where("kind", "=", kind);
      const ofMember = except.length === 0 ? ofKind : ofKind.where("itemId", "not in", except);
      const rows = await ofMember
        .select("itemId")
        .orderBy("savedAt", "desc")
        .orderBy("itemId", "desc")
        .limit(size)
        .offset((page - 1) * size)
        .execute();
      const { total } = await ofMember.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      return { itemIds: rows.map((row) => row.itemId), total };
    },

    /** A favourite of both accounts keeps the target's time. */
    move: (move: { from: number; to: number }, trx: Queries) => moveFavourites(trx, move),

    /** `itemKey`s, the newest first. The cost grows with `items`, not with the favourites. */
    listFavourited: async (memberId: number, items: ItemRef[]): Promise<string[]> =>
      items.length === 0 ? [] : listFavourited(db, { memberId, items }),

    /** The `NEWEST` of all kinds, the newest first. */
    listNewest: (memberId: number): Promise<Favourite[]> => selectNewest(db, { memberId }).then(toFavourites),

    /** The newest first, for the export of a member's data. */
    listFor: (memberId: number): Promise<Favourite[]> => newestFirst(db, memberId).execute().then(toFavourites),
  };
}

async function moveFavourites(trx: Queries, { from, to }: { from: number; to: number }): Promise<void> {
  const rows = await trx.deleteFrom("favourites").where("memberId", "=", from).returningAll().execute();
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const some = rows.slice(first, first + ROWS_AT_ONCE).map((row) => Object.assign(row, { memberId: to }));
    await trx
      .insertInto("favourites")
      .values(some)
      .onConflict((conflict) => conflict.columns(["memberId", "kind", "itemId"]).doNothing())
      .execute();
  }
}

function newestFirst(db: Queries, memberId: number) {
  return db
    .selectFrom("favourites")
    .select(["kind", "itemId", "savedAt"])
    .where("memberId", "=", memberId)
    .orderBy("savedAt", "desc")
    .orderBy("itemId", "desc");
}

const selectNewest = prepareQuery((db, { memberId }: { memberId: number }) => newestFirst(db, memberId).limit(NEWEST));

type Saved = Pick<Selectable<Schema["favourites"]>, "kind" | "itemId" | "savedAt">;

function toFavourites(rows: Saved[]): Favourite[] {
  return rows.map((row) => ({ kind: row.kind, id: row.itemId, savedAt: row.savedAt }));
}

async function listFavourited(db: Queries, { memberId, items }: { memberId: number; items: ItemRef[] }) {
  // A page may show an item twice.
  const shown = [...new Map(items.map((item) => [itemKey(item), item])).values()];
  const [kinds, ids] = [shown.map(({ kind }) => kind), shown.map(({ id }) => id)];
  const saved = toFavourites(await selectSaved(db, { memberId, kinds, ids }));
  return saved.toSorted((a, b) => b.savedAt.getTime() - a.savedAt.getTime() || b.id - a.id).map(itemKey);
}

type Sought = { memberId: number; kinds: ItemKind[]; ids: number[] };

/**
 * Looks up each item by the key. SQLite would scan all favourites of a member for a list of items or for another join:
 * only a cross join keeps the order.
 */
const selectSaved = prepareQuery((db, { memberId, kinds, ids }: Sought) => {
  const shown = sql.join(ids.map((id, at) => sql`(cast(${kinds[at]} as text), cast(${id} as integer))`));
  const query = sql<Saved>`
    select saved.kind, saved.item_id, saved.saved_at from (values ${shown}) as shown cross join favourites as saved
    where saved.member_id = ${memberId} and saved.kind = shown.column1 and saved.item_id = shown.column2`;
  return { compile: () => query.compile(db) };
});
