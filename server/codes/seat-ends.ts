import type { Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { giveBack, releaseSeat } from "./seats.ts";

/** What is left is for the next round. */
const RELEASED_AT_ONCE = 1000;

/** Ends a member's seat at an instant (`Codes.endSeat`). Of two ends the earlier one counts. */
export async function endSeat(
  { memberId, endsAt, clock }: { memberId: number; endsAt: Date; clock: Clock },
  trx: Queries,
): Promise<void> {
  if (endsAt <= clock()) return releaseSeat(memberId, trx);
  const end = endsAt.toISOString();
  await trx
    .updateTable("seats")
    .set({ ends_at: end })
    .where("member_id", "=", memberId)
    .where((seat) => seat.or([seat("ends_at", "is", null), seat("ends_at", ">", end)]))
    .execute();
}

/**
 * Frees the seats whose end has come (`Codes.releaseEnded`), each in a transaction of its own: a seat and then its code, in the order
 * in which everybody takes them.
 */
export async function releaseEnded({ db, clock }: { db: Queries; clock: Clock }): Promise<number> {
  const now = clock().toISOString();
  const ended = await db
    .selectFrom("seats")
    .select("member_id")
    .where("ends_at", "<=", now)
    .orderBy("ends_at")
    .limit(RELEASED_AT_ONCE)
    .execute();
  let count = 0;
  for (const seat of ended) {
    if (await db.transaction().execute((trx) => releaseIfEnded(seat.member_id, { trx, now }))) count += 1;
  }
  return count;
}

/** Its holder may have taken it again meanwhile. */
async function releaseIfEnded(memberId: number, { trx, now }: { trx: Queries; now: string }): Promise<boolean> {
  const freed = await trx
    .deleteFrom("seats")
    .where("member_id", "=", memberId)
    .where("ends_at", "<=", now)
    .returning("code_id")
    .executeTakeFirst();
  if (freed) await giveBack(freed.code_id, trx);
  return freed !== undefined;
}
