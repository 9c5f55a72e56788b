import type { Context } from "../../context.ts";
import type { Accounts } from "../../members/accounts/accounts.ts";
import type { Audit } from "../../platform/audit/audit.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { RateLimiter } from "../../platform/rate-limit/rate-limit.ts";
import type { Codes } from "../companies/codes.ts";
import type { Membership } from "../membership/membership.ts";
import type { Payments } from "../payments/payments.ts";
import type { Gift } from "./gift.ts";

/** For the work of a gift within a transaction of orders. */
export type GiftContext = Context & {
  membership: Membership;
  codes: Codes;
  emails: GiftEmails;
};

export type GiftsContext = GiftContext & {
  accounts: Accounts;
  payments: Payments;
  rateLimiter: RateLimiter;
  audit: Audit;
  productName: string;
  isOffered: boolean;
};

/** Emails are queued in the transaction of their cause. `link`: to the page on which its giver sees the gift. */
export type GiftEmails = {
  gift(gift: Gift, trx: Queries): Promise<void>;
  giftReceipt(receipt: GiftReceipt, trx: Queries): Promise<void>;
  /** `when`: two weeks after it arrived, or a month before it ends. Without an address it goes to the giver. */
  giftReminder(reminder: { gift: Gift; when: "early" | "late"; link: string }, trx: Queries): Promise<void>;
  giftTakenUp(taken: { gift: Gift; link: string }, trx: Queries): Promise<void>;
  giftEnded(ended: { gift: Gift; link: string }, trx: Queries): Promise<void>;
};

export type GiftReceipt = {
  gift: Gift;
  link: string;
  receiptNumber: string;
  amountInPence: number;
  paidAt: Date;
  /** The last day for cancelling, such as `2026-12-11`. */
  cancelUntil: string;
};
