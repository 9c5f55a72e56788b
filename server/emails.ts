import {
  accountClosedEmail,
  accountErasedEmail,
  addressChangedEmail,
  addressQuestionEmail,
  confirmAddressEmail,
  logInLinkEmail,
  passkeyAddedEmail,
  passkeyRemovedEmail,
  passwordSwitchedEmail,
  passwordChangedEmail,
  passwordResetEmail,
} from "./members/accounts/emails.ts";
import {
  companyContractEmail,
  companyInvitationEmail,
  companyLiveEmail,
  companyLogInEmail,
  companyMandateEmail,
  companyStoppedEmail,
} from "./money/companies/emails.ts";
import {
  giftEmail,
  giftEndedEmail,
  giftReceiptEmail,
  giftReminderEmail,
  giftTakenUpEmail,
} from "./money/gifts/emails.ts";
import { receiptEmail, refundEmail } from "./money/payments/emails.ts";
import {
  membershipEndedEmail,
  renewalLinkEmail,
  renewalReminderEmail,
  verificationEmail,
  welcomeEmail,
} from "./money/sign-up/emails.ts";
import { accountsMergedEmail, mergeCodeEmail } from "./operations/merging/emails.ts";
import { movedEmail } from "./operations/moving/emails.ts";
import { newsletterEmail } from "./operations/newsletter/emails.ts";
import type { Queries } from "./platform/database/database.ts";
import type { Email, EmailSettings } from "./platform/email/layout.ts";
import type { Outbox } from "./platform/email/outbox.ts";
import { testEmail } from "./platform/email/test-email.ts";

export type Emails = ReturnType<typeof createEmails>;

const toKey = ({ kind, cause }: Email) => `${kind} ${cause}`;

export function createEmails({ outbox, ...settings }: EmailSettings & { outbox: Outbox }) {
  function adds<Input>(write: (input: Input, settings: EmailSettings) => Email | undefined) {
    return async (input: Input, trx: Queries): Promise<void> => {
      const email = write(input, settings);
      if (email) await outbox.add({ ...email, key: toKey(email) }, trx);
    };
  }

  /** The email for an unknown address is added and withdrawn, so that the time does not reveal whether it is known. */
  function addsOrPretends<Input>(write: (input: Input, settings: EmailSettings) => Email) {
    return async (input: Input, trx: Queries): Promise<void> => {
      const email = write(input, settings);
      await outbox.add({ ...email, key: toKey(email) }, trx);
      await outbox.withdraw(`${toKey(email)}${email.to === "" ? "" : " to nobody"}`, trx);
    };
  }

  return {
    verification: adds(verificationEmail),
    welcome: adds(welcomeEmail),
    moved: adds(movedEmail),
    receipt: adds(receiptEmail),
    refund: adds(refundEmail),
    gift: adds(giftEmail),
    giftReceipt: adds(giftReceiptEmail),
    giftReminder: adds(giftReminderEmail),
    giftTakenUp: adds(giftTakenUpEmail),
    giftEnded: adds(giftEndedEmail),
    renewalLink: adds(renewalLinkEmail),
    renewalReminder: adds(renewalReminderEmail),
    membershipEnded: adds(membershipEndedEmail),
    passwordReset: addsOrPretends(passwordResetEmail),
    logInLink: addsOrPretends(logInLinkEmail),
    passkeyAdded: adds(passkeyAddedEmail),
    passkeyRemoved: adds(passkeyRemovedEmail),
    passwordSwitched: adds(passwordSwitchedEmail),
    passwordChanged: adds(passwordChangedEmail),
    confirmAddress: adds(confirmAddressEmail),
    addressQuestion: adds(addressQuestionEmail),
    addressChanged: adds(addressChangedEmail),
    accountClosed: adds(accountClosedEmail),
    accountErased: adds(accountErasedEmail),
    mergeCode: adds(mergeCodeEmail),
    accountsMerged: adds(accountsMergedEmail),
    companyMandate: adds(companyMandateEmail),
    companyContract: adds(companyContractEmail),
    onGrace: adds(companyStoppedEmail),
    onLive: adds(companyLiveEmail),
    companyInvitation: adds(companyInvitationEmail),
    companyLogIn: addsOrPretends(companyLogInEmail),
    newsletter: adds(newsletterEmail),
    /** Sent at once and not stored (`Outbox.sendTest`). */
    makeTest: () => testEmail(settings),
  };
}
