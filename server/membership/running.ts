import { setImmediate as nextTurn } from "node:timers/promises";

import type { Queries } from "../database/database.ts";

/** Members whose terms are read before other work gets its turn. */
const MEMBERS_AT_ONCE = 5000;

/** How many members have a term that runs at an instant (`Membership.countRunning`). It walks through all members with a term. */
export async function countRunning(at: Date, db: Queries): Promise<number> {
  const now = at.toISOString();
  let count = 0;
  for (let from = 0, to = await findNext(from, db); to !== undefined; from = to, to = await findNext(from, db)) {
    const { members } = await db
      .selectFrom("subscriptions")
      .select(({ fn }) => fn.count<number>("member_id").distinct().as("members"))
      .where("member_id", ">", from)
      .where("member_id", "<=", to)
      .where("starts_at", "<=", now)
      .where("ends_at", ">", now)
      .where((term) => term.or([term("revoked_at", "is", null), term("revoked_at", ">", now)]))
      .executeTakeFirstOrThrow();
    count += members;
    await nextTurn();
  }
  return count;
}

/** The last member of the next part; `undefined` after the last. */
async function findNext(from: number, db: Queries): Promise<number | undefined> {
  const later = db.selectFrom("subscriptions").select("member_id").where("member_id", ">", from);
  const next = await later.orderBy("member_id").limit(1).offset(MEMBERS_AT_ONCE).executeTakeFirst();
  return (next ?? (await later.orderBy("member_id", "desc").limit(1).executeTakeFirst()))?.member_id;
}
