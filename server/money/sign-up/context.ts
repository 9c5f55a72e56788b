import type { Accounts } from "../../members/accounts/accounts.ts";
import type { Challenges } from "../../members/challenges/challenges.ts";
import type { Codes } from "../companies/codes.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Membership } from "../membership/membership.ts";
import type { Gifts } from "../gifts/gifts.ts";
import type { Payments } from "../payments/payments.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { SignedIds } from "../../platform/seal.ts";
import type { Sessions } from "../../members/sessions/sessions.ts";
import type { CompletionContext } from "./completion.ts";
import type { DraftRow } from "./drafts.ts";
import type { Joining } from "./joining.ts";

export type SignUpContext = Context & {
  accounts: Accounts;
  joining: Joining;
  sessions: Sessions;
  membership: Membership;
  codes: Codes;
  payments: Payments;
  gifts: Gifts;
  challenges: Challenges;
  rateLimiter: RateLimiter;
  renewalLinks: SignedIds;
  emails: CompletionContext["emails"] & { verification(email: VerificationEmail, trx: Queries): Promise<void> };
  productName: string;
  /** Payers must ask to start at once (the setting `START_AT_ONCE`). */
  startsAtOnce: boolean;
};

/** `token` for the link, `code` to be typed. */
export type VerificationEmail = VerificationRecipient & { code: string; token: string };

export type VerificationRecipient = Pick<DraftRow, "id" | "email" | "firstName" | "site">;

/** The network address, and the site that the visitor used (`https://host/base/`), for links in emails. */
export type RequestSource = { address: string; site: string };
