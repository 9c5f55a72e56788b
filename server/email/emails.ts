import type { Member } from "../accounts/accounts.ts";
import type { AccountEmails } from "../accounts/context.ts";
import { CODE_LIFE_IN_MS } from "../challenges/challenges.ts";
import { MINUTE_IN_MS } from "../clock.ts";
import type { Company } from "../codes/company.ts";
import type { InvitationMail, LogInMail } from "../company-page/contacts.ts";
import type { Queries } from "../database/database.ts";
import type { PaymentEmails, RefundCause } from "../payments/context.ts";
import { toReceipt } from "../payments/records.ts";
import type { SignUpContext } from "../sign-up/context.ts";
import type { OutgoingEmail, Outbox } from "./outbox.ts";
import {
  accountClosedEmail,
  accountErasedEmail,
  addressChangedEmail,
  addressQuestionEmail,
  confirmNewAddressEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from "./templates/account.ts";
import {
  companyInvitationEmail,
  companyLiveEmail,
  companyLogInEmail,
  companyMandateEmail,
  companyStoppedEmail,
} from "./templates/company.ts";
import type { Sender } from "./templates/layout.ts";
import {
  membershipEndedEmail,
  receiptEmail,
  refundEmail,
  type RefundReason,
  renewalReminderEmail,
  welcomeEmail,
} from "./templates/membership.ts";

/** Which email goes to which person: each is written and put into the outbox, as part of the transaction of its cause. */
export type Emails = ReturnType<typeof createEmails>;

/** The end of a subscription, for the emails before and at it. */
export type Ending = { subscriptionId: number; member: Member; endsAt: Date; link: string; site: string };

export type EmailsContext = {
  outbox: Outbox;
  product: { name: string; contactEmail: string; companyEmail: string };
  /** The site in emails that no visitor's request is the cause of. */
  site: string;
};

export function createEmails(ctx: EmailsContext) {
  return { ...orderEmails(ctx), ...termEmails(ctx), ...accountEmails(ctx), ...companyEmails(ctx) };
}

/** The sender, as a site sees it. */
export function toSender(
  { name, contactEmail }: Pick<EmailsContext["product"], "name" | "contactEmail">,
  site: string,
): Sender {
  return { productName: name, contactEmail, site };
}

/** An email's key is its kind and its cause, so the same cause writes once. */
type NewEmail = Omit<OutgoingEmail, "key"> & { cause: string };

function addEmail({ outbox }: EmailsContext, { cause, ...email }: NewEmail, trx: Queries): Promise<void> {
  return outbox.add({ ...email, key: `${email.kind} ${cause}` }, trx);
}

/** Enough of a secret to tell two apart, too little to be of use. */
function toCause(token: string): string {
  return token.slice(0, 8);
}

const minutes = CODE_LIFE_IN_MS / MINUTE_IN_MS;

/** About a draft, and about the money for it. */
function orderEmails(ctx: EmailsContext): SignUpContext["emails"] & PaymentEmails {
  const { product } = ctx;
  return {
    /** Each challenge is one email. */
    async verification({ email, firstName, site, code, token }, trx) {
      const link = `${site}signup?verify=${token}`;
      const facts = { name: "verification" as const, firstName, code, token, site };
      const mail = {
        ...verificationEmail({ sender: toSender(product, site), firstName, code, link, minutes }),
        facts,
      };
      await addEmail(ctx, { kind: "verification", cause: toCause(token), to: email, mail, isSecret: true }, trx);
    },

    async receipt(order, trx) {
      const receipt = toReceipt(order);
      if (!receipt) throw new Error("An order without a receipt was completed");
      const { id, email, memberId, site } = order;
      const mail = receiptEmail({ sender: toSender(product, site), receiptNumber: receipt.number, ...receipt });
      await addEmail(ctx, { kind: "receipt", cause: `order-${id}`, to: email, memberId, mail }, trx);
    },

    async refund({ order, attempt, cause }, trx) {
      const { firstName, email, site } = order;
      // Money that came after the payer was forgotten goes back without an email.
      if (email === "") return;
      const facts = { firstName, amountInPence: attempt.amountInPence, reason: refundReasons[cause] };
      const mail = refundEmail({ sender: toSender(product, site), ...facts });
      await addEmail(ctx, { kind: "refund", cause: `payment-${attempt.id}`, to: email, mail }, trx);
    },
  };
}

const refundReasons: Record<RefundCause, RefundReason> = {
  "email-registered": "account-exists",
  "already-completed": "paid-twice",
  "paid-twice": "paid-twice",
  "member-gone": "account-gone",
  "sign-up-gone": "account-gone",
  "wrong-amount": "wrong-amount",
  "given-back": "given-back",
};

/** At the beginning and the end of a membership. */
function termEmails(ctx: EmailsContext) {
  const { product } = ctx;
  return {
    async welcome({ member, endsAt, site }: Pick<Ending, "member" | "endsAt" | "site">, trx: Queries): Promise<void> {
      const { id, email, firstName, accountType } = member;
      const mail = welcomeEmail({ sender: toSender(product, site), firstName, accountType, endsAt });
      await addEmail(ctx, { kind: "welcome", cause: `member-${id}`, to: email, memberId: id, mail }, trx);
    },

    async renewalReminder({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = renewalReminderEmail({ sender: toSender(product, site), firstName, endsAt, link });
      const cause = `subscription-${subscriptionId}`;
      await addEmail(ctx, { kind: "renewal-reminder", cause, to: email, memberId: id, mail }, trx);
    },

    async membershipEnded({ subscriptionId, member, endsAt, link, site }: Ending, trx: Queries): Promise<void> {
      const { id, email, firstName } = member;
      const mail = membershipEndedEmail({ sender: toSender(product, site), firstName, endedAt: endsAt, link });
      const cause = `subscription-${subscriptionId}`;
      await addEmail(ctx, { kind: "membership-ended", cause, to: email, memberId: id, mail }, trx);
    },
  };
}

function accountEmails(ctx: EmailsContext): AccountEmails {
  const { outbox, product } = ctx;
  return {
    /** Without a member the same is done and rolled back, so that the time it takes does not show who has an account. */
    async passwordReset({ member, site, code, token }, trx) {
      const link = `${site}login?reset=3&token=${token}`;
      const { id, email = "", firstName = "" } = member ?? {};
      const mail = passwordResetEmail({ sender: toSender(product, site), firstName, code, link, minutes });
      const [kind, cause] = ["password-reset", toCause(token)] as const;
      await addEmail(ctx, { kind, cause, to: email, memberId: id, mail, isSecret: true }, trx);
      await outbox.withdraw(`${kind} ${cause}${member ? " to nobody" : ""}`, trx);
    },

    async passwordChanged({ member: { id, email, firstName }, at, site = ctx.site }, trx) {
      const mail = passwordChangedEmail({ sender: toSender(product, site), firstName });
      const cause = `member-${id} ${at.toISOString()}`;
      await addEmail(ctx, { kind: "password-changed", cause, to: email, memberId: id, mail }, trx);
    },

    async confirmAddress({ member: { id, firstName }, newEmail, site, code, token, countsFrom }, trx) {
      const link = `${site}?account=confirm-email&token=${token}`;
      const mail = confirmNewAddressEmail({
        sender: toSender(product, site),
        firstName,
        code,
        link,
        minutes,
        countsFrom,
      });
      const email = { cause: toCause(token), to: newEmail, memberId: id, mail, isSecret: true };
      await addEmail(ctx, { kind: "confirm-new-address", ...email }, trx);
    },

    async addressChangeAsked({ member: { id, email, firstName }, site, token, ...facts }, trx) {
      const link = `${site}login?answer=${token}`;
      const mail = addressQuestionEmail({ sender: toSender(product, site), firstName, link, ...facts });
      const [kind, cause] = ["address-change-asked", toCause(token)] as const;
      await addEmail(ctx, { kind, cause, to: email, memberId: id, mail, isSecret: true }, trx);
    },

    async addressChanged({ member: { id, email, firstName }, token, until, site = ctx.site }, trx) {
      const undoLink = `${site}login?undo=${token}`;
      const mail = addressChangedEmail({ sender: toSender(product, site), firstName, undoLink, until });
      const cause = toCause(token);
      await addEmail(ctx, { kind: "address-changed", cause, to: email, memberId: id, mail, isSecret: true }, trx);
    },

    async accountClosed({ member: { id, email, firstName }, site, token, eraseAt }, trx) {
      const reopenLink = `${site}login?reopen=${token}`;
      const mail = accountClosedEmail({ sender: toSender(product, site), firstName, eraseAt, reopenLink });
      const cause = toCause(token);
      await addEmail(ctx, { kind: "account-closed", cause, to: email, memberId: id, mail, isSecret: true }, trx);
    },

    /** To a former member, of whom nothing else is left. */
    async accountErased({ member: { id, email, firstName } }, trx) {
      const mail = accountErasedEmail({ sender: toSender(product, ctx.site), firstName });
      await addEmail(ctx, { kind: "account-erased", cause: `member-${id}`, to: email, mail }, trx);
    },
  };
}

/** To a company's contacts, who write and answer to an address of their own. */
function companyEmails(ctx: EmailsContext) {
  const { name, companyEmail } = ctx.product;
  const senderOf = (site: string) => toSender({ name, contactEmail: companyEmail }, site);
  const add = ({ mail, ...email }: NewEmail, trx: Queries) =>
    addEmail(ctx, { ...email, mail: { ...mail, replyTo: companyEmail } }, trx);
  return {
    /** The page on which it agrees. */
    async companyMandate(
      { company, authorisationUrl, site }: { company: Company; authorisationUrl: string; site: string },
      trx: Queries,
    ): Promise<void> {
      const mail = companyMandateEmail({ sender: senderOf(site), company, authorisationUrl });
      const cause = `company-${company.id} ${authorisationUrl.slice(-8)}`;
      await add({ kind: "company-mandate", cause, to: company.contactEmail, mail }, trx);
    },

    /** Its payment has failed, and how long its code goes on working. */
    async onGrace({ id, name: companyName, contactEmail, graceEndsAt }: Company, trx: Queries): Promise<void> {
      if (!graceEndsAt) return;
      const mail = companyStoppedEmail({ sender: senderOf(ctx.site), companyName, graceEndsAt });
      const cause = `company-${id} ${graceEndsAt.toISOString()}`;
      await add({ kind: "company-stopped", cause, to: contactEmail, mail }, trx);
    },

    /** Its people can join now: the code, the poster, and the way to its own page. */
    async onLive({ id, name: companyName, contactEmail, code }: Company, trx: Queries): Promise<void> {
      const { site } = ctx;
      const links = { poster: `${site}company/poster`, page: `${site}company` };
      const mail = companyLiveEmail({ sender: senderOf(site), companyName, code, links });
      await add({ kind: "company-live", cause: `company-${id}`, to: contactEmail, mail }, trx);
    },

    /** To a person who may see a company's page from now on. */
    async companyInvitation({ contact, companyName, site }: InvitationMail, trx: Queries): Promise<void> {
      const { id, email, invitedAt } = contact;
      const facts = { companyName, link: `${site}company` };
      const mail = companyInvitationEmail({ sender: senderOf(site), ...facts });
      const cause = `contact-${id} ${invitedAt.toISOString()}`;
      await add({ kind: "company-invitation", cause, to: email, mail }, trx);
    },

    /** Without a contact the same is done and rolled back, so that the time it takes does not show who is one. */
    async companyLogIn({ contact, companyName, site, code, token }: LogInMail, trx: Queries): Promise<void> {
      const facts = { companyName, code, link: `${site}company?token=${token}`, minutes };
      const mail = companyLogInEmail({ sender: senderOf(site), ...facts });
      const [kind, cause] = ["company-log-in", toCause(token)] as const;
      await add({ kind, cause, to: contact?.email ?? "", mail, isSecret: true }, trx);
      await ctx.outbox.withdraw(`${kind} ${cause}${contact ? " to nobody" : ""}`, trx);
    },
  };
}
