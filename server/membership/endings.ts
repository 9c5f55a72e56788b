import { sql } from "kysely";

import { DAY_IN_MS } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { PlanType } from "./plans.ts";

/** When the reminder before the end of a term is sent, and from when a company may pay for a member's next year. */
export const REMIND_BEFORE_IN_MS = 7 * DAY_IN_MS;

/** Terms that end after `from` and at `to` at the latest, at most `limit` of them, ordered by end. */
export type EndingWindow = { from: Date; to: Date; limit: number };

export type EndingSubscription = { id: number; memberId: number; planType: PlanType; endsAt: Date };

/**
 * Claims subscriptions whose email of this sort has not been written, and marks them as written. Only a member's last subscription
 * that is not revoked counts: a member who has renewed gets no email about the previous term.
 */
export async function claimEndings(
  told: "reminded_at" | "end_told_at",
  { from, to, limit, now }: EndingWindow & { now: Date },
  trx: Queries,
): Promise<EndingSubscription[]> {
  const due = lastTerms(trx)
    .where("ending.ends_at", ">", from.toISOString())
    .where("ending.ends_at", "<=", to.toISOString())
    .where(`ending.${told}`, "is", null)
    .where("ending.revoked_at", "is", null)
    .orderBy("ending.ends_at")
    .orderBy("ending.id")
    .limit(limit);
  const rows = await trx
    .updateTable("subscriptions")
    .set({ [told]: now.toISOString() })
    .where("id", "in", due)
    // Checked again on the row itself: another process may have claimed it while this one waited.
    .where(told, "is", null)
    .where("revoked_at", "is", null)
    .returning(["id", "member_id", "plan_type", "ends_at"])
    .execute();
  const last = await listLast(rows, trx);
  return rows
    .filter(({ id }) => last.has(id))
    .map((row) => ({
      id: row.id,
      memberId: row.member_id,
      planType: row.plan_type as PlanType,
      endsAt: new Date(row.ends_at),
    }))
    .toSorted((a, b) => a.endsAt.getTime() - b.endsAt.getTime() || a.id - b.id);
}

/** Which of these are still their members' last terms: a member may have renewed while the claim waited. */
async function listLast(rows: { id: number }[], trx: Queries): Promise<Set<number>> {
  if (rows.length === 0) return new Set();
  const ids = rows.map(({ id }) => id);
  return new Set((await lastTerms(trx).where("ending.id", "in", ids).execute()).map(({ id }) => id));
}

function lastTerms(trx: Queries) {
  return trx
    .selectFrom("subscriptions as ending")
    .select("ending.id")
    .where((row) => row.not(row.exists(findLater(trx))));
}

/** A term of the same member that ends later; of two that end together the newer one. */
function findLater(trx: Queries) {
  return trx
    .selectFrom("subscriptions as later")
    .select("later.id")
    .where("later.revoked_at", "is", null)
    .where(sql<boolean>`later.member_id = ending.member_id`)
    .where(sql<boolean>`(later.ends_at, later.id) > (ending.ends_at, ending.id)`);
}
