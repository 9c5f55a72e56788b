import type { Queries } from "../../platform/database/database.ts";

/** Members whose terms are read before other work runs. */
const MEMBERS_AT_ONCE = 5000;

/** Walks through all members with a term. */
export async function countRunning(at: Date, db: Queries): Promise<number> {
  const now = at;
  let count = 0;
  for (let from = 0, to = await findNext(from, db); to !== undefined; from = to, to = await findNext(from, db)) {
    const { members } = await db
      .selectFrom("subscriptions")
      .select(({ fn }) => fn.count<number>("memberId").distinct().as("members"))
      .where("memberId", ">", from)
      .where("memberId", "<=", to)
      .where("startsAt", "<=", now)
      .where("endsAt", ">", now)
      .where((term) => term.or([term("revokedAt", "is", null), term("revokedAt", ">", now)]))
      .executeTakeFirstOrThrow();
    count += members;
  }
  return count;
}

/** The last member of the next part; `undefined` after the last part. */
async function findNext(from: number, db: Queries): Promise<number | undefined> {
  const later = db.selectFrom("subscriptions").select("memberId").where("memberId", ">", from);
  const next = await later.orderBy("memberId").limit(1).offset(MEMBERS_AT_ONCE).executeTakeFirst();
  return (next ?? (await later.orderBy("memberId", "desc").limit(1).executeTakeFirst()))?.memberId;
}
