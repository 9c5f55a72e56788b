import { createAccounts } from "../../server/accounts/accounts.ts";
import { createChallenges } from "../../server/challenges/challenges.ts";
import type { Context } from "../../server/context.ts";
import { createEmails } from "../../server/email/emails.ts";
import { createOutbox } from "../../server/email/outbox.ts";
import { createSeal } from "../../server/seal.ts";
import { createSessions } from "../../server/sessions/sessions.ts";
import { createRateLimiter } from "../../server/rate-limit/rate-limit.ts";
import { createEmailList } from "./email-list.ts";

/** Members and what they do about their accounts, for tests that need no more of the product. */
export function createTestAccounts(ctx: Context) {
  const product = { name: "Dormouse", contactEmail: "hello@dormouse.test" };
  const outbox = createOutbox({ ...ctx, mailer: createEmailList(), seal: createSeal("secret", "letters") });
  return createAccounts({
    ...ctx,
    sessions: createSessions(ctx),
    challenges: createChallenges(ctx),
    rateLimiter: createRateLimiter(ctx),
    emails: createEmails({ outbox, product, site: "http://dormouse.test/" }),
    undoSeal: createSeal("secret", "undo-address"),
    productName: product.name,
  });
}

/** Answers the id of a new member of that first name. */
export async function admitMember(ctx: Context, firstName: string): Promise<number> {
  const details = { firstName, lastName: "Lovell", accountType: "individual", passwordHash: "none" } as const;
  const email = `${firstName.toLowerCase()}@dormouse.example`;
  const member = await createTestAccounts(ctx).accounts.admit({ ...details, email }, ctx.db);
  return member?.id ?? 0;
}
