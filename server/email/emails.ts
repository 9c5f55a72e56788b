import type { Member } from "../accounts/accounts.ts";
import type {
  AccountClosedEmail,
  AccountErasedEmail,
  AddressChangedEmail,
  ConfirmAddressEmail,
  PasswordChangedEmail,
  ResetEmail,
} from "../accounts/context.ts";
import { CODE_LIFE_IN_MS } from "../challenges/challenges.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Company } from "../codes/company.ts";
import type { Queries } from "../database/database.ts";
import type { Attempt } from "../payments/attempts.ts";
import type { RefundCause } from "../payments/context.ts";
import type { Order } from "../payments/orders.ts";
import { toReceipt } from "../payments/records.ts";
import type { VerificationEmail } from "../sign-up/context.ts";
import type { Outbox } from "./outbox.ts";
import {
  accountClosedEmail,
  accountErasedEmail,
  addressChangedEmail,
  confirmNewAddressEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from "./templates/account.ts";
import { companyMandateEmail, companyStoppedEmail } from "./templates/company.ts";
import type { Sender } from "./templates/layout.ts";
import {
  membershipEndedEmail,
  receiptEmail,
  refundEmail,
  type RefundFacts,
  renewalReminderEmail,
  welcomeEmail,
} from "./templates/membership.ts";

/**
 * Who is written to about what: makes the email and puts it into the outbox, as part of the transaction of its cause. The key of
 * an email names that cause, so the same one writes once.
 */
export type Emails = ReturnType<typeof createEmails>;

/** The end of a subscription, for the emails before and at it. */
export type Ending = { subscriptionId: number; member: Member; endsAt: Date; link: string; site: string };

export type EmailsContext = {
  outbox: Outbox;
  product: { name: string; contactEmail: string };
  /** The site in emails that no visitor's request is the cause of. */
  site: string;
};

/** The sender, as a site sees it. */
export function toSender({ name, contactEmail }: EmailsContext["product"], site: string): Sender {
  return { productName: name, contactEmail, site };
}

/** Enough of a secret to tell two apart, too little to be of use. */
function toCause(token: string): string {
  return token.slice(0, 8);
}

const minutes = CODE_LIFE_IN_MS / MINUTE_IN_MS;

export function createEmails(ctx: EmailsContext) {
  return {
    ...visitorEmails(ctx),
    ...memberEmails(ctx),
    ...wayInEmails(ctx),
    ...addressEmails(ctx),
    ...leavingEmails(ctx),
    ...companyEmails(ctx),
  };
}

function visitorEmails({ outbox, product }: EmailsContext) {
  return {
    /** Each challenge is one email. */
    async verification({ email, firstName, site, code, token }: VerificationEmail, trx: Queries): Promise<void> {
      const link = `${site}signup?verify=${token}`;
      const facts = { name: "verification" as const, firstName, code, token, site };
      const mail = {
        ...verificationEmail({ sender: toSender(product, site), firstName, code, link, minutes }),
        facts,
      };
      const key = `verification ${toCause(token)}`;
      await outbox.add({ key, kind: "verification", to: email, mail, isSecret: true }, trx);
    },

    async refund({ order, attempt, cause }: Refund, trx: Queries): Promise<void> {
      const { firstName, email, site } = order;
      // Money that came after the payer was forgotten goes back without an email.
      if (email === "") return;
      const facts = { firstName, amountInPence: attempt.amountInPence, reason: refundReasons[cause] };
      const mail = refundEmail({ sender: toSender(product, site), ...facts });
      await outbox.add({ key: `refund payment-${attempt.id}`, kind: "refund", to: email, mail }, trx);
    },
  };
}

type Refund = { order: Order; attempt: Attempt; cause: RefundCause };

function memberEmails({ outbox, product }: EmailsContext) {
  return {
    async welcome(
      { member, endsAt, site }: { member: Member; endsAt: Date; site: string },
      trx: Queries,
    ): Promise<void> {
      const { id, email, firstName, accountType } = member;
      const mail = welcomeEmail({ sender: toSender(product, site), firstName, accountType, endsAt });
      await outbox.add({ key: `welcome member-${id}`, kind: "welcome", to: email, memberId: id, mail }, trx);
    },

    async receipt(order: Order, trx: Queries): Promise<void> {
      const receipt = toReceipt(order);
      if (!receipt) throw new Error("An order without a receipt was completed");
      const { id, email, memberId, site } = order;
      const mail = receiptEmail({ sender: toSender(product, site), receiptNumber: receipt.number, ...receipt });
      await outbox.add({ key: `receipt order-${id}`, kind: "receipt", to: email, memberId, mail }, trx);
    },

    async renewalReminder({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = renewalReminderEmail({ sender: toSender(product, site), firstName, endsAt, link });
      const key = `renewal-reminder subscription-${subscriptionId}`;
      await outbox.add({ key, kind: "renewal-reminder", to: email, memberId: id, mail }, trx);
    },

    async membershipEnded({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = membershipEndedEmail({ sender: toSender(product, site), firstName, endedAt: endsAt, link });
      const key = `membership-ended subscription-${subscriptionId}`;
      await outbox.add({ key, kind: "membership-ended", to: email, memberId: id, mail }, trx);
    },
  };
}

/** To a company's contact. */
function companyEmails({ outbox, product, site }: EmailsContext) {
  return {
    /** The page on which it agrees. */
    async companyMandate(wanted: { company: Company; authorisationUrl: string }, trx: Queries): Promise<void> {
      const { company, authorisationUrl } = wanted;
      const { id, name: companyName, contactEmail, accounts, priceInPence: yearlyPriceInPence } = company;
      const facts = { companyName, accounts, yearlyPriceInPence, authorisationUrl };
      const mail = companyMandateEmail({ sender: toSender(product, site), ...facts });
      const key = `company-mandate company-${id} ${authorisationUrl.slice(-8)}`;
      await outbox.add({ key, kind: "company-mandate", to: contactEmail, mail }, trx);
    },

    /** Its payment has failed, and how long its code goes on working. */
    async onGrace(company: Company, trx: Queries): Promise<void> {
      const { id, name: companyName, contactEmail, graceEndsAt } = company;
      if (!graceEndsAt) return;
      const mail = companyStoppedEmail({ sender: toSender(product, site), companyName, graceEndsAt });
      const key = `company-stopped company-${id} ${graceEndsAt.toISOString()}`;
      await outbox.add({ key, kind: "company-stopped", to: contactEmail, mail }, trx);
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

function wayInEmails({ outbox, product, site: ownSite }: EmailsContext) {
  return {
    /** Without a member the same is done and rolled back, so that the time it takes does not show who has an account. */
    async passwordReset({ member, site, code, token }: ResetEmail, trx: Queries): Promise<void> {
      const link = `${site}login?reset=3&token=${token}`;
      const { id, email = "", firstName = "" } = member ?? {};
      const mail = passwordResetEmail({ sender: toSender(product, site), firstName, code, link, minutes });
      const key = `password-reset ${toCause(token)}`;
      await outbox.add({ key, kind: "password-reset", to: email, memberId: id, mail, isSecret: true }, trx);
      await outbox.withdraw(member ? `${key} to nobody` : key, trx);
    },

    async passwordChanged({ member, at }: PasswordChangedEmail, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = passwordChangedEmail({ sender: toSender(product, ownSite), firstName });
      const key = `password-changed member-${id} ${at.toISOString()}`;
      await outbox.add({ key, kind: "password-changed", to: email, memberId: id, mail }, trx);
    },
  };
}

function addressEmails({ outbox, product, site: ownSite }: EmailsContext) {
  return {
    async confirmAddress(wanted: ConfirmAddressEmail, trx: Queries): Promise<void> {
      const { member, newEmail, site, code, token } = wanted;
      const { id, firstName } = member;
      const link = `${site}?account=confirm-email&token=${token}`;
      const mail = confirmNewAddressEmail({ sender: toSender(product, site), firstName, code, link, minutes });
      const key = `confirm-new-address ${toCause(token)}`;
      await outbox.add({ key, kind: "confirm-new-address", to: newEmail, memberId: id, mail, isSecret: true }, trx);
    },

    async addressChanged({ member, token, until }: AddressChangedEmail, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const undoLink = `${ownSite}login?undo=${token}`;
      const mail = addressChangedEmail({ sender: toSender(product, ownSite), firstName, undoLink, until });
      const key = `address-changed ${toCause(token)}`;
      await outbox.add({ key, kind: "address-changed", to: email, memberId: id, mail, isSecret: true }, trx);
    },
  };
}

function leavingEmails({ outbox, product, site: ownSite }: EmailsContext) {
  return {
    async accountClosed({ member, site, token, eraseAt }: AccountClosedEmail, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const reopenLink = `${site}login?reopen=${token}`;
      const mail = accountClosedEmail({ sender: toSender(product, site), firstName, eraseAt, reopenLink });
      const key = `account-closed ${toCause(token)}`;
      await outbox.add({ key, kind: "account-closed", to: email, memberId: id, mail, isSecret: true }, trx);
    },

    /** To a former member, of whom nothing else is left. */
    async accountErased({ member }: AccountErasedEmail, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = accountErasedEmail({ sender: toSender(product, ownSite), firstName });
      await outbox.add({ key: `account-erased member-${id}`, kind: "account-erased", to: email, mail }, trx);
    },
  };
}
