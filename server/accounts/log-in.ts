import { HOUR_IN_MS, MINUTE_IN_MS, type Clock } from "../clock.ts";
import type { Sessions, StartedSession } from "../sessions/sessions.ts";
import type { Attempt, Throttle } from "../throttle/throttle.ts";
import type { Accounts } from "./accounts.ts";
import { toEmailKey } from "./rules.ts";

/** Lets a member in by address and password, and wears out whoever guesses. */
export type LogIn = (credentials: Credentials) => Promise<LogInResult>;

export type Credentials = {
  email: string;
  password: string;
  /** The network address the attempt comes from. */
  address: string;
  /** The session that this browser had before, if any: it ends. */
  replacedToken?: string | undefined;
};

export type LogInResult =
  | { ok: true; session: StartedSession }
  | { ok: false; reason: "wrong-credentials" }
  | { ok: false; reason: "too-many-attempts"; waitInMs: number };

const limits = {
  /** Failures from one address, whoever they are aimed at: a whole office may sit behind it. */
  address: { attempts: 60, windowInMs: 15 * MINUTE_IN_MS },
  /** Failures of one address at one account. */
  pair: { attempts: 10, windowInMs: 15 * MINUTE_IN_MS },
  /** Failures at one account from anywhere. Past it an address still gets `pairUnderAttack` tries, so the owner gets in. */
  account: { attempts: 50, windowInMs: HOUR_IN_MS },
  pairUnderAttack: 3,
};

type LogInRooms = { accounts: Accounts; sessions: Sessions; throttle: Throttle; clock: Clock };

export function createLogIn({ accounts, sessions, throttle, clock }: LogInRooms): LogIn {
  return async ({ email, password, address, replacedToken }) => {
    const keys = attemptKeys(toEmailKey(email), networkOf(address));
    const blockedUntil = await countAttempt(throttle, keys);
    if (blockedUntil) {
      return { ok: false, reason: "too-many-attempts", waitInMs: blockedUntil.getTime() - clock().getTime() };
    }

    const member = await accounts.findMemberByPassword(email, password);
    if (!member) return { ok: false, reason: "wrong-credentials" };

    for (const key of Object.values(keys)) await throttle.giveBack(key);
    return { ok: true, session: await sessions.start(member.id, replacedToken) };
  };
}

type AttemptKeys = { address: string; pair: string; account: string };

function attemptKeys(emailKey: string, network: string): AttemptKeys {
  return {
    address: `log-in address ${network}`,
    pair: `log-in pair ${network} ${emailKey}`,
    account: `log-in account ${emailKey}`,
  };
}

/** Counts before the password is looked at, so that a hundred tries at once are a hundred tries. A blocked one counts no further. */
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

/** An IPv6 customer owns a whole /64, so that is what counts as one address. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  return [...groups, ...Array<string>(missing).fill("0"), ...(tail ? tail.split(":") : [])].slice(0, 4).join(":");
}
