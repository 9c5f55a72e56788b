import { sql } from "kysely";

import type { Context } from "../../context.ts";
import { MAX_ID, type Queries } from "../../platform/database/database.ts";
import { findCodeRow, toCheck, type CodeCheck } from "./code.ts";

/** `endsAt`: when the seat becomes free, if not at the end of the membership. */
export type MemberSeat = { code: string; company: { id: number; name: string } | undefined };

export type SeatView = { code: string; takenAt: Date; endsAt: Date | undefined };

/** Never reached: as many seats would have to be freed and taken within one call. */
const MAX_TRIES = 50;

/**
 * Claims a seat of a code found valid by one conditional update; if that fails, checks the code again. Locks are always
 * taken in one order, the member's own seat and then codes by id, so transactions cannot deadlock.
 */
export async function takeSeat(
  { db, clock }: Context,
  { code, memberId }: { code: string; memberId: number },
): Promise<CodeCheck> {
  const now = clock();
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const heldId = await lockSeat(db, memberId);
    const row = await findCodeRow(db, code);
    const isHolder = heldId !== undefined && heldId === row?.id;
    const check = toCheck(row, { now, isHolder });
    if (!row || !check.isValid) {
      // Another tab of this member may have taken a seat since the first look, and filled the code by it.
      if (heldId === undefined && (await lockSeat(db, memberId)) !== undefined) continue;
      return check;
    }
    if (isHolder) {
      await keepSeat(db, memberId);
      return check;
    }
    const change = { memberId, to: row.id, now };
    const isSeated = heldId === undefined ? await addSeat(db, change) : await moveSeat(db, { ...change, from: heldId });
    if (isSeated) return toCheck(await findCodeRow(db, code), { now, isHolder: true });
  }
  throw new Error("A seat could neither be taken nor refused");
}

/** Cancels the end of a seat: its holder takes it again. */
async function keepSeat(db: Queries, memberId: number): Promise<void> {
  await db.updateTable("seats").set({ endsAt: null }).where("memberId", "=", memberId).execute();
}

type SeatChange = { memberId: number; to: number; now: Date };

/** Inserts the row first: a second transaction with the same member waits here, and then tries again. */
async function addSeat(db: Queries, { memberId, to, now }: SeatChange): Promise<boolean> {
  const added = await db
    .insertInto("seats")
    .values({ memberId, codeId: to, takenAt: now })
    .onConflict((conflict) => conflict.column("memberId").doNothing())
    .returning("memberId")
    .executeTakeFirst();
  if (!added) return false;
  if (await claimSeat(db, { codeId: to, now })) return true;
  await db.deleteFrom("seats").where("memberId", "=", memberId).execute();
  return false;
}

async function moveSeat(db: Queries, { memberId, from, to, now }: SeatChange & { from: number }): Promise<boolean> {
  if (from < to) await lockCode(db, from);
  if (!(await claimSeat(db, { codeId: to, now }))) return false;
  await returnSeat(db, from);
  await db
    .updateTable("seats")
    .set({ codeId: to, takenAt: now, endsAt: null })
    .where("memberId", "=", memberId)
    .execute();
  return true;
}

