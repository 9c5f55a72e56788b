import { sql } from "kysely";

import { after, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { KeyedHash } from "../keyed-hash.ts";

/** Counts what may be tried only so often. The counts are shared by every process on one database. */
export type Throttle = {
  /** Counts one attempt under `key` in a window that starts with the first; answers which attempt it is. */
  take(key: string, windowInMs: number): Promise<Attempt>;
  /** Takes one attempt back: it was not what the throttle is there for. */
  giveBack(key: string): Promise<void>;
  /** Begins to count anew. */
  forget(key: string): Promise<void>;
  /** Forgets windows that are over; answers how many. */
  purge(): Promise<number>;
};

export type Attempt = { number: number; windowEndsAt: Date };

export function createThrottle({ db, clock, hash }: { db: Queries; clock: Clock; hash: KeyedHash }): Throttle {
  return {
    async take(key, windowInMs) {
      const now = clock();
      const expiresAt = after(now, windowInMs).toISOString();
      const isOver = sql<boolean>`throttles.expires_at <= ${now.toISOString()}`;
      const row = await db
        .insertInto("throttles")
        .values({ key: hash(key), attempts: 1, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            attempts: sql`case when ${isOver} then 1 else throttles.attempts + 1 end`,
            expires_at: sql`case when ${isOver} then ${expiresAt} else throttles.expires_at end`,
          }),
        )
        .returning(["attempts", "expires_at"])
        .executeTakeFirstOrThrow();
      return { number: row.attempts, windowEndsAt: new Date(row.expires_at) };
    },

    async giveBack(key) {
      await db
        .updateTable("throttles")
        .set({ attempts: sql`attempts - 1` })
        .where("key", "=", hash(key))
        .where("attempts", ">", 0)
        .execute();
    },

    async forget(key) {
      await db.deleteFrom("throttles").where("key", "=", hash(key)).execute();
    },

    async purge() {
      const { numDeletedRows } = await db
        .deleteFrom("throttles")
        .where("expires_at", "<=", clock().toISOString())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}
