import { after, DAY_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Standing } from "./standing.ts";

type Rooms = { db: Queries; clock: Clock; log: Log; standing: Standing };

/** The periodic work on all companies (`Companies.upkeep`). */
export function createUpkeep({ db, clock, log, standing }: Rooms): () => Promise<void> {
  return async () => {
    await endGrace();
    for (const companyId of await listRestless(db, clock())) {
      try {
        await standing.settle(companyId);
      } catch (error) {
        log.error({ company: companyId, error }, "a company could not be looked after");
      }
    }
  };

  /** Access ends by the date; this only writes down that it has, and needs no gateway for it. */
  async function endGrace(): Promise<void> {
    const ended = await db
      .updateTable("companies")
      .set({ state: "stopped" })
      .where("state", "=", "grace")
      .where("grace_ends_at", "<=", clock().toISOString())
      .returning("id")
      .execute();
    for (const { id } of ended) log.info({ company: id, from: "grace", to: "stopped" }, "a company stands differently");
  }
}

/** Nearly a year: who is listed a little early is looked at and left alone. */
const YOUNG_IN_MS = 363 * DAY_IN_MS;

/**
 * Companies whose news must not hang on a notice: not live, with a debit that is not settled, or with a year that may begin. The
 * mandate of a settled one is asked about when its next year begins.
 */
async function listRestless(db: Queries, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom("companies")
    .select("id")
    .where((where) => {
      const collections = where
        .selectFrom("collections")
        .select("period")
        .whereRef("collections.company_id", "=", "companies.id");
      return where.or([
        where("companies.state", "!=", "live"),
        where.exists(collections.where("collections.state", "!=", "paid-out")),
        where.not(where.exists(collections.where("collections.due_at", ">", after(now, -YOUNG_IN_MS).toISOString()))),
      ]);
    })
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
