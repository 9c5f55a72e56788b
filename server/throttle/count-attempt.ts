import type { Clock } from "../clock.ts";
import type { Throttle } from "./throttle.ts";

/** How many attempts a window has, counted from the first of them. */
export type Limit = { attempts: number; windowInMs: number };

export type TooMany = { ok: false; reason: "too-many-attempts"; waitInMs: number };

/** Counts one attempt under `key`; answers how long to wait if it is one too many. */
export type CountAttempt = (key: string, limit: Limit) => Promise<TooMany | undefined>;

export function createCountAttempt({ throttle, clock }: { throttle: Throttle; clock: Clock }): CountAttempt {
  return async (key, { attempts, windowInMs }) => {
    const { number, windowEndsAt } = await throttle.take(key, windowInMs);
    return number > attempts ? tooMany(windowEndsAt, clock()) : undefined;
  };
}

/** What is answered until a window is over. */
export function tooMany(windowEndsAt: Date, now: Date): TooMany {
  return { ok: false, reason: "too-many-attempts", waitInMs: windowEndsAt.getTime() - now.getTime() };
}
