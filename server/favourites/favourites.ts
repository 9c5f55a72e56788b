import { type ItemKind, itemKey, type ItemRef } from "../content/kinds.ts";
import type { Context } from "../context.ts";
import type { Queries } from "../database/database.ts";

/** A member's favourites. Saving and removing name the wanted state instead of toggling it: a repeat changes nothing. */
export type Favourites = ReturnType<typeof createFavourites>;

/** `unavailable`: the provider gave no answer, and may have saved it or not. */
export type ToggleResult = { ok: true } | { ok: false; reason: "unavailable" };

export type Favourite = ItemRef & { savedAt: Date };

/** Pages are counted from 1. */
export type PageOf = { page: number; size: number };

export type FavouritesPage = { itemIds: number[]; total: number };

export function createFavourites({ db, clock }: Context) {
  return {
    async save(memberId: number, { kind, id }: ItemRef): Promise<ToggleResult> {
      await db
        .insertInto("favourites")
        .values({ member_id: memberId, kind, item_id: id, saved_at: clock().toISOString() })
        .onConflict((conflict) => conflict.columns(["member_id", "kind", "item_id"]).doNothing())
        .execute();
      return { ok: true };
    },

    async remove(memberId: number, { kind, id }: ItemRef): Promise<ToggleResult> {
      await db
        .deleteFrom("favourites")
        .where("member_id", "=", memberId)
        .where("kind", "=", kind)
        .where("item_id", "=", id)
        .execute();
      return { ok: true };
    },

    /** One page of a member's favourites of a kind, newest saved first, and how many there are in all. */
    async findPage(memberId: number, kind: ItemKind, { page, size }: PageOf): Promise<FavouritesPage> {
      const ofMember = db.selectFrom("favourites").where("member_id", "=", memberId).where("kind", "=", kind);
      const rows = await ofMember
        .select("item_id")
        .orderBy("saved_at", "desc")
        .orderBy("item_id", "desc")
        .limit(size)
        .offset((page - 1) * size)
        .execute();
      const { total } = await ofMember.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
      return { itemIds: rows.map((row) => row.item_id), total };
    },

    /** Which of these items are a member's favourites, as `itemKey`s. The cost grows with the items asked, not with the favourites. */
    listFavourited: async (memberId: number, items: ItemRef[]): Promise<string[]> =>
      items.length === 0 ? [] : listFavourited(db, { memberId, items }),

    /** All of them, the newest first, for the export of a member's data. */
    async listFor(memberId: number): Promise<Favourite[]> {
      const rows = await db
        .selectFrom("favourites")
        .select(["kind", "item_id", "saved_at"])
        .where("member_id", "=", memberId)
        .orderBy("saved_at", "desc")
        .orderBy("item_id", "desc")
        .execute();
      return rows.map((row) => ({ kind: row.kind, id: row.item_id, savedAt: new Date(row.saved_at) }));
    },
  };
}

async function listFavourited(db: Queries, { memberId, items }: { memberId: number; items: ItemRef[] }) {
  const rows = await db
    .selectFrom("favourites")
    .select(["kind", "item_id"])
    .where("member_id", "=", memberId)
    .where((where) =>
      where.or(
        [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, ofKind]) =>
          where("kind", "=", kind).and(
            "item_id",
            "in",
            ofKind.map(({ id }) => id),
          ),
        ),
      ),
    )
    .execute();
  return rows.map((row) => itemKey({ kind: row.kind, id: row.item_id }));
}
