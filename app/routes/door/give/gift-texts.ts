import { formatDay } from "../../../../server/platform/format.ts";
import type { Plan } from "../../../../server/money/membership/plans.ts";
import type { GivenGift } from "../../../../server/money/gifts/gifts.ts";
import { displayName } from "../../../../server/platform/text.ts";

/** "a year", "3 months". */
export function periodWords({ months, periodText }: Pick<Plan, "months" | "periodText">): string {
  return months === 12 ? "a year" : periodText;
}

/** "A year", "3 months". */
export function periodLabel(plan: Pick<Plan, "months" | "periodText"> | undefined): string {
  return plan ? periodWords(plan).replace(/^a /, "A ") : "";
}

/** The welcome's line: of a year where one is sold, else of the only plan. */
export function giveText(plans: Plan[], productName: string): string {
  const [only] = plans;
  const given = plans.find(({ months }) => months === 12) ?? (plans.length === 1 ? only : undefined);
  return given ? `Give ${periodWords(given)} of ${productName}` : `Give ${productName} to someone`;
}

export function recipientText({ recipientName }: Pick<GivenGift, "recipientName">): string {
  return recipientName === "" ? "The person you chose" : displayName(recipientName);
}

/** 8:00 is when gifts leave (docs/behaviour.md, Gifts). */
export function arrivalText({ deliverAt }: Pick<GivenGift, "deliverAt">): string {
  return `${formatDay(deliverAt)}, at 8:00 in London`;
}

/** The present state, for its giver. */
export function stateText(gift: GivenGift): string {
  const who = recipientText(gift);
  const closedOn = formatDay(gift.closedAt ?? gift.expiresAt);
  switch (gift.state) {
    case "draft":
    case "waiting":
      return `We'll email ${who} on ${arrivalText(gift)}.`;
    case "sent":
      return gift.isSheet
        ? `${who} hasn't taken it up yet. It's valid until ${formatDay(gift.expiresAt)}.`
        : `${who} hasn't taken it up yet. We emailed it on ${formatDay(gift.sentAt ?? gift.deliverAt)}, and it's valid until ${formatDay(gift.expiresAt)}.`;
    case "taken-up":
      return `${who} took it up on ${closedOn}. Thank you for giving it.`;
    case "cancelled":
      return `You cancelled it on ${closedOn}. Your refund takes 5 to 10 working days.`;
    case "refunded":
      return `It ended on ${closedOn}, because the payment was refunded.`;
    case "expired":
      return `${who} didn't take it up in its 12 months, so it ended on ${closedOn}.`;
    case "ended":
      return `It ended on ${closedOn}. Write to us if that's a surprise.`;
  }
}
