import { type Clock, HOUR_IN_MS, MINUTE_IN_MS } from "../../platform/clock.ts";
import {
  type Attempt,
  type Limit,
  type RateLimiter,
  toNetwork,
  tooMany,
  type TooMany,
} from "../../platform/rate-limit/rate-limit.ts";
import { toEmailKey } from "../../platform/email-address.ts";

/**
 * A tried password's account and network address. `name` begins the keys of the counts, members' log-in by default.
 * Log-in and all forms that ask for the password share them.
 */
export type Guess = { email: string; address: string; name?: keyof typeof limits };

type Limits = {
  /** Failures of one network, at any account. */
  address: Limit;
  pair: Limit;
  /**
   * Failures at one account from all networks. Beyond it each network still has `pairUnderAttack` tries, for the owner.
   */
  account: Limit;
  pairUnderAttack: number;
};

const ofAccount = {
  pair: { attempts: 10, windowInMs: 15 * MINUTE_IN_MS },
  account: { attempts: 50, windowInMs: HOUR_IN_MS },
  pairUnderAttack: 3,
};

const limits = {
  // A whole office of members may share one address.
  "log-in": { ...ofAccount, address: { attempts: 60, windowInMs: 15 * MINUTE_IN_MS } },
  "desk log-in": { ...ofAccount, address: { attempts: 20, windowInMs: 15 * MINUTE_IN_MS } },
  // Only with one of the operator's recovery codes, so strangers cannot use these up.
  "desk recovery": { ...ofAccount, address: { attempts: 20, windowInMs: 15 * MINUTE_IN_MS } },
} satisfies Record<string, Limits>;

type AttemptsContext = { rateLimiter: RateLimiter; clock: Clock };

/** Counts before comparing, so that a hundred tries at once count as a hundred. A blocked one counts no further. */
export async function countPasswordAttempt(
  { rateLimiter, clock }: AttemptsContext,
  guess: Guess,
): Promise<TooMany | undefined> {
  const keys = listKeys(guess);
  const { address, pair, account, pairUnderAttack } = limits[guess.name ?? "log-in"];
  const fromAddress = await rateLimiter.take(keys.address, address.windowInMs);
  if (isOver(fromAddress, address.attempts)) return tooMany(fromAddress.windowEndsAt, clock());
  const byPair = await rateLimiter.take(keys.pair, pair.windowInMs);
  if (isOver(byPair, pair.attempts)) return tooMany(byPair.windowEndsAt, clock());
  const atAccount = await rateLimiter.take(keys.account, account.windowInMs);
  const isUnderAttack = isOver(atAccount, account.attempts);
  return isUnderAttack && isOver(byPair, pairUnderAttack) ? tooMany(byPair.windowEndsAt, clock()) : undefined;
}

/** Uncounts a right password, which was no guess. */
export async function giveBackPasswordAttempt(
  { rateLimiter }: Pick<AttemptsContext, "rateLimiter">,
  guess: Guess,
): Promise<void> {
  for (const key of Object.values(listKeys(guess))) await rateLimiter.giveBack(key);
}

/** For a person who has proved in another way that the account is theirs. */
export async function forgivePasswordAttempts(
  { rateLimiter }: Pick<AttemptsContext, "rateLimiter">,
  guess: Guess,
): Promise<void> {
  await rateLimiter.forget(listKeys(guess).pair);
}

function listKeys({ email, address, name = "log-in" }: Guess) {
  const network = toNetwork(address);
  const emailKey = toEmailKey(email);
  return {
    address: `${name} address ${network}`,
    pair: `${name} pair ${network} ${emailKey}`,
    account: `${name} account ${emailKey}`,
  };
}

function isOver(attempt: Attempt, limit: number): boolean {
  return attempt.number > limit;
}
