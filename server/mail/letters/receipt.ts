import { formatDate, formatPenceInFull } from "../../format.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";

export type ReceiptFacts = {
  house: LetterHouse;
  receiptNumber: string;
  planLabel: string;
  amountInPence: number;
  paidAt: Date;
  startsAt: Date;
  endsAt: Date;
};

/** Tells a payer what was taken, for what, and that nothing more will be. */
export function receiptLetter(receipt: ReceiptFacts): Letter {
  const { house, receiptNumber, endsAt } = receipt;
  return composeLetter({
    house,
    subject: `Your receipt ${receiptNumber}`,
    blocks: [
      paragraph("Thank you. Your payment has reached us."),
      facts([
        ["Receipt", receiptNumber],
        ["Membership", receipt.planLabel],
        ["Paid", formatPenceInFull(receipt.amountInPence)],
        ["Paid on", formatDate(receipt.paidAt)],
        ["Starts on", formatDate(receipt.startsAt)],
        ["Ends on", formatDate(endsAt)],
      ]),
      paragraph(`Your membership ends by itself on ${formatDate(endsAt)}. Nothing more is taken.`),
      button("See or print the receipt", `${house.site}?receipt=${encodeURIComponent(receiptNumber)}`),
    ],
  });
}
