import type { Member } from "../accounts/accounts.ts";
import type { Company } from "../codes/company-rows.ts";
import type { Queries } from "../database/database.ts";
import type { Order } from "../payments/orders.ts";
import { toReceipt } from "../payments/receipts.ts";
import type { Attempt } from "../payments/attempts.ts";
import type { RefundCause } from "../payments/settlement.ts";
import type { VerificationLetter } from "../sign-up/verification.ts";
import { companyMandateLetter } from "./letters/company-mandate.ts";
import { companyStoppedLetter } from "./letters/company-stopped.ts";
import type { Letter, LetterHouse, LetterKind } from "./letters/letter.ts";
import { membershipEndedLetter } from "./letters/membership-ended.ts";
import { receiptLetter } from "./letters/receipt.ts";
import { refundLetter, type RefundFacts } from "./letters/refund.ts";
import { renewalReminderLetter } from "./letters/renewal-reminder.ts";
import { verificationLetter } from "./letters/verification.ts";
import { welcomeLetter } from "./letters/welcome.ts";
import type { Outbox } from "./outbox.ts";

/** Who is written to about what: makes the letter and puts it into the outbox, as part of the transaction of its cause. */
export type Post = ReturnType<typeof createPost>;

type PostSetting = {
  outbox: Outbox;
  product: { name: string; contactEmail: string };
  /** The site in letters that no visitor's request is the cause of. */
  site: string;
};

/** The end of a subscription, for the letters before and at it. */
export type Ending = { subscriptionId: number; member: Member; endsAt: Date; link: string; site: string };

/** See `challenges/challenges.ts`. */
const CODE_LIFE_IN_MINUTES = 10;

export function createPost({ outbox, product, site: ownSite }: PostSetting) {
  const house = (site: string): LetterHouse => ({
    productName: product.name,
    contactEmail: product.contactEmail,
    site,
  });

  function add(
    about: { key: string; kind: LetterKind; to: string; memberId?: number; isSecret?: boolean },
    letter: Letter,
    trx: Queries,
  ) {
    return outbox.add({ ...about, letter }, trx);
  }

  return {
    /** The token names the cause: each challenge is one letter. */
    verification({ email, firstName, site, code, token }: VerificationLetter, trx: Queries): Promise<void> {
      const link = `${site}signup?verify=${token}`;
      const letter = verificationLetter({ house: house(site), firstName, code, link, minutes: CODE_LIFE_IN_MINUTES });
      return add(
        { key: `verification ${toCause(token)}`, kind: "verification", to: email, isSecret: true },
        letter,
        trx,
      );
    },

    welcome({ member, endsAt, site }: { member: Member; endsAt: Date; site: string }, trx: Queries): Promise<void> {
      const { id, email, firstName, accountType } = member;
      const letter = welcomeLetter({ house: house(site), firstName, accountType, endsAt });
      return add({ key: `welcome member-${id}`, kind: "welcome", to: email, memberId: id }, letter, trx);
    },

    async receipt(order: Order, trx: Queries): Promise<void> {
      const receipt = toReceipt(order);
      if (!receipt || order.memberId === undefined) throw new Error("An order without a receipt was completed");
      const letter = receiptLetter({ house: house(order.site), receiptNumber: receipt.number, ...receipt });
      const about = { key: `receipt order-${order.id}`, kind: "receipt" as const, to: order.email };
      await add({ ...about, memberId: order.memberId }, letter, trx);
    },

    refund(
      { order, attempt, cause }: { order: Order; attempt: Attempt; cause: RefundCause },
      trx: Queries,
    ): Promise<void> {
      const { firstName, email, site } = order;
      const facts = { firstName, amountInPence: attempt.amountInPence, reason: refundReasons[cause] };
      const letter = refundLetter({ house: house(site), ...facts });
      return add({ key: `refund payment-${attempt.id}`, kind: "refund", to: email }, letter, trx);
    },

    renewalReminder({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const letter = renewalReminderLetter({ house: house(site), firstName: member.firstName, endsAt, link });
      const about = { key: `renewal-reminder subscription-${subscriptionId}`, kind: "renewal-reminder" as const };
      return add({ ...about, to: member.email, memberId: member.id }, letter, trx);
    },

    membershipEnded({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const letter = membershipEndedLetter({ house: house(site), firstName: member.firstName, endedAt: endsAt, link });
      const about = { key: `membership-ended subscription-${subscriptionId}`, kind: "membership-ended" as const };
      return add({ ...about, to: member.email, memberId: member.id }, letter, trx);
    },

    /** To a company's contact: the page on which it agrees. */
    companyMandate({ company, authorisationUrl }: { company: Company; authorisationUrl: string }, trx: Queries) {
      const { id, name, contactEmail, accounts, priceInPence } = company;
      const facts = { companyName: name, accounts, yearlyPriceInPence: priceInPence, authorisationUrl };
      const letter = companyMandateLetter({ house: house(ownSite), ...facts });
      const key = `company-mandate company-${id} ${authorisationUrl}`;
      return add({ key, kind: "company-mandate", to: contactEmail }, letter, trx);
    },

    /** To a company's contact: its payment has failed, and how long its code goes on working. */
    async onGrace(company: Company, trx: Queries): Promise<void> {
      const { id, name, contactEmail, graceEndsAt } = company;
      if (!graceEndsAt) return;
      const letter = companyStoppedLetter({ house: house(ownSite), companyName: name, graceEndsAt });
      const key = `company-stopped company-${id} ${graceEndsAt.toISOString()}`;
      await add({ key, kind: "company-stopped", to: contactEmail }, letter, trx);
    },
  };
}

/** Enough of a secret to tell two apart, too little to be of use. */
function toCause(token: string): string {
  return token.slice(0, 8);
}

const refundReasons: Record<RefundCause, RefundFacts["reason"]> = {
  "email-registered": "account-exists",
  "already-completed": "paid-twice",
  "paid-twice": "paid-twice",
  "member-gone": "account-gone",
  "sign-up-gone": "account-gone",
  "wrong-amount": "wrong-amount",
};
