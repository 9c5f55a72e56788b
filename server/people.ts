import { createAccounts } from "./accounts/accounts.ts";
import { createLogIn } from "./accounts/log-in.ts";
import { createAudit } from "./audit/audit.ts";
import { createAvatars } from "./avatars/avatars.ts";
import { createChallenges } from "./challenges/challenges.ts";
import type { Context } from "./context.ts";
import { createFavourites } from "./favourites/favourites.ts";
import { createMembership } from "./membership/membership.ts";
import { createRemotePeople, type Provider } from "./provider-rooms.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createThrottle } from "./throttle/throttle.ts";

export type People = ReturnType<typeof createOwnPeople>;

/** The rooms that know members. */
export function createPeople(ctx: Context, provider?: Provider): People {
  const own = createOwnPeople(ctx);
  return provider ? createRemotePeople({ ...ctx, ...own }, provider) : own;
}

function createOwnPeople(ctx: Context) {
  const accounts = createAccounts(ctx);
  const sessions = createSessions(ctx);
  const throttle = createThrottle(ctx);
  return {
    accounts,
    sessions,
    throttle,
    logIn: createLogIn({ ...ctx, accounts, sessions, throttle }),
    challenges: createChallenges(ctx),
    membership: createMembership(ctx),
    favourites: createFavourites(ctx),
    avatars: createAvatars({ ...ctx, throttle }),
    audit: createAudit(ctx),
  };
}
