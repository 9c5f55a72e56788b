import { after, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";

/** Lets one of several processes on one database do a thing, for as long as it says it is alive. */
export type Leases = {
  /** Takes what nobody holds, or what its holder has let run out. Not even the holder can take it twice. */
  take(name: string, lifeInMs: number): Promise<boolean>;
  /** Lets it run on from now; answers whether it was still held. */
  renew(name: string, lifeInMs: number): Promise<boolean>;
  giveBack(name: string): Promise<void>;
  /** When what is or was held runs or ran out, unless it was given back. */
  findEnd(name: string): Promise<Date | undefined>;
};

/** `holder` names this process and no other, also none before it on the same machine. */
export type LeasesParts = { db: Queries; clock: Clock; holder: string };

export function createLeases({ db, clock, holder }: LeasesParts): Leases {
  return {
    async take(name, lifeInMs) {
      const now = clock();
      const lease = { holder, expires_at: after(now, lifeInMs).toISOString() };
      const row = await db
        .insertInto("task_leases")
        .values({ name, ...lease })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet(lease)
            .where((held) =>
              held.or([
                held("task_leases.expires_at", "<=", now.toISOString()),
                // Further ahead than two clocks differ: written before a clock was set back, it would hold for too long.
                held("task_leases.expires_at", ">", after(now, 2 * lifeInMs).toISOString()),
              ]),
            ),
        )
        .returning("name")
        .executeTakeFirst();
      return row !== undefined;
    },

    async renew(name, lifeInMs) {
      const { numUpdatedRows } = await db
        .updateTable("task_leases")
        .set({ expires_at: after(clock(), lifeInMs).toISOString() })
        .where("name", "=", name)
        .where("holder", "=", holder)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async giveBack(name) {
      await db.deleteFrom("task_leases").where("name", "=", name).where("holder", "=", holder).execute();
    },

    async findEnd(name) {
      const row = await db.selectFrom("task_leases").select("expires_at").where("name", "=", name).executeTakeFirst();
      return row && new Date(row.expires_at);
    },
  };
}
