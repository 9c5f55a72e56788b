import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { parseDay } from "../../../../server/operations/acts/fields.ts";
import { formatDate, formatPenceInFull } from "../../../../server/platform/format.ts";
import type { Services } from "../../../../server/services.ts";
import { memberPath } from "../parts/paths.ts";

/** `4242 20/11/2026`: the last four digits of a card, and a day of its statement. */
const CARD_AND_DAY = /^\D{0,4}(\d{4})[\s,]+(?:on\s+)?(\d{2}\/\d{2}\/\d{4}|\d{4}-\d{2}-\d{2})$/;

export type CardFinds = { what: string; payments: { key: number; path: string | undefined; words: string }[] };

/** `undefined` when the term names no card and day. */
export async function findCardPayments({ payments }: Services, term: string): Promise<CardFinds | undefined> {
  const [, last4 = "", typed = ""] = CARD_AND_DAY.exec(term) ?? [];
  const [from, to] = [parseDay(typed, "first"), parseDay(typed, "last")];
  if (!from || !to) return undefined;
  const found = await payments.findByCard({ last4, day: { from, to } });
  return {
    what: `the card ending ${last4} up to ${formatDate(to)}`,
    payments: found.map((payment) => {
      const { orderId, memberId, receiptNumber, amountInPence, paidAt } = payment;
      const words = [formatPenceInFull(amountInPence), `on ${formatDate(paidAt)}`, receiptNumber ?? "no receipt"];
      return {
        key: orderId,
        path: memberId === undefined ? undefined : memberPath(memberId),
        words: [displayFullName(payment) || "erased", ...words].join(", "),
      };
    }),
  };
}
