import { type Selectable, sql } from "kysely";

import { type ItemKind, itemKey, type ItemRef } from "../../content/items/kinds.ts";
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
export type PageQuery = { page: number; size: number } & ({ kind: ItemKind; except?: number[] } | { among: ItemRef[] });

export type FavouritesPage = { items: ItemRef[]; total: number };

/** Enough to find one that still exists and is not shown already. */
export const NEWEST = 8;

/** Far fewer parameters than a statement may have. */
const ROWS_AT_ONCE = 500;

export function createFavourites({ db, clock }: Context) {
  return {
    async save(memberId: number, { kind, id }: ItemRef): Promise<ToggleResult> {
      await insertNew(db, [{ memberId, kind, itemId: id, savedAt: clock() }]).execute();
      return { ok: true };
    },

    /** Imports favourites, the newest first; returns how many are new. */
    async importItems(memberId: number, items: ItemRef[], trx: Queries): Promise<number> {
      if (items.length === 0) return 0;
      const now = clock().getTime();
      const rows = items.map(({ kind, id }, place) => ({ memberId, kind, itemId: id, savedAt: new Date(now - place) }));
      return (await insertNew(trx, rows).returning("itemId").execute()).length;
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

    /** A page for each query, the newest first, with the number of all: one statement. */
    findPages: (memberId: number, queries: PageQuery[]): Promise<FavouritesPage[]> => findPages(db, memberId, queries),

    /** A favourite of both accounts keeps the target's time. */
    move: (move: { from: number; to: number }, trx: Queries) => moveFavourites(trx, move),

    /** `itemKey`s, the newest first. The cost grows with `items`, not with the favourites. */
    listFavourited: async (memberId: number, items: ItemRef[]): Promise<string[]> =>
      items.length === 0 ? [] : listFavourited(db, { memberId, items }),

    /** The `NEWEST` of all kinds, the newest first. */
    listNewest: (memberId: number): Promise<Favourite[]> => selectNewest(db, { memberId }).then(toFavourites),

    listFor: (memberId: number): Promise<Favourite[]> => newestFirst(db, memberId).execute().then(toFavourites),
  };
}

/** Those that are there keep their time. */
function insertNew(db: Queries, rows: Selectable<Schema["favourites"]>[]) {
  return db
    .insertInto("favourites")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["memberId", "kind", "itemId"]).doNothing());
}

async function moveFavourites(trx: Queries, { from, to }: { from: number; to: number }): Promise<void> {
  const rows = await trx.deleteFrom("favourites").where("memberId", "=", from).returningAll().execute();
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const some = rows.slice(first, first + ROWS_AT_ONCE).map((row) => Object.assign(row, { memberId: to }));
    await insertNew(trx, some).execute();
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

function listNewest(rows: Saved[]): ItemRef[] {
  const sorted = rows.toSorted((a, b) => b.savedAt.getTime() - a.savedAt.getTime() || b.itemId - a.itemId);
  return sorted.map(({ kind, itemId }) => ({ kind, id: itemId }));
}

async function listFavourited(db: Queries, { memberId, items }: { memberId: number; items: ItemRef[] }) {
  // A page may show an item twice.
  const shown = [...new Map(items.map((item) => [itemKey(item), item])).values()];
  const [kinds, ids] = [shown.map(({ kind }) => kind), shown.map(({ id }) => id)];
  return listNewest(await selectSaved(db, { memberId, kinds, ids })).map(itemKey);
}

async function findPages(db: Queries, memberId: number, queries: PageQuery[]): Promise<FavouritesPage[]> {
  const selects = queries.flatMap((query, index) => selectPage(memberId, query, index));
  if (selects.length === 0) return queries.map(() => ({ items: [], total: 0 }));
  const { rows } = await sql<PageRow>`${sql.join(selects, sql` union all `)}`.execute(db);
  return queries.map((_, index) => {
    const own = rows.filter((row) => row.query === index);
    return { items: listNewest(own.filter(isSaved)), total: own.find(({ total }) => total !== null)?.total ?? 0 };
  });
}

/** A favourite, or the number of all. */
type PageRow = { query: number } & (
  | (Saved & { total: null })
  | ({ [Column in keyof Saved]: null } & { total: number })
);

function isSaved(row: PageRow): row is PageRow & Saved {
  return row.total === null;
}

/** The page, and then the number of all: PostgreSQL takes the types of the columns from the first. */
function selectPage(memberId: number, query: PageQuery, index: number) {
  const { page, size } = query;
  if ("among" in query && query.among.length === 0) return [];
  const saved = "among" in query ? amongItems(memberId, query.among) : ofKind(memberId, query);
  const number = sql.lit(index);
  return [
    sql`
      select ${number} as query, page.*, null as total from (
        ${saved} order by saved.saved_at desc, saved.item_id desc limit ${sql.lit(size)} offset ${(page - 1) * size}) as page`,
    sql`select ${number}, null, null, null, count(*) from (${saved}) as counted`,
  ];
}

function ofKind(memberId: number, { kind, except = [] }: { kind: ItemKind; except?: number[] }) {
  const shown = except.length === 0 ? sql`` : sql`and saved.item_id not in (${sql.join(except)})`;
  return sql<Saved>`
    select saved.kind, saved.item_id, saved.saved_at from favourites as saved
    where saved.member_id = ${memberId} and saved.kind = ${kind} ${shown}`;
}

/**
 * Looks up each item by the key. SQLite would scan all favourites of a member for a list of items or for another join:
 * only a cross join keeps the order.
 */
function amongItems(memberId: number, items: ItemRef[]) {
  const shown = sql.join(items.map(({ kind, id }) => sql`(cast(${kind} as text), cast(${id} as integer))`));
  return sql<Saved>`
    select saved.kind, saved.item_id, saved.saved_at from (values ${shown}) as shown cross join favourites as saved
    where saved.member_id = ${memberId} and saved.kind = shown.column1 and saved.item_id = shown.column2`;
}

type Sought = { memberId: number; kinds: ItemKind[]; ids: number[] };

const selectSaved = prepareQuery((db, { memberId, kinds, ids }: Sought) => {
  const items = ids.map((id, at) => ({ kind: kinds[at] as ItemKind, id }));
  return { compile: () => amongItems(memberId, items).compile(db) };
});
