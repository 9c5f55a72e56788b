import {
  accountClosedEmail,
  accountErasedEmail,
  addressChangedEmail,
  confirmNewAddressEmail,
  passwordChangedEmail,
  passwordResetEmail,
  verificationEmail,
} from "../../server/email/templates/account.ts";
import { companyMandateEmail, companyStoppedEmail } from "../../server/email/templates/company.ts";
import type { EmailContent, Sender, EmailKind } from "../../server/email/templates/layout.ts";
import {
  membershipEndedEmail,
  receiptEmail,
  refundEmail,
  renewalReminderEmail,
  welcomeEmail,
} from "../../server/email/templates/membership.ts";

export const sender: Sender = {
  productName: "Dormouse",
  contactEmail: "hello@dormouse.example",
  site: "https://members.example.org/",
};

export const link = `https://members.example.org/signup?verify=${"aB3-_".repeat(30)}&next=1`;

/** Half past eleven at night in UTC is the next day in London. */
export const summerNight = new Date("2027-06-30T23:30:00.000Z");
const autumn = new Date("2026-11-20T03:00:00.000Z");

/** Every email, with one text in every place where somebody outside can put one. */
export function writeAll(word: string, within: Sender = sender): Record<EmailKind, EmailContent> {
  const person = { sender: within, firstName: word };
  const firm = { sender: within, companyName: word };
  return {
    verification: verificationEmail({ ...person, code: "271828", link, minutes: 30 }),
    receipt: receiptEmail({
      sender: within,
      receiptNumber: "D-2026-0001",
      planLabel: "Yearly",
      amountInPence: 6000,
      accountType: "individual",
      paidAt: autumn,
      startsAt: autumn,
      endsAt: summerNight,
    }),
    welcome: welcomeEmail({ ...person, accountType: "individual", endsAt: summerNight }),
    refund: refundEmail({ ...person, amountInPence: 6000, reason: "account-exists" }),
    "renewal-reminder": renewalReminderEmail({ ...person, endsAt: summerNight, link }),
    "membership-ended": membershipEndedEmail({ ...person, endedAt: summerNight, link }),
    "company-mandate": companyMandateEmail({
      ...firm,
      accounts: 50,
      yearlyPriceInPence: 125_000,
      authorisationUrl: link,
    }),
    "company-stopped": companyStoppedEmail({ ...firm, graceEndsAt: autumn }),
    "password-reset": passwordResetEmail({ ...person, code: "314159", link, minutes: 10 }),
    "password-changed": passwordChangedEmail(person),
    "confirm-new-address": confirmNewAddressEmail({ ...person, code: "161803", link, minutes: 10 }),
    "address-changed": addressChangedEmail({ ...person, undoLink: link, until: summerNight }),
    "account-closed": accountClosedEmail({ ...person, eraseAt: summerNight, reopenLink: link }),
    "account-erased": accountErasedEmail(person),
  };
}

export const all = writeAll("ada");
