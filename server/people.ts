import { createAccounts } from "./accounts/accounts.ts";
import { createAudit } from "./audit/audit.ts";
import { createAvatars } from "./avatars/avatars.ts";
import { createChallenges } from "./challenges/challenges.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { Emails } from "./email/emails.ts";
import { createFavourites } from "./favourites/favourites.ts";
import { createMembership } from "./membership/membership.ts";
import { createSeal } from "./seal.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createRateLimiter } from "./rate-limit/rate-limit.ts";

export type People = ReturnType<typeof createPeople>;

type PeopleContext = Context & { emails: Emails; config: Config };

/** The services that know members, where the accounts are kept here. */
export function createPeople(ctx: PeopleContext) {
  const { product, sessionSecret } = ctx.config;
  const sessions = createSessions(ctx);
  const rateLimiter = createRateLimiter(ctx);
  const challenges = createChallenges(ctx);
  const undoSeal = createSeal(sessionSecret, "undo-address");
  return {
    ...createAccounts({
      ...ctx,
      sessions,
      rateLimiter,
      challenges,
      emails: ctx.emails,
      undoSeal,
      productName: product.name,
    }),
    sessions,
    rateLimiter,
    challenges,
    membership: createMembership(ctx),
    favourites: createFavourites(ctx),
    avatars: createAvatars({ ...ctx, rateLimiter }),
    audit: createAudit(ctx),
  };
}
