import { sql } from "kysely";

import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { findCodeRow, judge } from "./code-rows.ts";
import type { CodeCheck, SeatView } from "./codes.ts";

/** Never reached: it would take as many seats freed and taken by others within one call. */
const ATTEMPTS = 50;

/**
 * Seats a member (`Codes.takeSeat`): what was judged good is claimed by one conditional update, or judged again. Locks are always
 * taken in one order, the member's own seat and then codes by number, so no two transactions wait for one another.
 */
export async function takeSeat(
  { code, memberId, clock }: { code: string; memberId: number; clock: Clock },
  trx: Queries,
): Promise<CodeCheck> {
  const now = clock();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const heldId = await holdSeat(memberId, trx);
    const row = await findCodeRow(code, trx);
    const isHolder = heldId !== undefined && heldId === row?.id;
    const check = judge(row, { now, isHolder });
    if (!row || !check.isValid) return check;
    if (isHolder) {
      await keepSeat(memberId, trx);
      return check;
    }
    const wish = { memberId, to: row.id, now };
    const isSeated = heldId === undefined ? await sitDown(wish, trx) : await move({ ...wish, from: heldId }, trx);
    if (isSeated) return judge(await findCodeRow(code, trx), { now, isHolder: true });
  }
  throw new Error("A seat could neither be taken nor refused");
}

/** The number of the code whose seat a member holds. */
export async function findHeldCode(memberId: number, db: Queries): Promise<number | undefined> {
  const seat = await db.selectFrom("seats").select("code_id").where("member_id", "=", memberId).executeTakeFirst();
  return seat?.code_id;
}

/** The seat that a member holds, if any (`Codes.listSeatsFor`). */
export async function listSeatsFor(memberId: number, db: Queries): Promise<SeatView[]> {
  const rows = await db
    .selectFrom("seats")
    .innerJoin("codes", "codes.id", "seats.code_id")
    .select(["codes.code", "seats.taken_at", "seats.ends_at"])
    .where("seats.member_id", "=", memberId)
    .execute();
  return rows.map((row) => ({
    code: row.code,
    takenAt: new Date(row.taken_at),
    endsAt: row.ends_at === null ? undefined : new Date(row.ends_at),
  }));
}

type Wish = { memberId: number; to: number; now: Date };

/** A seat that was to end is taken once more. */
async function keepSeat(memberId: number, trx: Queries): Promise<void> {
  await trx.updateTable("seats").set({ ends_at: null }).where("member_id", "=", memberId).execute();
}

/** The row comes first: of two transactions with the same member the second waits here, and looks again. */
async function sitDown({ memberId, to, now }: Wish, trx: Queries): Promise<boolean> {
  const added = await trx
    .insertInto("seats")
    .values({ member_id: memberId, code_id: to, taken_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("member_id").doNothing())
    .returning("member_id")
    .executeTakeFirst();
  if (!added) return false;
  if (await claim(to, { trx, now })) return true;
  await trx.deleteFrom("seats").where("member_id", "=", memberId).execute();
  return false;
}

async function move({ memberId, from, to, now }: Wish & { from: number }, trx: Queries): Promise<boolean> {
  if (from < to) await holdCode(from, trx);
  if (!(await claim(to, { trx, now }))) return false;
  await giveBack(from, trx);
  await trx
    .updateTable("seats")
    .set({ code_id: to, taken_at: now.toISOString(), ends_at: null })
    .where("member_id", "=", memberId)
    .execute();
  return true;
}

/** Counts one seat more, if the code is good at this instant and has one: the rule of `findFault` in one statement; products stay as they are. */
async function claim(codeId: number, { trx, now }: { trx: Queries; now: Date }): Promise<boolean> {
  const instant = now.toISOString();
  const claimed = await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken + 1` })
    .where("id", "=", codeId)
    .whereRef("seats_taken", "<", "seats")
    .where("revoked_at", "is", null)
    .where("starts_at", "<=", instant)
    .where((where) => where.or([where("ends_at", "is", null), where("ends_at", ">", instant)]))
    .where((where) => {
      const company = where.selectFrom("companies").select("companies.id").whereRef("companies.id", "=", "company_id");
      const isGood = company.where((has) =>
        has.or([has("state", "=", "live"), has("state", "=", "grace").and("grace_ends_at", ">", instant)]),
      );
      return where.or([where("company_id", "is", null), where.exists(isGood)]);
    })
    .returning("id")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Frees the seat that a member holds, if any (`Codes.releaseSeat`): who deletes the row takes it off the count, so it is done once. */
export async function releaseSeat(memberId: number, trx: Queries): Promise<void> {
  const freed = await trx.deleteFrom("seats").where("member_id", "=", memberId).returning("code_id").executeTakeFirst();
  if (freed) await giveBack(freed.code_id, trx);
}

/** Takes a seat off its code's count. Whoever calls it has just deleted the row or moved it elsewhere. */
export async function giveBack(codeId: number, trx: Queries): Promise<void> {
  await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken - 1` })
    .where("id", "=", codeId)
    .where("seats_taken", ">", 0)
    .execute();
}

/** Keeps others from a member's seat until this transaction ends; answers its code. An update, for SQLite has no `for update`. */
async function holdSeat(memberId: number, trx: Queries): Promise<number | undefined> {
  const seat = await trx
    .updateTable("seats")
    .set({ taken_at: sql`taken_at` })
    .where("member_id", "=", memberId)
    .returning("code_id")
    .executeTakeFirst();
  return seat?.code_id;
}

async function holdCode(codeId: number, trx: Queries): Promise<void> {
  await trx
    .updateTable("codes")
    .set({ seats_taken: sql`seats_taken` })
    .where("id", "=", codeId)
    .execute();
}
