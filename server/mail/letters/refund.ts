import { formatPence, formatPenceInFull } from "../../format.ts";
import { button, composeLetter, facts, paragraph } from "./layout.ts";
import type { Letter, LetterHouse } from "./letter.ts";
import { greet } from "./words.ts";

export type RefundFacts = {
  house: LetterHouse;
  firstName: string;
  amountInPence: number;
  reason: RefundReason;
};

/**
 * Why no membership came of a payment: another account had the address by then, the one it was for was gone, it was the second for
 * one thing, or its amount was not the plan's.
 */
export type RefundReason = "account-exists" | "account-gone" | "paid-twice" | "wrong-amount";

/** Tells somebody whose payment could not become a membership that the money goes back. Shown by banks after 5 to 10 working days. */
export function refundLetter({ house, firstName, amountInPence, reason }: RefundFacts): Letter {
  const amount = formatPence(amountInPence);
  const { why, next } = refundWords[reason];
  return composeLetter({
    house,
    subject: `Your ${amount} is on its way back`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your payment of ${amount} went through, but ${why} So the whole of it goes back.`),
      facts([
        ["Goes back", formatPenceInFull(amountInPence)],
        ["To", "the card you paid with"],
        ["Takes", "5 to 10 working days, as banks go"],
      ]),
      paragraph(`There is nothing you need to do for that. ${next.words}`),
      button(next.label, `${house.site}${next.path}`),
    ],
  });
}

type RefundWords = { why: string; next: { words: string; label: string; path: string } };

const logIn = { words: "You can log in to the account you have.", label: "Log in", path: "login" };
const join = { words: "If you would still like to join, you are welcome.", label: "Join", path: "signup" };

const refundWords: Record<RefundReason, RefundWords> = {
  "account-exists": { why: "an account with this email address existed already.", next: logIn },
  "account-gone": { why: "the account it was for was no longer there.", next: join },
  "paid-twice": { why: "you had paid already.", next: logIn },
  "wrong-amount": { why: "it was not the price of the plan.", next: join },
};
