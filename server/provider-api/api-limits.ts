import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { RateLimiter, TooMany } from "../rate-limit/rate-limit.ts";

/** How often the key's owner may ask: more than a busy front does, less than whoever has stolen the key would like. */
export type ApiLimits = {
  /** Any call. */
  countCall(): Promise<TooMany | undefined>;
  /** Calls that try passwords and codes, or write to somebody. */
  countDelicate(): Promise<TooMany | undefined>;
  /** Letters to one address that the caller names. */
  countLetter(emailKey: string): Promise<TooMany | undefined>;
};

const limits = {
  calls: { attempts: 600, windowInMs: MINUTE_IN_MS },
  delicate: { attempts: 120, windowInMs: MINUTE_IN_MS },
  letters: { attempts: 6, windowInMs: HOUR_IN_MS },
};

/** `key` only names the counts; the rate limiter keeps its hash. */
export function createApiLimits({ rateLimiter, key }: { rateLimiter: RateLimiter; key: string }): ApiLimits {
  return {
    countCall: () => rateLimiter.count(`api call ${key}`, limits.calls),
    countDelicate: () => rateLimiter.count(`api delicate ${key}`, limits.delicate),
    countLetter: (emailKey) => rateLimiter.count(`api letter ${emailKey}`, limits.letters),
  };
}