/** Counts one more seat of a valid code: `findFault` in one statement, without products, which never change. */
export async function claimSeat(db: Queries, { codeId, now }: { codeId: number; now: Date }): Promise<boolean> {
  const instant = now;
  const claimed = await db
    .updateTable("codes")
    .set({ seatsTaken: sql`seats_taken + 1` })
    .where("id", "=", codeId)
    .whereRef("seatsTaken", "<", "seats")
    .where("revokedAt", "is", null)
    .where("startsAt", "<=", instant)
    .where((where) => where.or([where("endsAt", "is", null), where("endsAt", ">", instant)]))
    .where((where) => {
      const company = where.selectFrom("companies").select("companies.id").whereRef("companies.id", "=", "companyId");
      const isGood = company.where((has) =>
        has.or([has("state", "=", "live"), has("state", "=", "grace").and("graceEndsAt", ">", instant)]),
      );
      return where.or([where("companyId", "is", null), where.exists(isGood)]);
    })
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Uncounts a seat, after the caller has deleted its row or moved it to another code. */
async function returnSeat(db: Queries, codeId: number): Promise<void> {
  await db
    .updateTable("codes")
    .set({ seatsTaken: sql`seats_taken - 1` })
    .where("id", "=", codeId)
    .where("seatsTaken", ">", 0)
    .execute();
}

/** Locks until the transaction ends; returns the code's id. An update, because SQLite has no `for update`. */
async function lockSeat(db: Queries, memberId: number): Promise<number | undefined> {
  const seat = await db
    .updateTable("seats")
    .set({ takenAt: sql`taken_at` })
    .where("memberId", "=", memberId)
    .returning("codeId")
    .executeTakeFirst();
  return seat?.codeId;
}

export async function lockCode(db: Queries, codeId: number): Promise<void> {
  await db
    .updateTable("codes")
    .set({ seatsTaken: sql`seats_taken` })
    .where("id", "=", codeId)
    .execute();
}

/** Only the call that deletes the row lowers the count, so it is lowered once. */
export async function releaseSeat(db: Queries, memberId: number): Promise<void> {
  const freed = await db.deleteFrom("seats").where("memberId", "=", memberId).returning("codeId").executeTakeFirst();
  if (freed) await returnSeat(db, freed.codeId);
}

export async function freeSeat(
  db: Queries,
  { memberId, codeId }: { memberId: number; codeId: number },
): Promise<boolean> {
  const seat = db.deleteFrom("seats").where("memberId", "=", memberId).where("codeId", "=", codeId);
  const freed = await seat.returning("codeId").executeTakeFirst();
  if (freed) await returnSeat(db, freed.codeId);
  return freed !== undefined;
}

/** Of two ends the earlier one counts. */
export async function endSeat(
  { db, clock }: Context,
  { memberId, endsAt }: { memberId: number; endsAt: Date },
): Promise<void> {
  if (endsAt <= clock()) return releaseSeat(db, memberId);
  const end = endsAt;
  await db
    .updateTable("seats")
    .set({ endsAt: end })
    .where("memberId", "=", memberId)
    .where((seat) => seat.or([seat("endsAt", "is", null), seat("endsAt", ">", end)]))
    .execute();
}

/** The next run frees the rest. */
const MAX_RELEASED = 1000;

/** Each seat in its own transaction: the seat and then its code, the order of all locks. */
export async function releaseEndedSeats({ db, clock }: Context): Promise<number> {
  const now = clock();
  const ended = await db
    .selectFrom("seats")
    .select("memberId")
    .where("endsAt", "<=", now)
    .orderBy("endsAt")
    .limit(MAX_RELEASED)
    .execute();
  let count = 0;
  for (const { memberId } of ended) {
    if (await db.transaction().execute((trx) => releaseIfEnded(trx, { memberId, now }))) count += 1;
  }
  return count;
}

/** Its holder may have taken it again meanwhile. */
async function releaseIfEnded(db: Queries, { memberId, now }: { memberId: number; now: Date }): Promise<boolean> {
  const freed = await db
    .deleteFrom("seats")
    .where("memberId", "=", memberId)
    .where("endsAt", "<=", now)
    .returning("codeId")
    .executeTakeFirst();
  if (freed) await returnSeat(db, freed.codeId);
  return freed !== undefined;
}

export async function findHeldCode(db: Queries, memberId: number): Promise<number | undefined> {
  const seat = await db.selectFrom("seats").select("codeId").where("memberId", "=", memberId).executeTakeFirst();
  return seat?.codeId;
}

export async function listSeatsFor(db: Queries, memberId: number): Promise<SeatView[]> {
  const rows = await db
    .selectFrom("seats")
    .innerJoin("codes", "codes.id", "seats.codeId")
    .select(["codes.code", "seats.takenAt", "seats.endsAt"])
    .where("seats.memberId", "=", memberId)
    .execute();
  return rows.map((row) => ({
    code: row.code,
    takenAt: row.takenAt,
    endsAt: row.endsAt ?? undefined,
  }));
}

export async function findSeatsFor(db: Queries, memberIds: number[]): Promise<Map<number, MemberSeat>> {
  if (memberIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("seats")
    .innerJoin("codes", "codes.id", "seats.codeId")
    .leftJoin("companies", "companies.id", "codes.companyId")
    .select(["seats.memberId", "codes.code", "companies.id", "companies.name"])
    .where("seats.memberId", "in", memberIds)
    .execute();
  return new Map(
    rows.map(({ memberId, code, id, name }) => [
      memberId,
      { code, company: id !== null && name !== null ? { id, name } : undefined },
    ]),
  );
}

export type SeatedPage = { companyId: number; before?: number | undefined; size: number };

/** By falling number, at most `size` below `before`. */
export async function listSeatedBy(db: Queries, { companyId, before = MAX_ID, size }: SeatedPage): Promise<number[]> {
  const rows = await db
    .selectFrom("seats")
    .innerJoin("codes", "codes.id", "seats.codeId")
    .select("seats.memberId")
    .where("codes.companyId", "=", companyId)
    .where("seats.memberId", "<", before)
    .orderBy("seats.memberId", "desc")
    .limit(size)
    .execute();
  return rows.map((row) => row.memberId);
}
export type Holder = { memberId: number; takenAt: Date };

/** The earliest first. */
export async function listHolders(db: Queries, codeId: number): Promise<Holder[]> {
  return db
    .selectFrom("seats")
    .select(["memberId", "takenAt"])
    .where("codeId", "=", codeId)
    .orderBy("takenAt")
    .orderBy("memberId")
    .execute();
}

export async function listHoldersPage(
  db: Queries,
  { codeId, limit, before }: { codeId: number; limit: number; before?: number | undefined },
): Promise<Holder[]> {
  const latest = db
    .selectFrom("seats")
    .select(["memberId", "takenAt"])
    .where("codeId", "=", codeId)
    .orderBy("memberId", "desc")
    .limit(limit);
  return (before === undefined ? latest : latest.where("memberId", "<", before)).execute();
}

/** `taken`: seats of a company; `joined`: those since an instant. */
export type SeatCount = { companyId: number; joined: number; taken: number };

/** Seats taken before `to`; `joined`: since `from`. A company without seats is left out. */
export async function countSeats(
  db: Queries,
  { companyIds, from, to }: { companyIds: number[]; from: Date; to: Date },
): Promise<SeatCount[]> {
  const isJoined = sql<number | string>`sum(case when seats.taken_at >= ${from} then 1 else 0 end)`;
  const rows = await db
    .selectFrom("codes")
    .innerJoin("seats", "seats.codeId", "codes.id")
    .select(["codes.companyId", isJoined.as("joined"), sql<number | string>`count(*)`.as("taken")])
    .where("codes.companyId", "in", companyIds)
    .where("seats.takenAt", "<", to)
    .groupBy("codes.companyId")
    .execute();
  return rows.map((row) => ({
    companyId: Number(row.companyId),
    joined: Number(row.joined),
    taken: Number(row.taken),
  }));
}
