import type { Member } from "../../../members/accounts/accounts.ts";
import { itemKinds, kinds } from "../../../content/catalogue/kinds.ts";
import { dayText } from "../../../content/catalogue/rules.ts";
import { formatChoice, formatDate, formatPence, formatPenceInFull } from "../../format.ts";
import type { MovedEmail } from "../../../operations/moving/moving.ts";
import type { PaymentEmails, RefundCause } from "../../../money/payments/context.ts";
import { type Receipt, toReceipt } from "../../../money/payments/records.ts";
import {
  button,
  composeEmail,
  type Email,
  type EmailContent,
  type EmailInput,
  type EmailSettings,
  factList,
  greet,
  oneLine,
  paragraph,
  privateLink,
  quietLink,
  toSender,
} from "./layout.ts";

export function welcomeEmail(
  { member: { id, email, firstName, accountType }, endsAt, site }: Pick<Ending, "member" | "endsAt" | "site">,
  { product }: EmailSettings,
): Email {
  const day = formatDate(endsAt);
  const terms = {
    individual: `Your membership is ready, and it is yours until ${day}.`,
    corporate: `Your membership is ready, and it is yours until ${day}. Your company pays for it. There is nothing for you to pay.`,
  };
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Welcome to ${oneLine(product.name)}`,
    why: `You get this email because you have joined ${oneLine(product.name)}. It comes once.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(terms[accountType]),
      paragraph(`${verbs()} in whatever order suits you, at noon or at three in the morning.`),
      button("Begin here", site),
      ...(accountType === "corporate"
        ? [
            paragraph("Your company sees counts alone: never your name, and nothing of what you do here."),
            button("What your employer sees", `${site}company/what-your-employer-sees`),
          ]
        : []),
    ],
  });
  return { kind: "welcome", cause: `member-${id}`, to: email, memberId: id, mail };
}

/** For a member who was imported. */
export function movedEmail({ member, endsAt, needsPassword }: MovedEmail, { product, site }: EmailSettings): Email {
  const { id, email, firstName } = member;
  const password = needsPassword
    ? "For your safety, please choose a new password the first time: press the button, and we send a code to this address."
    : "Log in with the address and the password that you have had so far.";
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Your membership is at ${oneLine(product.name)} now`,
    why: `You get this email because your membership was moved to ${oneLine(product.name)}. It comes once.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(`We have moved, and your membership has come with us. ${password}`),
      ...(endsAt ? [paragraph(`It is yours until ${formatDate(endsAt)}, as before.`)] : []),
      needsPassword ? button("Choose a password", `${site}login?reset=1`) : button("Log in", `${site}login`),
    ],
  });
  return { kind: "moved", cause: `member-${id}`, to: email, memberId: id, mail };
}

/** The verbs of the product: "Watch, read or learn". */
function verbs(): string {
  const [first = "", ...others] = itemKinds.map((kind) => kinds[kind].favouritesRow);
  return formatChoice([first, ...others.map((verb) => verb.toLowerCase())]);
}

/** Includes that nothing more will be charged, or that their company pays. */
export function receiptEmail(order: EmailInput<PaymentEmails, "receipt">, { product }: EmailSettings): Email {
  const receipt = toReceipt(order);
  if (!receipt) throw new Error("An order without a receipt was completed");
  const { id, email, memberId, site } = order;
  const { number, endsAt, accountType } = receipt;
  const words = {
    individual: {
      opening: "Thanks, we've received your payment.",
      paid: formatPenceInFull(receipt.amountInPence),
      end: "We won't charge you again.",
    },
    corporate: {
      opening: "Your company pays for your membership. There is nothing for you to pay.",
      paid: "By your company",
      end: "You won't be charged.",
    },
  }[accountType];
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Your receipt ${number}`,
    why: `You get this email because you joined ${oneLine(product.name)} with this address, or renewed your membership.`,
    blocks: [
      paragraph(words.opening),
      factList([
        ["Receipt", number],
        ["Membership", receipt.planLabel],
        ["Paid", words.paid],
        [accountType === "corporate" ? "Date" : "Paid on", formatDate(receipt.paidAt)],
        ["Starts on", formatDate(receipt.startsAt)],
        ["Ends on", formatDate(endsAt)],
      ]),
      paragraph(`Your membership ends on ${formatDate(endsAt)}. It doesn't renew. ${words.end}`),
      ...cancellingText(receipt),
      button("See or print the receipt", `${site}?receipt=${encodeURIComponent(number)}`),
      quietLink("Terms of membership", `${site}terms`),
      quietLink("Privacy notice", `${site}privacy`),
    ],
  });
  return { kind: "receipt", cause: `order-${id}`, to: email, memberId, mail };
}

/** Confirms, after the payment, how it can be cancelled (Consumer Contracts Regulations 2013, regulation 16). */
function cancellingText({ isWaived, cancelUntil }: Receipt) {
  if (isWaived)
    return [paragraph("You asked to start at once, and know that you have lost the right to cancel by that.")];
  if (cancelUntil === undefined) return [];
  const day = dayText(cancelUntil);
  return [paragraph(`Change your mind until ${day}: cancel in My Account and we'll refund all of it.`)];
}

