import { type RawBuilder, sql } from "kysely";

import { itemKey, type ItemRef } from "../../content/items/kinds.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { PositionState, Schema } from "../../platform/database/schema.ts";
import { type Night, type NightRow, toNight } from "./nights.ts";
import { MOST_PLAYED, POSITIONS_A_MEMBER } from "./progress.ts";

/** Seconds from the start, and of the whole. */
export type Position = ItemRef & {
  state: PositionState;
  seconds: number;
  duration: number;
  observedAt: Date;
  finishedAt: Date | undefined;
};

export type StoredPosition = Omit<Position, "state">;

export type Known = { items: Position[]; nights: Night[] };

export type Row = Omit<Schema["positions"], "memberId">;

export const selectPlayed = prepareQuery((db, { memberId }: { memberId: number }) =>
  db
    .selectFrom("positions")
    .selectAll()
    .where("memberId", "=", memberId)
    .where("state", "in", ["started", "finished"])
    .orderBy("observedAt", "desc")
    .limit(MOST_PLAYED),
);

type KnownRow = (Row & { topic: null }) | NightRow;

/** One statement for both tables: `which` chooses the positions. */
function selectWithNights(memberId: number, which: RawBuilder<unknown>) {
  return sql<KnownRow>`
    select * from (
      select kind, item_id, state, seconds, duration, observed_at, finished_at, null as topic from positions
      where member_id = ${memberId} and ${which}
    ) as known
    union all select kind, item_id, state, 0, 0, null, null, topic from nights where member_id = ${memberId}`;
}

const selectBegun = prepareQuery((db, { memberId }: { memberId: number }) => {
  const latest = sql`state in ('started', 'finished') order by observed_at desc limit ${sql.lit(MOST_PLAYED)}`;
  const query = selectWithNights(memberId, latest);
  return { compile: () => query.compile(db) };
});

const selectKnownAndNights = prepareQuery((db, { memberId, ids }: { memberId: number; ids: number[] }) => {
  const query = selectWithNights(memberId, sql`item_id in (${sql.join(ids)})`);
  return { compile: () => query.compile(db) };
});

export async function listBegun(db: Queries, memberId: number): Promise<{ played: Position[]; nights: Night[] }> {
  const { items, nights } = toKnown(await selectBegun(db, { memberId }));
  // A union has no order.
  return { played: items.toSorted((a, b) => b.observedAt.getTime() - a.observedAt.getTime()), nights };
}

/** Positions in no order. */
export async function listKnownAndNights(db: Queries, memberId: number, items: ItemRef[]): Promise<Known> {
  const keys = new Set(items.map(itemKey));
  // There is no list of nothing in SQL, and no item has the number 0.
  const ids = items.length > 0 ? items.map(({ id }) => id) : [0];
  const known = toKnown(await selectKnownAndNights(db, { memberId, ids }));
  return { ...known, items: known.items.filter((each) => keys.has(itemKey(each))) };
}

function toKnown(rows: KnownRow[]): Known {
  return {
    items: rows.flatMap((row) => (row.topic === null ? toPosition(row) : [])),
    nights: rows.flatMap((row) => (row.topic === null ? [] : toNight(row))),
  };
}

export async function findRow(db: Queries, memberId: number, { kind, id }: ItemRef): Promise<Row | undefined> {
  return await db
    .selectFrom("positions")
    .selectAll()
    .where("memberId", "=", memberId)
    .where("kind", "=", kind)
    .where("itemId", "=", id)
    .executeTakeFirst();
}

/** In no order. Without items there is no query. */
export async function listKnown(db: Queries, memberId: number, items: ItemRef[]): Promise<Position[]> {
  if (items.length === 0) return [];
  const keys = new Set(items.map(itemKey));
  const rows = await selectKnown(db, { memberId, ids: items.map(({ id }) => id) });
  return rows.map(toPosition).filter((each) => keys.has(itemKey(each)));
}

const selectKnown = prepareQuery((db, { memberId, ids }: { memberId: number; ids: number[] }) =>
  db.selectFrom("positions").selectAll().where("memberId", "=", memberId).where("itemId", "in", ids),
);

/** The oldest item of a member with too many; returns whether there was one. */
export async function dropOldest(trx: Queries, memberId: number): Promise<boolean> {
  const beyond = await trx
    .selectFrom("positions")
    .select(["kind", "itemId"])
    .where("memberId", "=", memberId)
    .orderBy("observedAt", "desc")
    .limit(1)
    .offset(POSITIONS_A_MEMBER)
    .executeTakeFirst();
  if (beyond) await deleteRow(trx, memberId, { kind: beyond.kind, id: beyond.itemId });
  return beyond !== undefined;
}

export async function deleteRow(db: Queries, memberId: number, { kind, id }: ItemRef): Promise<Row | undefined> {
  return await db
    .deleteFrom("positions")
    .where("memberId", "=", memberId)
    .where("kind", "=", kind)
    .where("itemId", "=", id)
    .returningAll()
    .executeTakeFirst();
}

export function toPosition(row: Row): Position {
  const { kind, itemId: id, state, seconds, duration } = row;
  const [observedAt, finishedAt] = [row.observedAt, row.finishedAt ?? undefined];
  return { kind, id, state, seconds, duration, observedAt, finishedAt };
}

export async function upsertRow(trx: Queries, memberId: number, { kind, itemId, ...columns }: Row): Promise<void> {
  await trx
    .insertInto("positions")
    .values({ memberId, kind, itemId, ...columns })
    .onConflict((conflict) => conflict.columns(["memberId", "kind", "itemId"]).doUpdateSet(columns))
    .execute();
}
