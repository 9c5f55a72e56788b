import type { Member } from "../accounts/accounts.ts";
import { CODE_LIFE_IN_MS } from "../challenges/challenges.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Company } from "../codes/company-rows.ts";
import type { Queries } from "../database/database.ts";
import type { Order } from "../payments/order-rows.ts";
import { toReceipt } from "../payments/receipts.ts";
import type { Attempt } from "../payments/attempt-rows.ts";
import type { RefundCause } from "../payments/settlement.ts";
import type { VerificationLetter } from "../sign-up/verification.ts";
import { createAccountPost } from "./account-post.ts";
import { companyMandateLetter } from "./letters/company-mandate.ts";
import { companyStoppedLetter } from "./letters/company-stopped.ts";
import { membershipEndedLetter } from "./letters/membership-ended.ts";
import { receiptLetter } from "./letters/receipt.ts";
import { refundLetter, type RefundFacts } from "./letters/refund.ts";
import { renewalReminderLetter } from "./letters/renewal-reminder.ts";
import { verificationLetter } from "./letters/verification.ts";
import { welcomeLetter } from "./letters/welcome.ts";
import { toCause, toHouse, type PostSetting } from "./post-setting.ts";

/**
 * Who is written to about what: makes the letter and puts it into the outbox, as part of the transaction of its cause. The key of
 * a letter names that cause, so the same one writes once.
 */
export type Post = ReturnType<typeof createPost>;

/** The end of a subscription, for the letters before and at it. */
export type Ending = { subscriptionId: number; member: Member; endsAt: Date; link: string; site: string };

export function createPost(setting: PostSetting) {
  return {
    ...createVisitorPost(setting),
    ...createMemberPost(setting),
    ...createAccountPost(setting),
    ...createCompanyPost(setting),
  };
}

function createVisitorPost({ outbox, product }: PostSetting) {
  return {
    /** Each challenge is one letter. */
    async verification({ email, firstName, site, code, token }: VerificationLetter, trx: Queries): Promise<void> {
      const link = `${site}signup?verify=${token}`;
      const minutes = CODE_LIFE_IN_MS / MINUTE_IN_MS;
      const facts = { name: "verification" as const, firstName, code, token, site };
      const letter = {
        ...verificationLetter({ house: toHouse(product, site), firstName, code, link, minutes }),
        facts,
      };
      const key = `verification ${toCause(token)}`;
      await outbox.add({ key, kind: "verification", to: email, letter, isSecret: true }, trx);
    },

    async refund({ order, attempt, cause }: Refund, trx: Queries): Promise<void> {
      const { firstName, email, site } = order;
      // Money that came after all, long after whose it is was forgotten: it goes back without a word.
      if (email === "") return;
      const facts = { firstName, amountInPence: attempt.amountInPence, reason: refundReasons[cause] };
      const letter = refundLetter({ house: toHouse(product, site), ...facts });
      await outbox.add({ key: `refund payment-${attempt.id}`, kind: "refund", to: email, letter }, trx);
    },
  };
}

type Refund = { order: Order; attempt: Attempt; cause: RefundCause };

function createMemberPost({ outbox, product }: PostSetting) {
  return {
    async welcome(
      { member, endsAt, site }: { member: Member; endsAt: Date; site: string },
      trx: Queries,
    ): Promise<void> {
      const { id, email, firstName, accountType } = member;
      const letter = welcomeLetter({ house: toHouse(product, site), firstName, accountType, endsAt });
      await outbox.add({ key: `welcome member-${id}`, kind: "welcome", to: email, memberId: id, letter }, trx);
    },

    async receipt(order: Order, trx: Queries): Promise<void> {
      const receipt = toReceipt(order);
      if (!receipt) throw new Error("An order without a receipt was completed");
      const { id, email, memberId, site } = order;
      const letter = receiptLetter({ house: toHouse(product, site), receiptNumber: receipt.number, ...receipt });
      await outbox.add({ key: `receipt order-${id}`, kind: "receipt", to: email, memberId, letter }, trx);
    },

    async renewalReminder({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const letter = renewalReminderLetter({ house: toHouse(product, site), firstName, endsAt, link });
      const key = `renewal-reminder subscription-${subscriptionId}`;
      await outbox.add({ key, kind: "renewal-reminder", to: email, memberId: id, letter }, trx);
    },

    async membershipEnded({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const letter = membershipEndedLetter({ house: toHouse(product, site), firstName, endedAt: endsAt, link });
      const key = `membership-ended subscription-${subscriptionId}`;
      await outbox.add({ key, kind: "membership-ended", to: email, memberId: id, letter }, trx);
    },
  };
}

/** To a company's contact. */
function createCompanyPost({ outbox, product, site }: PostSetting) {
  return {
    /** The page on which it agrees. */
    async companyMandate(wanted: { company: Company; authorisationUrl: string }, trx: Queries): Promise<void> {
      const { company, authorisationUrl } = wanted;
      const { id, name: companyName, contactEmail, accounts, priceInPence: yearlyPriceInPence } = company;
      const facts = { companyName, accounts, yearlyPriceInPence, authorisationUrl };
      const letter = companyMandateLetter({ house: toHouse(product, site), ...facts });
      const key = `company-mandate company-${id} ${authorisationUrl.slice(-8)}`;
      await outbox.add({ key, kind: "company-mandate", to: contactEmail, letter }, trx);
    },

    /** Its payment has failed, and how long its code goes on working. */
    async onGrace(company: Company, trx: Queries): Promise<void> {
      const { id, name: companyName, contactEmail, graceEndsAt } = company;
      if (!graceEndsAt) return;
      const letter = companyStoppedLetter({ house: toHouse(product, site), companyName, graceEndsAt });
      const key = `company-stopped company-${id} ${graceEndsAt.toISOString()}`;
      await outbox.add({ key, kind: "company-stopped", to: contactEmail, letter }, trx);
    },
  };
}

const refundReasons: Record<RefundCause, RefundFacts["reason"]> = {
  "email-registered": "account-exists",
  "already-completed": "paid-twice",
  "paid-twice": "paid-twice",
  "member-gone": "account-gone",
  "sign-up-gone": "account-gone",
  "wrong-amount": "wrong-amount",
};
