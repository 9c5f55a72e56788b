import { createAccounts } from "./accounts/accounts.ts";
import { createLogIn } from "./accounts/log-in.ts";
import { createAudit } from "./audit/audit.ts";
import { createAvatars } from "./avatars/avatars.ts";
import { createChallenges } from "./challenges/challenges.ts";
import type { Clock } from "./clock.ts";
import type { Queries } from "./database/database.ts";
import { createFavourites } from "./favourites/favourites.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import type { Log } from "./log.ts";
import { createMembership } from "./membership/membership.ts";
import type { ReachPoint } from "./payments/saga-points.ts";
import { createRemotePeople, type Provider } from "./provider-rooms.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createThrottle } from "./throttle/throttle.ts";

/** What every room stands on. */
export type Ground = {
  db: Queries;
  clock: Clock;
  log: Log;
  reach: ReachPoint;
  keyedHash: (purpose: string) => KeyedHash;
};

export type People = ReturnType<typeof createOwnPeople>;

/** The rooms that know members. */
export function createPeople(ground: Ground, provider?: Provider): People {
  const own = createOwnPeople(ground);
  return provider ? createRemotePeople({ ...ground, ...own }, provider) : own;
}

function createOwnPeople(ground: Ground) {
  const accounts = createAccounts(ground);
  const sessions = createSessions({ ...ground, hash: ground.keyedHash("session") });
  const throttle = createThrottle({ ...ground, hash: ground.keyedHash("throttle") });
  return {
    accounts,
    sessions,
    throttle,
    logIn: createLogIn({ ...ground, accounts, sessions, throttle }),
    challenges: createChallenges({ ...ground, hash: ground.keyedHash("challenge") }),
    membership: createMembership(ground),
    favourites: createFavourites(ground),
    avatars: createAvatars({ ...ground, throttle }),
    audit: createAudit(ground),
  };
}
