import { HOUR_IN_MS, MINUTE_IN_MS, type Clock } from "../clock.ts";
import { networkOf, tooMany, type Attempt, type Throttle, type TooMany } from "../throttle/throttle.ts";
import { toEmailKey } from "./rules.ts";

/** Wears out whoever guesses passwords: at log-in, and wherever a member is asked for theirs again. All these doors count as one. */
export type PasswordAttempts = {
  /** Counts before the password is looked at, so that a hundred tries at once are a hundred tries. A blocked one counts no further. */
  count(guess: Guess): Promise<TooMany | undefined>;
  /** The password was right: it was no guess. */
  giveBack(guess: Guess): Promise<void>;
  /** Whoever is there has proved in another way that the account is theirs: what went wrong before was no guessing. */
  forgive(guess: Guess): Promise<void>;
};

/** At whose account, and from which network address. */
export type Guess = { email: string; address: string };

const limits = {
  /** Failures from one address, whoever they are aimed at: a whole office may sit behind it. */
  address: { attempts: 60, windowInMs: 15 * MINUTE_IN_MS },
  /** Failures of one address at one account. */
  pair: { attempts: 10, windowInMs: 15 * MINUTE_IN_MS },
  /** Failures at one account from anywhere. Past it an address still gets `pairUnderAttack` tries, so the owner gets in. */
  account: { attempts: 50, windowInMs: HOUR_IN_MS },
  pairUnderAttack: 3,
};

export function createPasswordAttempts({ throttle, clock }: { throttle: Throttle; clock: Clock }): PasswordAttempts {
  return {
    async count(guess) {
      const blockedUntil = await countAttempt(throttle, keysOf(guess));
      return blockedUntil && tooMany(blockedUntil, clock());
    },

    async giveBack(guess) {
      for (const key of Object.values(keysOf(guess))) await throttle.giveBack(key);
    },

    forgive: (guess) => throttle.forget(keysOf(guess).pair),
  };
}

type AttemptKeys = { address: string; pair: string; account: string };

function keysOf({ email, address }: Guess): AttemptKeys {
  const network = networkOf(address);
  const emailKey = toEmailKey(email);
  return {
    address: `log-in address ${network}`,
    pair: `log-in pair ${network} ${emailKey}`,
    account: `log-in account ${emailKey}`,
  };
}

async function countAttempt(throttle: Throttle, keys: AttemptKeys): Promise<Date | undefined> {
  const fromAddress = await throttle.take(keys.address, limits.address.windowInMs);
  if (isOver(fromAddress, limits.address.attempts)) return fromAddress.windowEndsAt;
  const byPair = await throttle.take(keys.pair, limits.pair.windowInMs);
  if (isOver(byPair, limits.pair.attempts)) return byPair.windowEndsAt;
  const atAccount = await throttle.take(keys.account, limits.account.windowInMs);
  const isUnderAttack = isOver(atAccount, limits.account.attempts);
  return isUnderAttack && isOver(byPair, limits.pairUnderAttack) ? byPair.windowEndsAt : undefined;
}

function isOver(attempt: Attempt, limit: number): boolean {
  return attempt.number > limit;
}
