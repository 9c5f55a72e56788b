import type { MemberRecord } from "../../../../server/members/accounts/members.ts";
import type { HeldSubscription } from "../../../../server/money/membership/membership.ts";
import type { OrderRecord } from "../../../../server/money/payments/records.ts";
import { actionText } from "../../../../server/operations/acts/acts.ts";
import type { AuditEntry } from "../../../../server/platform/audit/audit.ts";
import { authors, authorText, factsText } from "../../../../server/platform/audit/labels.ts";
import { formatDateTime, formatPenceInFull, formatRecent } from "../../../../server/platform/format.ts";
import { declines } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";

type Moment = { at: Date; what: string; more: string };

type Past = {
  record: Pick<MemberRecord, "createdAt">;
  orders: OrderRecord[];
  terms: HeldSubscription[];
  entries: AuditEntry[];
};

type Telling = {
  plans: Services["plans"];
  now: Date;
  gateway: string | undefined;
};

export type TimelineEvent = { key: number; at: string; exact: string; what: string; more: string };

/** All that happened to a membership, the latest first: payments, ends, and what operators did. */
export function toTimeline({ record, orders, terms, entries }: Past, telling: Telling): TimelineEvent[] {
  const { now } = telling;
  const moments = [
    { at: record.createdAt, what: "Joined", more: "" },
    ...orders.flatMap((order) => listOfOrder(order, telling)),
    ...terms.filter(({ endsAt, revokedAt }) => endsAt <= now && !revokedAt).map(toEnd),
    ...entries.toReversed().map((entry) => toActed(entry, telling)),
  ];
  return moments
    .toReversed()
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .map(({ at, what, more }, key) => ({ key, at: formatRecent(at, now), exact: formatDateTime(at), what, more }));
}

function listOfOrder({ order, createdAt, completedAt, payments }: OrderRecord, { plans }: Telling): Moment[] {
  const { accountType, code, amountInPence, state, paidAt, receiptNumber, planType, giftId } = order;
  if (accountType === "corporate") {
    return completedAt ? [{ at: completedAt, what: `Used the code ${code ?? ""}`, more: "" }] : [];
  }
  const amount = formatPenceInFull(amountInPence);
  const plan = plans.find(({ type }) => type === planType)?.label;
  const declined = payments.flatMap((payment) =>
    payment.decline ? [{ at: payment.createdAt, what: `Tried to pay ${amount}`, more: declines[payment.decline] }] : [],
  );
  if (paidAt) {
    const more = [plan, receiptNumber && `receipt ${receiptNumber}`].filter(Boolean).join(", ");
    return [
      ...declined,
      {
        at: paidAt,
        what: giftId === undefined ? `Paid ${amount}` : `Paid ${amount} for a gift`,
        more: more && `${more}.`,
      },
    ];
  }
  if (declined.length > 0) return declined;
  const outcome = state === "cancelled" ? "They didn't finish. We charged nothing." : "Not paid yet.";
  return [{ at: createdAt, what: `Started to pay ${amount}`, more: outcome }];
}

function toEnd({ endsAt }: HeldSubscription): Moment {
  return { at: endsAt, what: "The term ended", more: "" };
}

function toActed({ at, action, operator, facts, reason }: AuditEntry, { gateway }: Telling): Moment {
  const author = authorText(operator, gateway);
  // The page has both: the order in words, the dispute as a link.
  const { order: _order, dispute: _dispute, ...details } = facts;
  const by = operator === authors.gateway ? `${author} told us.` : `By ${author}.`;
  return {
    at,
    what: actionText(action),
    more: [by, factsText(details), reason && `“${reason}”`].filter(Boolean).join(" "),
  };
}
