import { sql } from "kysely";

import type { Span } from "../../platform/clock.ts";
import type { Cursor, Queries } from "../../platform/database/database.ts";

/** `isGiven`: only terms that no order paid for. */
export type EndingsPage = { span: Partial<Span>; isGiven?: boolean; after?: Cursor | undefined; limit: number };

export type Ending = { id: number; memberId: number; at: Date };

/** The first to end first. `subscriptions_by_end` is the index. */
export async function listEndings(
  db: Queries,
  { span, isGiven = false, after, limit }: EndingsPage,
): Promise<Ending[]> {
  let ending = db
    .selectFrom("subscriptions as ending")
    .select(["ending.id", "ending.memberId", "ending.endsAt"])
    .where("ending.revokedAt", "is", null)
    .where((row) => row.not(row.exists(findLater(db))));
  // With both conditions SQLite would scan from the beginning of the span again.
  if (span.from && !after) ending = ending.where("ending.endsAt", ">=", span.from);
  if (span.to) ending = ending.where("ending.endsAt", "<", span.to);
  if (isGiven) ending = ending.where("ending.orderId", "is", null);
  if (after) ending = ending.where(sql<boolean>`(ending.ends_at, ending.id) > (${after.at}, ${after.id})`);
  const rows = await ending.orderBy("ending.endsAt").orderBy("ending.id").limit(limit).execute();
  return rows.map(({ id, memberId, endsAt }) => ({ id, memberId, at: endsAt }));
}

/** A later-ending term of the same member; of two that end together the newer one. */
export function findLater(db: Queries) {
  return db
    .selectFrom("subscriptions as later")
    .select("later.id")
    .where("later.revokedAt", "is", null)
    .where(sql<boolean>`later.member_id = ending.member_id`)
    .where(sql<boolean>`(later.ends_at, later.id) > (ending.ends_at, ending.id)`);
}

export type EndedEarlyPage = { now: Date; after?: Cursor | undefined; limit: number };

/**
 * Terms ended early of members without another term: the latest first, each member once. `at`: when it was ended.
 * `subscriptions_revoked` is the index.
 */
export async function listEndedEarly(db: Queries, { now, after, limit }: EndedEarlyPage): Promise<Ending[]> {
  let ended = db
    .selectFrom("subscriptions as ended")
    .select(["ended.id", "ended.memberId", "ended.revokedAt"])
    .where("ended.revokedAt", "is not", null)
    .where((row) => row.not(row.exists(findRunning(db, now))))
    .where((row) => row.not(row.exists(findEndedLater(db))));
  if (after) ended = ended.where(sql<boolean>`(ended.revoked_at, ended.id) < (${after.at}, ${after.id})`);
  const rows = await ended.orderBy("ended.revokedAt", "desc").orderBy("ended.id", "desc").limit(limit).execute();
  return rows.flatMap(({ id, memberId, revokedAt }) => (revokedAt ? [{ id, memberId, at: revokedAt }] : []));
}

function findRunning(db: Queries, now: Date) {
  return db
    .selectFrom("subscriptions as running")
    .select("running.id")
    .where(sql<boolean>`running.member_id = ended.member_id`)
    .where("running.revokedAt", "is", null)
    .where("running.endsAt", ">", now);
}

function findEndedLater(db: Queries) {
  return db
    .selectFrom("subscriptions as later")
    .select("later.id")
    .where(sql<boolean>`later.member_id = ended.member_id`)
    .where(sql<boolean>`(later.revoked_at, later.id) > (ended.revoked_at, ended.id)`);
}
