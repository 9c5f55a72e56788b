import { dayText } from "../../content/items/item-facts.ts";
import { formatDay, formatPence, formatPenceInFull } from "../../platform/format.ts";
import type { PaymentEmails, RefundCause } from "./context.ts";
import type { Order } from "./orders.ts";
import { type Receipt, toReceipt } from "./records.ts";
import {
  button,
  composeEmail,
  type Email,
  type EmailInput,
  type EmailSettings,
  factList,
  greet,
  oneLine,
  paragraph,
  quietLink,
  toSender,
} from "../../platform/email/layout.ts";

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
      opening: "Your company pays for your membership.",
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
        [accountType === "corporate" ? "Date" : "Paid on", formatDay(receipt.paidAt)],
        ["Starts on", formatDay(receipt.startsAt)],
        ["Ends on", formatDay(endsAt)],
      ]),
      paragraph(`Your membership ends on ${formatDay(endsAt)}. It doesn't renew. ${words.end}`),
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
  if (isWaived) return [paragraph("You asked to start at once, so you've lost your right to cancel.")];
  if (cancelUntil === undefined) return [];
  const day = dayText(cancelUntil);
  return [paragraph(`Changed your mind? Cancel in My Account by ${day} and we'll refund all of it.`)];
}

/** Says why. Banks show a refund after 5 to 10 working days. */
export function refundEmail(
  { order, attempt, cause, part }: EmailInput<PaymentEmails, "refund">,
  { product }: EmailSettings,
): Email | undefined {
  const { firstName, email, site } = order;
  if (email === "") return undefined;
  const amount = formatPence(attempt.amountInPence);
  const { opening, next } = toRefundText(order, cause)(amount);
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

const logIn = { words: "You can log in to the account you already have.", label: "Log in", path: "login" };
const join = { words: "If you'd still like to join, you're welcome.", label: "Join", path: "signup" };

/** For a payment that bought nothing. */
function unusedText(why: string, next: RefundText["next"]) {
  return (amount: string): RefundText => ({
    opening: `Your payment of ${amount} went through, but ${why} We're refunding all of it to your card.`,
    next,
  });
}

const paidTwice = unusedText("you had paid already.", logIn);
const accountGone = unusedText("the account no longer exists.", join);

function toRefundText({ giftId }: Order, cause: RefundCause): (amount: string) => RefundText {
  return (giftId === undefined ? undefined : giftRefundTexts[cause]) ?? refundTexts[cause];
}

const giveAgain = { words: "If you'd still like to give it, you're welcome.", label: "Give a gift", path: "give" };

/** A gift has no membership of its payer's. */
const giftRefundTexts: Partial<Record<RefundCause, (amount: string) => RefundText>> = {
  "already-completed": unusedText("you had paid for this gift already.", giveAgain),
  "paid-twice": unusedText("you had paid for this gift already.", giveAgain),
  "wrong-amount": unusedText("it wasn't the price of the gift.", giveAgain),
  cancelled: (amount) => ({
    opening: `You cancelled your gift, so we're refunding the ${amount} you paid. No one can take it up any more.`,
    next: giveAgain,
  }),
  "given-back": (amount) => ({ opening: `We're refunding the ${amount} you paid for your gift.`, next: giveAgain }),
  part: (amount) => ({
    opening: `We're refunding ${amount} of what you paid for your gift. The gift stays the same.`,
    next: giveAgain,
  }),
};

const refundTexts: Record<RefundCause, (amount: string) => RefundText> = {
  "email-registered": unusedText("there was already an account with this email address.", logIn),
  "already-completed": paidTwice,
  "paid-twice": paidTwice,
  "member-gone": accountGone,
  "sign-up-gone": accountGone,
  "gift-gone": unusedText("the gift no longer exists.", giveAgain),
  "wrong-amount": unusedText("it wasn't the price of the plan.", join),
  cancelled: (amount) => ({
    opening: `You cancelled within 14 days, so we're refunding the ${amount} you paid. The membership it paid for has ended.`,
    next: { ...logIn, words: "Your account is still here if you want to come back." },
  }),
  "given-back": (amount) => ({
    opening: `We're refunding the ${amount} you paid. The membership it paid for has ended.`,
    next: { ...logIn, words: "Your account is still here if you want to come back." },
  }),
  part: (amount) => ({
    opening: `We're refunding ${amount} of what you paid. Your membership stays the same.`,
    next: { ...logIn, words: "You can log in as before." },
  }),
};
