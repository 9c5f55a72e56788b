import type { AccountType } from "../../database/schema.ts";
import { formatDate, formatPenceInFull } from "../../format.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";

export type ReceiptFacts = {
  house: LetterHouse;
  receiptNumber: string;
  planLabel: string;
  amountInPence: number;
  accountType: AccountType;
  paidAt: Date;
  startsAt: Date;
  endsAt: Date;
};

/** Tells a member what was taken, for what, and that nothing more will be; or that their company pays. */
export function receiptLetter(receipt: ReceiptFacts): Letter {
  const { house, receiptNumber, endsAt, accountType } = receipt;
  const words = {
    individual: {
      opening: "Thank you. Your payment has reached us.",
      paid: formatPenceInFull(receipt.amountInPence),
      end: "Nothing more is taken.",
    },
    corporate: {
      opening: "Your company pays for your membership. There is nothing for you to pay.",
      paid: "By your company",
      end: "Nothing is taken from you.",
    },
  }[accountType];
  return composeLetter({
    house,
    subject: `Your receipt ${receiptNumber}`,
    blocks: [
      paragraph(words.opening),
      facts([
        ["Receipt", receiptNumber],
        ["Membership", receipt.planLabel],
        ["Paid", words.paid],
        [accountType === "corporate" ? "Date" : "Paid on", formatDate(receipt.paidAt)],
        ["Starts on", formatDate(receipt.startsAt)],
        ["Ends on", formatDate(endsAt)],
      ]),
      paragraph(`Your membership ends by itself on ${formatDate(endsAt)}. ${words.end}`),
      button("See or print the receipt", `${house.site}?receipt=${encodeURIComponent(receiptNumber)}`),
    ],
  });
}
