import { dayText } from "../../content/items/item-facts.ts";
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
  privateLink,
  quietLink,
  toSafeName,
  toSender,
} from "../../platform/email/layout.ts";
import { formatDay, formatPenceInFull } from "../../platform/format.ts";
import { plans } from "../membership/plans.ts";
import type { GiftEmails } from "./context.ts";
import { type Gift, takeUpUrl } from "./gift.ts";

/** The line is in the text alone, as it was typed: a stranger must not write our subjects. */
export function giftEmail(gift: EmailInput<GiftEmails, "gift">, settings: EmailSettings): Email | undefined {
  const { product } = settings;
  const giver = findGiver(gift);
  return toRecipient(gift, settings, {
    kind: "gift",
    cause: `gift-${gift.id}-${gift.sendings}`,
    subject: `A gift for you: ${plans[gift.planType].periodText} of ${oneLine(product.name)}`,
    opening: `${giver} is giving you ${plans[gift.planType].periodText} of ${oneLine(product.name)}.`,
  });
}

/** Two weeks after it arrived, and a month before it ends. */
export function giftReminderEmail(
  { gift, when, link }: EmailInput<GiftEmails, "giftReminder">,
  settings: EmailSettings,
): Email | undefined {
  const until = formatDay(gift.expiresAt);
  const common = { kind: "gift-reminder", cause: `gift-${gift.id}-${when}` } as const;
  if (gift.recipientEmail !== undefined) {
    const what = `${plans[gift.planType].periodText} of ${oneLine(settings.product.name)}`;
    return toRecipient(gift, settings, {
      ...common,
      subject: when === "early" ? "Your gift is waiting for you" : `Your gift ends on ${until}`,
      opening: `${findGiver(gift)} gave you ${what}. You haven't taken it up yet.`,
    });
  }
  return toGiver(gift, settings, {
    ...common,
    subject: when === "early" ? "Your gift hasn't been taken up yet" : `Your gift ends on ${until}`,
    texts: [
      `${findRecipient(gift)} hasn't taken up your gift yet. It's valid until ${until}.`,
      "You can print the sheet again.",
    ],
    link,
  });
}

export function giftReceiptEmail(
  receipt: EmailInput<GiftEmails, "giftReceipt">,
  settings: EmailSettings,
): Email | undefined {
  const { gift, receiptNumber, amountInPence, paidAt, cancelUntil, link } = receipt;
  const { site } = gift;
  const arrives: [string, string] = gift.isSheet
    ? ["Arrives", "on the sheet that you print"]
    : ["Arrives on", formatDay(gift.deliverAt)];
  const mail = composeEmail({
    sender: toSender(settings.product, site),
    subject: `Your receipt ${receiptNumber}`,
    why: `You get this email because you bought a gift at ${oneLine(settings.product.name)} with this address.`,
    blocks: [
      paragraph("Thanks, we've received your payment for your gift."),
      factList([
        ["Receipt", receiptNumber],
        ["Gift", `${plans[gift.planType].label}, for ${findRecipient(gift)}`],
        ["Paid", formatPenceInFull(amountInPence)],
        ["Paid on", formatDay(paidAt)],
        arrives,
        ["Valid until", formatDay(gift.expiresAt)],
      ]),
      paragraph("You paid once. It doesn't renew."),
      paragraph(
        `Changed your mind? Cancel by ${dayText(cancelUntil)}, before anyone takes it up, and we'll refund all of it.`,
      ),
      button(gift.isSheet ? "Print your gift" : "See your gift", link),
      privateLink,
      quietLink("Terms of membership", `${site}terms`),
      quietLink("Privacy notice", `${site}privacy`),
    ],
  });
  return { ...fromGiver(gift), kind: "gift-receipt", cause: `gift-${gift.id}`, mail };
}

export function giftTakenUpEmail(
  { gift, link }: EmailInput<GiftEmails, "giftTakenUp">,
  settings: EmailSettings,
): Email | undefined {
  return toGiver(gift, settings, {
    kind: "gift-taken-up",
    cause: `gift-${gift.id}`,
    subject: "Your gift has been taken up",
    texts: [
      `${findRecipient(gift)} has taken up your gift of ${plans[gift.planType].periodText}. Thank you for giving it.`,
    ],
    link,
  });
}

export function giftEndedEmail(
  { gift, link }: EmailInput<GiftEmails, "giftEnded">,
  settings: EmailSettings,
): Email | undefined {
  return toGiver(gift, settings, {
    kind: "gift-ended",
    cause: `gift-${gift.id}`,
    subject: "Your gift has ended",
    texts: [
      `${findRecipient(gift)} didn't take up your gift in its 12 months, so it ended on ${formatDay(gift.expiresAt)}.`,
      "Write to us if that's a surprise, and we'll look at it together.",
    ],
    link,
  });
}

type Words = Pick<Email, "kind" | "cause"> & { subject: string };

/** The code is worth money, so the email is sealed at rest. */
function toRecipient(
  gift: Gift,
  { product }: EmailSettings,
  { kind, cause, subject, opening }: Words & { opening: string },
): Email | undefined {
  if (gift.recipientEmail === undefined) return undefined;
  const mail = composeEmail({
    sender: toSender(product, gift.site),
    subject,
    why: `You get this email because someone gave you a membership of ${oneLine(product.name)}.`,
    blocks: [
      paragraph(greet(gift.recipientName)),
      paragraph(opening),
      ...(gift.message === "" ? [] : [paragraph(`“${gift.message}”`)]),
      button("Take up your gift", takeUpUrl(gift)),
      factList([
        ["Code", gift.code ?? ""],
        ["Valid until", formatDay(gift.expiresAt)],
      ]),
      paragraph("You don't pay anything, and it doesn't renew."),
      privateLink,
    ],
  });
  return { kind, cause, to: gift.recipientEmail, mail, isSecret: true };
}

function toGiver(
  gift: Gift,
  { product }: EmailSettings,
  { kind, cause, subject, texts, link }: Words & { texts: string[]; link: string },
): Email | undefined {
  if (gift.giverEmail === "") return undefined;
  const mail = composeEmail({
    sender: toSender(product, gift.site),
    subject,
    why: `You get this email because you bought a gift at ${oneLine(product.name)}.`,
    blocks: [paragraph(greet(gift.giverName)), ...texts.map(paragraph), button("See your gift", link), privateLink],
  });
  return { ...fromGiver(gift), kind, cause, mail };
}

function fromGiver({ giverEmail, giverMemberId }: Gift) {
  return { to: giverEmail, memberId: giverMemberId };
}

const findGiver = ({ giverName }: Gift) => toSafeName(giverName) ?? "Someone";
const findRecipient = ({ recipientName }: Gift) => toSafeName(recipientName) ?? "The person you chose";