/** Says why. Banks show a refund after 5 to 10 working days. */
export function refundEmail(
  { order, attempt, cause, part }: EmailInput<PaymentEmails, "refund">,
  { product }: EmailSettings,
): Email | undefined {
  const { firstName, email, site } = order;
  if (email === "") return undefined;
  const amount = formatPence(attempt.amountInPence);
  const { opening, next } = refundTexts[cause](amount);
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Your refund of ${amount} is on its way`,
    why: `You get this email because a payment to ${oneLine(product.name)} was made with this address.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(opening),
      factList([
        ["Refund", formatPenceInFull(attempt.amountInPence)],
        ["To", "the card you paid with"],
        ["Takes", "5 to 10 working days"],
      ]),
      paragraph(`You don't need to do anything. ${next.words}`),
      button(next.label, `${site}${next.path}`),
    ],
  });
  const which = part === undefined ? "" : `-part-${part}`;
  return { kind: "refund", cause: `payment-${attempt.id}${which}`, to: email, mail };
}

type RefundText = { opening: string; next: { words: string; label: string; path: string } };

const logIn = { words: "You can log in to the account you have.", label: "Log in", path: "login" };
const join = { words: "If you would still like to join, you are welcome.", label: "Join", path: "signup" };

/** For a payment that bought nothing. */
function unusedText(why: string, next: RefundText["next"]) {
  return (amount: string): RefundText => ({
    opening: `Your payment of ${amount} went through, but ${why} We're refunding all of it.`,
    next,
  });
}

const paidTwice = unusedText("you had paid already.", logIn);
const accountGone = unusedText("the account it was for was no longer there.", join);

const refundTexts: Record<RefundCause, (amount: string) => RefundText> = {
  "email-registered": unusedText("an account with this email address existed already.", logIn),
  "already-completed": paidTwice,
  "paid-twice": paidTwice,
  "member-gone": accountGone,
  "sign-up-gone": accountGone,
  "wrong-amount": unusedText("it was not the price of the plan.", join),
  cancelled: (amount) => ({
    opening: `You cancelled within 14 days, so we're refunding the ${amount} you paid. The membership it paid for has ended.`,
    next: { ...logIn, words: "Your account is still here if you want to come back." },
  }),
  "given-back": (amount) => ({
    opening: `We're refunding the ${amount} you paid. The membership it paid for has ended.`,
    next: { ...logIn, words: "Your account is still here if you want to come back." },
  }),
  part: (amount) => ({
    opening: `We're refunding ${amount} of what you paid. Your membership stays as it is.`,
    next: { ...logIn, words: "You can log in as before." },
  }),
};

/** For the emails before and at the end. `link` opens the choice of plans for this account. */
export type Ending = {
  subscriptionId: number;
  member: Member;
  endsAt: Date;
  link: string;
  site: string;
  isCompanys?: boolean;
};

export function renewalReminderEmail(ending: Ending, settings: EmailSettings): Email {
  const day = formatDate(ending.endsAt);
  return endingEmail(ending, settings, {
    kind: "renewal-reminder",
    subject: `Your membership ends on ${day}`,
    texts: [
      `Your membership ends on ${day}. It doesn't renew, and we won't charge you.`,
      ending.isCompanys
        ? "Your company can pay for the next year, too. There is nothing for you to pay."
        : "If you would like to stay, choose a plan. It starts when this one ends.",
    ],
  });
}

export function membershipEndedEmail(ending: Ending, settings: EmailSettings): Email {
  return endingEmail(ending, settings, {
    kind: "membership-ended",
    subject: "Your membership has ended",
    texts: [
      `Your membership ended on ${formatDate(ending.endsAt)}. We haven't charged you again.`,
      ending.isCompanys
        ? "Your account and your favourites are still here. Your company can pay for another year, so there is nothing for you to pay."
        : "Your account and your favourites are still here. If you want to come back, choose a plan.",
    ],
  });
}

type RenewalLinkInput = { member: Member; link: string; at: Date; site: string };

/** Repeats the link to the choice of plans, for members who lost the email with it. */
export function renewalLinkEmail(
  { member: { id, email, firstName }, link, at, site }: RenewalLinkInput,
  { product }: EmailSettings,
): Email {
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your link to choose a plan",
    why: `You get this email because you asked ${oneLine(product.name)} for the link to renew your membership.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph("Here is the link to go on with your membership. The new time begins where the present one ends."),
      button("Choose a plan", link),
      paragraph("Nothing is taken before you have chosen a plan and paid for it."),
      privateLink,
    ],
  });
  return { kind: "renewal-link", cause: `member-${id} ${at.toISOString()}`, to: email, memberId: id, mail };
}

function endingEmail(
  { subscriptionId, member: { id, email, firstName }, link, site, isCompanys }: Ending,
  { product }: EmailSettings,
  { kind, subject, texts }: Pick<Email, "kind"> & { subject: string; texts: string[] },
): Email {
  const blocks = [
    paragraph(greet(firstName)),
    ...texts.map(paragraph),
    button(isCompanys ? "Carry on" : "Choose a plan", link),
    privateLink,
  ];
  const why = `You get this email because you are, or were, a member of ${oneLine(product.name)}. It comes once.`;
  const mail = composeEmail({ sender: toSender(product, site), subject, why, blocks });
  return { kind, cause: `subscription-${subscriptionId}`, to: email, memberId: id, mail };
}

/** An operator sends it to test the delivery. */
export function testEmail({ product, site }: EmailSettings): EmailContent {
  const name = oneLine(product.name);
  return composeEmail({
    sender: toSender(product, site),
    subject: `A test email from ${name}`,
    why: `You get this email because an operator of ${name} wanted to see whether it arrives.`,
    blocks: [
      paragraph("Hello,"),
      paragraph(`This is a test. If you can read it, emails from ${name} arrive at this address.`),
    ],
  });
}
