import { itemKinds, kinds } from "../../content/kinds.ts";
import type { AccountType } from "../../database/schema.ts";
import { formatChoice, formatDate, formatPence, formatPenceInFull } from "../../format.ts";
import {
  button,
  composeEmail,
  type EmailContent,
  factList,
  greet,
  oneLine,
  paragraph,
  privateLink,
  type Sender,
} from "./layout.ts";

type WelcomeFacts = { sender: Sender; firstName: string; accountType: AccountType; endsAt: Date };

/** Greets a new member: what they have, until when, and where to begin. */
export function welcomeEmail({ sender, firstName, accountType, endsAt }: WelcomeFacts): EmailContent {
  const day = formatDate(endsAt);
  const terms = {
    individual: `Your membership is ready, and it is yours until ${day}.`,
    corporate: `Your membership is ready, and it is yours until ${day}. Your company pays for it. There is nothing for you to pay.`,
  };
  return composeEmail({
    sender,
    subject: `Welcome to ${oneLine(sender.productName)}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(terms[accountType]),
      paragraph(`${verbs()} in whatever order suits you, at noon or at three in the morning.`),
      button("Begin here", sender.site),
      ...(accountType === "corporate"
        ? [
            paragraph("Your company sees counts alone: never your name, and nothing of what you do here."),
            button("What your employer sees", `${sender.site}company/what-your-employer-sees`),
          ]
        : []),
    ],
  });
}

/** What one does here: "Watch, read or learn". */
function verbs(): string {
  const [first = "", ...others] = itemKinds.map((kind) => kinds[kind].favouritesRow);
  return formatChoice([first, ...others.map((verb) => verb.toLowerCase())]);
}

type ReceiptFacts = {
  sender: Sender;
  receiptNumber: string;
  planLabel: string;
  amountInPence: number;
  accountType: AccountType;
  paidAt: Date;
  startsAt: Date;
  endsAt: Date;
};

/** Tells a member what was taken, for what, and that nothing more will be; or that their company pays. */
export function receiptEmail(receipt: ReceiptFacts): EmailContent {
  const { sender, receiptNumber, endsAt, accountType } = receipt;
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
  return composeEmail({
    sender,
    subject: `Your receipt ${receiptNumber}`,
    blocks: [
      paragraph(words.opening),
      factList([
        ["Receipt", receiptNumber],
        ["Membership", receipt.planLabel],
        ["Paid", words.paid],
        [accountType === "corporate" ? "Date" : "Paid on", formatDate(receipt.paidAt)],
        ["Starts on", formatDate(receipt.startsAt)],
        ["Ends on", formatDate(endsAt)],
      ]),
      paragraph(`Your membership ends by itself on ${formatDate(endsAt)}. ${words.end}`),
      button("See or print the receipt", `${sender.site}?receipt=${encodeURIComponent(receiptNumber)}`),
    ],
  });
}

/**
 * Why no membership came of a payment: another account had the address by then, the one it was for was gone, it was the second for
 * one thing, or its amount was not the plan's.
 */
export type RefundReason = "account-exists" | "account-gone" | "paid-twice" | "wrong-amount" | "given-back";

type RefundFacts = { sender: Sender; firstName: string; amountInPence: number; reason: RefundReason };

/** Says that a payment could not become a membership and that the money goes back. Shown by banks after 5 to 10 working days. */
export function refundEmail({ sender, firstName, amountInPence, reason }: RefundFacts): EmailContent {
  const amount = formatPence(amountInPence);
  const { say = sayUnused, why, next } = refundWords[reason];
  return composeEmail({
    sender,
    subject: `Your ${amount} is on its way back`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(say(amount, why)),
      factList([
        ["Goes back", formatPenceInFull(amountInPence)],
        ["To", "the card you paid with"],
        ["Takes", "5 to 10 working days, as banks go"],
      ]),
      paragraph(`There is nothing you need to do for that. ${next.words}`),
      button(next.label, `${sender.site}${next.path}`),
    ],
  });
}

type RefundWords = {
  say?: (amount: string, why: string) => string;
  why: string;
  next: { words: string; label: string; path: string };
};

/** Of a payment that bought nothing. */
function sayUnused(amount: string, why: string): string {
  return `Your payment of ${amount} went through, but ${why} So the whole of it goes back.`;
}

function sayGivenBack(amount: string, why: string): string {
  return `We are giving back the ${amount} that you paid, and ${why}`;
}

const logIn = { words: "You can log in to the account you have.", label: "Log in", path: "login" };
const join = { words: "If you would still like to join, you are welcome.", label: "Join", path: "signup" };

const refundWords: Record<RefundReason, RefundWords> = {
  "account-exists": { why: "an account with this email address existed already.", next: logIn },
  "account-gone": { why: "the account it was for was no longer there.", next: join },
  "paid-twice": { why: "you had paid already.", next: logIn },
  "wrong-amount": { why: "it was not the price of the plan.", next: join },
  "given-back": {
    say: sayGivenBack,
    why: "the membership that it paid for has ended.",
    next: { words: "Your account is kept for you, should you want to come back.", label: "Log in", path: "login" },
  },
};

/** `link` opens the choice of plans for this account. */
type Ending = { sender: Sender; firstName: string; link: string };

/** Goes out seven days before a membership ends. */
export function renewalReminderEmail({ sender, firstName, endsAt, link }: Ending & { endsAt: Date }): EmailContent {
  const day = formatDate(endsAt);
  return composeEmail({
    sender,
    subject: `Your membership ends on ${day}`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your membership ends on ${day}. It is not renewed by itself, and nothing is taken.`),
      paragraph("If you would like to stay, choose a plan. The new time begins where this one ends."),
      button("Choose a plan", link),
      privateLink,
    ],
  });
}

/** Goes out when a membership has ended. */
export function membershipEndedEmail({ sender, firstName, endedAt, link }: Ending & { endedAt: Date }): EmailContent {
  return composeEmail({
    sender,
    subject: "Your membership has ended",
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`Your membership ended on ${formatDate(endedAt)}. Nothing more was taken.`),
      paragraph("Your account and your favourites are kept for you. Should you want to come back, choose a plan."),
      button("Choose a plan", link),
      privateLink,
    ],
  });
}

/** An operator sends it to see whether emails arrive. */
export function testEmail({ sender }: { sender: Sender }): EmailContent {
  const name = oneLine(sender.productName);
  return composeEmail({
    sender,
    subject: `A test email from ${name}`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`This is a test. If you can read it, emails from ${name} arrive at this address.`),
    ],
  });
}
