import { accountClosedLetter } from "../../server/mail/letters/account-closed.ts";
import { accountErasedLetter } from "../../server/mail/letters/account-erased.ts";
import { addressChangedLetter } from "../../server/mail/letters/address-changed.ts";
import { companyMandateLetter } from "../../server/mail/letters/company-mandate.ts";
import { companyStoppedLetter } from "../../server/mail/letters/company-stopped.ts";
import { confirmNewAddressLetter } from "../../server/mail/letters/confirm-new-address.ts";
import type { Letter, LetterHouse, LetterKind } from "../../server/mail/letters/letter.ts";
import { membershipEndedLetter } from "../../server/mail/letters/membership-ended.ts";
import { passwordChangedLetter } from "../../server/mail/letters/password-changed.ts";
import { passwordResetLetter } from "../../server/mail/letters/password-reset.ts";
import { receiptLetter } from "../../server/mail/letters/receipt.ts";
import { refundLetter } from "../../server/mail/letters/refund.ts";
import { renewalReminderLetter } from "../../server/mail/letters/renewal-reminder.ts";
import { verificationLetter } from "../../server/mail/letters/verification.ts";
import { welcomeLetter } from "../../server/mail/letters/welcome.ts";

export const house: LetterHouse = {
  productName: "Dormouse",
  contactEmail: "hello@dormouse.example",
  site: "https://members.example.org/",
};

export const link = `https://members.example.org/signup?verify=${"aB3-_".repeat(30)}&next=1`;

/** Half past eleven at night in UTC is the next day in London. */
export const summerNight = new Date("2027-06-30T23:30:00.000Z");
const autumn = new Date("2026-11-20T03:00:00.000Z");

/** Every letter, with one text in every place where somebody outside can put one. */
export function writeAll(word: string, within: LetterHouse = house): Record<LetterKind, Letter> {
  const person = { house: within, firstName: word };
  const firm = { house: within, companyName: word };
  return {
    verification: verificationLetter({ ...person, code: "271828", link, minutes: 30 }),
    receipt: receiptLetter({
      house: within,
      receiptNumber: "D-2026-0001",
      planLabel: "Yearly",
      amountInPence: 6000,
      accountType: "individual",
      paidAt: autumn,
      startsAt: autumn,
      endsAt: summerNight,
    }),
    welcome: welcomeLetter({ ...person, accountType: "individual", endsAt: summerNight }),
    refund: refundLetter({ ...person, amountInPence: 6000, reason: "account-exists" }),
    "renewal-reminder": renewalReminderLetter({ ...person, endsAt: summerNight, link }),
    "membership-ended": membershipEndedLetter({ ...person, endedAt: summerNight, link }),
    "company-mandate": companyMandateLetter({
      ...firm,
      accounts: 50,
      yearlyPriceInPence: 125_000,
      authorisationUrl: link,
    }),
    "company-stopped": companyStoppedLetter({ ...firm, graceEndsAt: autumn }),
    "password-reset": passwordResetLetter({ ...person, code: "314159", link, minutes: 10 }),
    "password-changed": passwordChangedLetter(person),
    "confirm-new-address": confirmNewAddressLetter({ ...person, code: "161803", link, minutes: 10 }),
    "address-changed": addressChangedLetter({ ...person, undoLink: link, until: summerNight }),
    "account-closed": accountClosedLetter({ ...person, eraseAt: summerNight, reopenLink: link }),
    "account-erased": accountErasedLetter(person),
  };
}

export const all = writeAll("ada");
