import { after, MINUTE_IN_MS } from "../../platform/clock.ts";
import type { ItemRef } from "../../content/items/kinds.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { prepareQuery } from "../../platform/database/prepared-query.ts";
import type { Limit, RateLimiter, TooMany } from "../../platform/rate-limit/rate-limit.ts";
import { createNights, forgetNights, listNights, writeNights } from "./nights.ts";
import {
  deleteRow,
  dropOldest,
  findRow,
  type Known,
  listBegun,
  listKnown,
  listKnownAndNights,
  type Position,
  type Row,
  selectPlayed,
  type StoredPosition,
  toPosition,
  upsertRow,
} from "./position-rows.ts";
import { isAtEnd } from "./progress.ts";

export type { Known, Position, StoredPosition } from "./position-rows.ts";

/**
 * Members' positions in films and recordings, items that they opened, and nights of guides. The latest observation
 * counts, from any device and however late it arrives (docs/decisions/0017-the-latest-position-counts.md).
 */
export type Positions = ReturnType<typeof createPositions>;

/**
 * In seconds. `ageInMs`: its age by the device's clock, which may have paused in sleep. `seenAt`: its time by our
 * clock: our last answer to the device, plus the device's time since.
 */
export type Observation = { seconds: number; duration: number; ageInMs: number; seenAt?: Date | undefined };

/** `isOn`: false where the member has switched positions off and nothing was written. */
export type NoteResult = { ok: true; isOn: boolean } | TooMany;

/** Four devices that play at once, and as many visits again. */
const limit: Limit = { attempts: 320, windowInMs: 10 * MINUTE_IN_MS };

type PositionsContext = Context & {
  rateLimiter: RateLimiter;
  /** Called, without the member, when one opened an item or began to play it. */
  onBegun: (item: ItemRef, how: "opened" | "started") => void;
};

export function createPositions(ctx: PositionsContext) {
  const { db } = ctx;
  const ofMember = (memberId: number) => db.selectFrom("positions").selectAll().where("memberId", "=", memberId);
  return {
    note: (memberId: number, item: ItemRef, observation: Observation) =>
      noteObserved(ctx, { memberId, item }, observation),

    /** Does nothing where more is known of the item. */
    noteOpened: (memberId: number, item: ItemRef) => noteOpened(ctx, { memberId, item }),

    /** In whole seconds; `undefined` at the beginning. */
    async findStart(memberId: number, item: ItemRef): Promise<number | undefined> {
      const row = await findRow(db, memberId, item);
      return row?.state === "started" ? row.seconds : undefined;
    },

    /** The `MOST_PLAYED` latest, finished or not, the latest first. */
    async listPlayed(memberId: number): Promise<Position[]> {
      return (await selectPlayed(db, { memberId })).map(toPosition);
    },

    /** As `listPlayed`, with the nights that the member has begun, for the landing. */
    listBegun: (memberId: number) => listBegun(db, memberId),

    listKnown: (memberId: number, items: ItemRef[]) => listKnown(db, memberId, items),

    /** As `listKnown`, with the nights that the member has begun, for a guide. */
    listKnownAndNights: (memberId: number, items: ItemRef[]) => listKnownAndNights(db, memberId, items),

    forget: (memberId: number, item: ItemRef) => forgetPosition(db, memberId, item),
    /** Undoes `forget`, unless more is known of the item by now. */
    restore: (memberId: number, position: StoredPosition) => restore(ctx, memberId, position),
    forgetAll: (memberId: number) => db.transaction().execute((trx) => forgetAll(trx, memberId)),
    /** Undoes `forgetAll`, except where more is known by now. */
    restoreAll: (memberId: number, known: Known) => restoreAll(ctx, memberId, known),

    nights: createNights(db, (memberId, work) => writeIfOn(ctx, memberId, work)),

    isOn: (memberId: number) => findIsOn(db, memberId),
    /** Switching off deletes everything, and nothing is written from then on. */
    switchTo: (memberId: number, wanted: boolean) => db.transaction().execute((trx) => switchTo(trx, memberId, wanted)),

    /** Moves positions to another account: the latest of both counts. An account that is switched off gets nothing. */
    move: (move: { from: number; to: number }, trx: Queries) => movePositions(trx, move),

    listFor: async (memberId: number): Promise<Known & { isOn: boolean }> => ({
      isOn: await findIsOn(db, memberId),
      items: (await ofMember(memberId).orderBy("observedAt", "desc").execute()).map(toPosition),
      nights: await listNights(db, memberId),
    }),
  };
}

type MemberItem = { memberId: number; item: ItemRef };

async function noteObserved(
  ctx: PositionsContext,
  { memberId, item }: MemberItem,
  { seconds, duration, ageInMs, seenAt }: Observation,
): Promise<NoteResult> {
  const atLatest = after(ctx.clock(), -ageInMs);
  // In doubt it is older: a late position must not replace that of another device.
  const observedAt = seenAt && seenAt < atLatest ? seenAt : atLatest;
  const isFinished = isAtEnd(seconds, duration);
  let isBegun = false;
  const result = await write(ctx, { memberId, item }, (before) => {
    if (before && before.observedAt > observedAt) return undefined;
    isBegun = !isFinished && before?.state !== "started";
    return {
      state: isFinished ? "finished" : "started",
      seconds: Math.floor(seconds),
      duration: Math.floor(duration),
      observedAt,
      finishedAt: before?.finishedAt ?? (isFinished ? observedAt : null),
    };
  });
  if (isBegun) ctx.onBegun(item, "started");
  return result;
}

