import { sql } from "kysely";

import { countChanged } from "../database/changes.ts";
import { after } from "../clock.ts";
import type { Context } from "../../context.ts";

/** Counts are shared by all processes on one database; keys are stored as hashes. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

export type Attempt = { number: number; windowEndsAt: Date };

/** A window begins with its first attempt. */
export type Limit = { attempts: number; windowInMs: number };

export type TooMany = { ok: false; reason: "too-many-attempts"; waitInMs: number };

export function tooMany(windowEndsAt: Date, now: Date): TooMany {
  return { ok: false, reason: "too-many-attempts", waitInMs: windowEndsAt.getTime() - now.getTime() };
}

/** An IPv6 customer owns a whole /64, so it counts as one address. */
export function toNetwork(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  return [...groups, ...Array<string>(missing).fill("0"), ...(tail ? tail.split(":") : [])].slice(0, 4).join(":");
}

export function createRateLimiter({ db, clock, keyedHash }: Context) {
  const hash = keyedHash("rate-limit");
  const rateLimiter = {
    /** Counts one attempt; returns how long to wait if it is one too many. */
    async count(key: string, { attempts, windowInMs }: Limit): Promise<TooMany | undefined> {
      const { number, windowEndsAt } = await rateLimiter.take(key, windowInMs);
      return number > attempts ? tooMany(windowEndsAt, clock()) : undefined;
    },

    /** Returns which attempt of its window it is. */
    async take(key: string, windowInMs: number): Promise<Attempt> {
      const now = clock();
      const expiresAt = after(now, windowInMs);
      const isOver = sql<boolean>`rate_limits.expires_at <= ${now}`;
      const row = await db
        .insertInto("rateLimits")
        .values({ key: hash(key), attempts: 1, expiresAt })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            attempts: sql`case when ${isOver} then 1 else rate_limits.attempts + 1 end`,
            expiresAt: sql`case when ${isOver} then ${expiresAt} else rate_limits.expires_at end`,
          }),
        )
        .returning(["attempts", "expiresAt"])
        .executeTakeFirstOrThrow();
      return { number: row.attempts, windowEndsAt: row.expiresAt };
    },

    async isSpent(key: string, { attempts }: Limit): Promise<boolean> {
      const row = await db
        .selectFrom("rateLimits")
        .select("attempts")
        .where("key", "=", hash(key))
        .where("expiresAt", ">", clock())
        .executeTakeFirst();
      return (row?.attempts ?? 0) >= attempts;
    },

    async giveBack(key: string): Promise<void> {
      await db
        .updateTable("rateLimits")
        .set({ attempts: sql`attempts - 1` })
        .where("key", "=", hash(key))
        .where("attempts", ">", 0)
        .execute();
    },

    async forget(key: string): Promise<void> {
      await db.deleteFrom("rateLimits").where("key", "=", hash(key)).execute();
    },

    purge: () => countChanged(db.deleteFrom("rateLimits").where("expiresAt", "<=", clock())),
  };
  return rateLimiter;
}