async function noteOpened(ctx: PositionsContext, { memberId, item }: MemberItem): Promise<NoteResult> {
  // Most articles are opened again and again: then nothing is written.
  if (await findRow(ctx.db, memberId, item)) return { ok: true, isOn: true };
  const opened = { state: "opened", seconds: 0, duration: 0, finishedAt: null } as const;
  const observedAt = ctx.clock();
  let isFirst = false;
  const result = await write(ctx, { memberId, item }, (before) => {
    isFirst = before === undefined;
    return before ? undefined : { ...opened, observedAt };
  });
  if (isFirst) ctx.onBegun(item, "opened");
  return result;
}

async function movePositions(trx: Queries, { from, to }: { from: number; to: number }): Promise<void> {
  const isOn = await holdSwitch(trx, to);
  const { items, nights } = await forgetAll(trx, from);
  if (!isOn) return;
  if (nights.length > 0) await writeNights(trx, to, nights);
  for (const { kind, id, ...item } of items) {
    const before = await findRow(trx, to, { kind, id });
    const finishedAt = before?.finishedAt ?? item.finishedAt ?? null;
    const latest = before && before.observedAt >= item.observedAt ? { ...before, finishedAt } : { ...item, finishedAt };
    const { state, seconds, duration, observedAt } = latest;
    await upsertRow(trx, to, { kind, itemId: id, state, seconds, duration, observedAt, finishedAt });
  }
  // Each run deletes one.
  while (await dropOldest(trx, to));
}

type WriteContext = { db: Queries; rateLimiter: RateLimiter };

/** Writes what `change` makes of an item's row, unless that is nothing or positions are off. */
async function write(
  ctx: WriteContext,
  { memberId, item }: { memberId: number; item: ItemRef },
  change: (before: Row | undefined) => Omit<Row, "kind" | "itemId"> | undefined,
): Promise<NoteResult> {
  return await writeIfOn(ctx, memberId, async (trx) => {
    const before = await findRow(trx, memberId, item);
    const columns = change(before);
    if (!columns) return;
    await upsertRow(trx, memberId, { kind: item.kind, itemId: item.id, ...columns });
    if (!before) await dropOldest(trx, memberId);
  });
}

async function forgetPosition(db: Queries, memberId: number, item: ItemRef): Promise<Position | undefined> {
  const row = await deleteRow(db, memberId, item);
  return row && row.state !== "opened" ? toPosition(row) : undefined;
}

async function restore(
  ctx: WriteContext,
  memberId: number,
  { kind, id, ...position }: StoredPosition,
): Promise<NoteResult> {
  const { seconds, duration, observedAt, finishedAt = null } = position;
  const state = isAtEnd(seconds, duration) ? "finished" : "started";
  return await write(ctx, { memberId, item: { kind, id } }, (before) =>
    before ? undefined : { state, seconds, duration, observedAt, finishedAt },
  );
}

/** Skips `work` where positions are off, or the member sends more than devices do. */
async function writeIfOn(
  { db, rateLimiter }: WriteContext,
  memberId: number,
  work: (trx: Queries) => Promise<void>,
): Promise<NoteResult> {
  // Nothing is counted before this: off leaves no trace at all.
  if (!(await findIsOn(db, memberId))) return { ok: true, isOn: false };
  const refusal = await rateLimiter.count(`position ${memberId}`, limit);
  if (refusal) return refusal;
  return await db.transaction().execute(async (trx) => {
    if (!(await holdSwitch(trx, memberId))) return { ok: true, isOn: false };
    await work(trx);
    return { ok: true, isOn: true };
  });
}

/**
 * Locks the switch until the transaction ends, so that a member's devices wait for it. Both engines lock by a write
 * that changes nothing.
 */
async function holdSwitch(trx: Queries, memberId: number): Promise<boolean> {
  const row = await trx
    .insertInto("positionSettings")
    .values({ memberId, isOn: 1 })
    .onConflict((conflict) =>
      conflict.column("memberId").doUpdateSet((column) => ({ isOn: column.ref("positionSettings.isOn") })),
    )
    .returning("isOn")
    .executeTakeFirstOrThrow();
  return row.isOn === 1;
}

async function findIsOn(db: Queries, memberId: number): Promise<boolean> {
  return (await selectIsOn(db, { memberId }))[0]?.isOn !== 0;
}

const selectIsOn = prepareQuery((db, { memberId }: { memberId: number }) =>
  db.selectFrom("positionSettings").select("isOn").where("memberId", "=", memberId),
);

async function switchTo(trx: Queries, memberId: number, wanted: boolean): Promise<void> {
  const isOn = wanted ? 1 : 0;
  await trx
    .insertInto("positionSettings")
    .values({ memberId, isOn })
    .onConflict((conflict) => conflict.column("memberId").doUpdateSet({ isOn }))
    .execute();
  if (!wanted) await forgetAll(trx, memberId);
}

async function forgetAll(db: Queries, memberId: number): Promise<Known> {
  const rows = await db.deleteFrom("positions").where("memberId", "=", memberId).returningAll().execute();
  return { items: rows.map(toPosition), nights: await forgetNights(db, memberId) };
}

async function restoreAll(ctx: WriteContext, memberId: number, { items, nights }: Known): Promise<NoteResult> {
  const rows = items.map(({ kind, id: itemId, finishedAt = null, ...rest }) => ({
    ...rest,
    memberId,
    kind,
    itemId,
    finishedAt,
  }));
  return await writeIfOn(ctx, memberId, async (trx) => {
    if (nights.length > 0) await writeNights(trx, memberId, nights);
    if (rows.length === 0) return;
    await trx
      .insertInto("positions")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Each run deletes one.
    while (await dropOldest(trx, memberId));
  });
}
