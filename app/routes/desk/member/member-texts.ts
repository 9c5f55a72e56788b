import type { MemberRecord } from "../../../../server/members/accounts/members.ts";
import type { AccountChallenge } from "../../../../server/members/accounts/support.ts";
import type { AuditEntry } from "../../../../server/platform/audit/audit.ts";
import type { MemberSeat } from "../../../../server/money/companies/seats.ts";
import type { OutboxEntry } from "../../../../server/platform/email/outbox.ts";
import { formatDate, formatPence, formatPenceInFull, formatRecent } from "../../../../server/platform/format.ts";
import type { Access, HeldSubscription } from "../../../../server/money/membership/membership.ts";
import type { Cover } from "../../../../server/money/membership/cover.ts";
import type { CardDashboard } from "../../../../server/money/payments/card-gateway.ts";
import type { OrderRecord } from "../../../../server/money/payments/records.ts";
import { orderLabels } from "../../../../server/money/payments/labels.ts";
import type { OrderState, PaymentState } from "../../../../server/money/payments/states.ts";
import { declines } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import { giftPath } from "../parts/paths.ts";
import type { StateText, Tone } from "../parts/pill.tsx";

export function toFacts(
  record: MemberRecord,
  { seat, now }: { seat: MemberSeat | undefined; now: Date },
): [label: string, value: string | number | undefined][] {
  const { id, pendingEmail, pendingUntil, passwordOffAt, accountType, createdAt, eraseAt } = record;
  return [
    ["Number", id],
    ["New email, not confirmed", pendingEmail],
    ["Old address can object until", pendingUntil && formatRecent(pendingUntil, now)],
    ["Password off since", passwordOffAt && formatDate(passwordOffAt)],
    ["Type", accountType],
    ["Since", formatDate(createdAt)],
    ["Seat on code", seat?.code],
    ["Company", seat?.company?.name],
    ["Closed, erased on", eraseAt && formatDate(eraseAt)],
  ];
}

/** An operator may restore it: it was ended early, and not by a refund. */
export function isToBeRestored(term: HeldSubscription, { lost, now }: { lost: number[]; now: Date }): boolean {
  return term.revokedAt !== undefined && term.endsAt > now && !isRefunded(term, lost);
}

/** `lost`: refunded orders. */
export function isRefunded({ orderId }: HeldSubscription, lost: number[]): boolean {
  return orderId !== undefined && lost.includes(orderId);
}

const giving = new Set(["member activate", "member term"]);

type Reasons = { access: Access; cover: Cover<HeldSubscription>; orders: OrderRecord[]; entries: AuditEntry[] };

/** One sentence for each term that counts. */
export function whyText({ access, cover, orders, entries }: Reasons): string {
  if (!access.isActive) return whyNotText(access, cover);
  if (cover.state !== "active") return "The provider says so.";
  return cover.terms.map((term) => termText(term, { orders, entries })).join(" Then: ");
}

function termText(term: HeldSubscription, { orders, entries }: Pick<Reasons, "orders" | "entries">): string {
  const until = `until ${formatDate(term.endsAt)}`;
  const order = orders.find(({ order: { id } }) => id === term.orderId)?.order;
  if (order?.accountType === "corporate") return `With code ${order.code ?? ""}, ${until}.`;
  if (order) {
    const paid = order.paidAt ? ` on ${formatDate(order.paidAt)}` : "";
    return `${formatPence(order.amountInPence)}${paid}, ${until}, receipt ${order.receiptNumber ?? order.id}.`;
  }
  if (term.orderId !== undefined) return `A gift, ${until}.`;
  const acts = entries.filter(({ action, at }) => giving.has(action) && at <= term.endsAt);
  const entry = acts.find(({ facts }) => facts.endsAt === term.endsAt.toISOString()) ?? acts[0];
  if (!entry) return `Added free, ${until}.`;
  const reason = entry.reason ? `: ${entry.reason.replace(/[.!?]$/, "")}` : "";
  return `Added free by ${entry.operator} on ${formatDate(entry.at)}, ${until}${reason}.`;
}

function whyNotText(access: Extract<Access, { isActive: false }>, cover: Cover<HeldSubscription>): string {
  if (access.reason === "unavailable") return "We can't ask the provider right now.";
  if (cover.state === "waiting") {
    return `The next term starts on ${formatDate(cover.startsAt)} and ends on ${formatDate(cover.endsAt)}.`;
  }
  if (cover.state !== "over") return "They've never had a term.";
  const { revokedAt, endsAt } = cover.last;
  if (revokedAt) return `The last term was ended early, on ${formatDate(revokedAt)}.`;
  return `The last term ended on ${formatDate(endsAt)}.`;
}

export function toTerm(
  { id, startsAt, endsAt, orderId, revokedAt }: HeldSubscription,
  { orders, now }: { orders: OrderRecord[]; now: Date },
) {
  const order = orders.find((each) => each.order.id === orderId)?.order;
  return {
    id,
    from: formatDate(startsAt),
    until: formatDate(endsAt),
    by: orderId === undefined ? "an operator" : order ? (order.receiptNumber ?? `order ${orderId}`) : "a gift",
    ended: revokedAt && formatRecent(revokedAt, now),
  };
}

type Reason = { record: MemberRecord; access: Access; cover: Cover<HeldSubscription>; lost: number[] };

export function toMemberState({ record: { eraseAt }, access, cover, lost }: Reason): StateText {
  if (eraseAt) return { text: `closed, erased on ${formatDate(eraseAt)}`, tone: "waits" };
  if (access.isActive) {
    return { text: access.endsAt ? `active until ${formatDate(access.endsAt)}` : "active", tone: "good" };
  }
  if (access.reason === "unavailable") return { text: "not known right now", tone: "plain" };
  if (cover.state === "waiting") return { text: `starts on ${formatDate(cover.startsAt)}`, tone: "waits" };
  if (cover.state !== "over") return { text: "never had a term", tone: "plain" };
  const { revokedAt, endsAt } = cover.last;
  if (!revokedAt) return { text: `ended on ${formatDate(endsAt)}`, tone: "plain" };
  return isRefunded(cover.last, lost)
    ? { text: `no access since the refund on ${formatDate(revokedAt)}`, tone: "bad" }
    : { text: `no access: ended early on ${formatDate(revokedAt)}`, tone: "bad" };
}

const orderTones: Record<OrderState, Tone> = {
  "awaiting-payment": "waits",
  cancelled: "plain",
  paid: "waits",
  completed: "good",
  "refund-pending": "waits",
  refunded: "plain",
  "refund-failed": "bad",
};

function withCard(words: string, last4: string | undefined): string {
  return last4 === undefined ? words : `${words}, card ending ${last4}`;
}

const paymentWords: Record<PaymentState, string> = {
  started: "started",
  authenticating: "waiting for the bank",
  processing: "in progress",
  succeeded: "paid",
  failed: "not paid",
  cancelled: "stopped",
  refunding: "refund on its way",
  refunded: "refunded",
  "refund-failed": "refund stuck",
};

export function isRefundable({ order, leftInPence }: Pick<OrderRecord, "order" | "leftInPence">): boolean {
  return order.state === "completed" && leftInPence > 0;
}

export type Showing = {
  plans: Services["plans"];
  now: Date;
  dashboard: CardDashboard | undefined;
};

/** With payments, refunds and disputes, in the member's words. */
export function toOrder(
  { order, createdAt, payments, parts, leftInPence, disputes }: OrderRecord,
  { plans, now, dashboard }: Showing,
) {
  const plan = plans.find(({ type }) => type === order.planType)?.label;
  const { id, accountType, amountInPence, state, receiptNumber, code } = order;
  return {
    id,
    date: formatRecent(createdAt, now),
    what:
      accountType === "corporate"
        ? `Code ${code ?? ""}`
        : `${order.giftId === undefined ? "Plan" : "Gift"}: ${plan ?? order.planType}`,
    gift: order.giftId === undefined ? undefined : giftPath(order.giftId),
    amount: formatPenceInFull(amountInPence),
    left: formatPenceInFull(leftInPence),
    state: { text: orderLabels[state], tone: orderTones[state] },
    receipt: receiptNumber,
    canGiveBack: isRefundable({ order, leftInPence }),
    payments: payments.map((payment) => ({
      id: payment.id,
      at: formatRecent(payment.createdAt, now),
      state: withCard(paymentWords[payment.state], payment.cardLast4),
      why: payment.decline && declines[payment.decline],
      outside: payment.gatewayId === undefined ? undefined : dashboard?.paymentUrl(payment.gatewayId),
    })),
    partRefunds: parts.map(({ number, amountInPence: pence, createdAt: at, state: refund }) => ({
      number,
      words: `${formatPenceInFull(pence)} of ${formatDate(at)}: ${paymentWords[refund]}.`,
    })),
    disputes: disputes.map(({ state: dispute, createdAt: at }) => `Disputed on ${formatDate(at)}: ${dispute}.`),
  };
}

const emailWords: Record<string, string> = {
  verification: "Confirm your email address",
  receipt: "Receipt",
  welcome: "Welcome",
  refund: "Refund on its way",
  "renewal-reminder": "The membership ends in a week",
  moved: "The membership moved here",
  "membership-ended": "The membership has ended",
  "renewal-link": "Renewal link",
  "password-reset": "Code for a new password",
  "passkey-added": "A passkey was added",
  "passkey-removed": "A passkey was removed",
  "log-in-link": "Link to log in",
  "password-switched": "The password was turned off or on",
  "password-changed": "The password was changed",
  "confirm-new-address": "Confirm the new address",
  "address-change-asked": "Agree to a new address, or object",
  "address-changed": "The address was changed",
  "account-closed": "The account is closed",
  "account-erased": "The account is erased",
  "merge-code": "Code to merge two accounts",
  "accounts-merged": "Two accounts were merged",
  newsletter: "New this month",
  gift: "The gift",
  "gift-receipt": "Receipt for a gift",
  "gift-reminder": "A gift waits to be taken up",
  "gift-taken-up": "The gift was taken up",
  "gift-ended": "The gift has ended",
};

export function toEmail(
  { id, kind, to, state, createdAt, sentAt, failedAt, lastError, dueAt }: OutboxEntry,
  now: Date,
) {
  const states: Record<typeof state, StateText & { more: string }> = {
    sent: { text: "delivered", tone: "good", more: sentAt ? formatRecent(sentAt, now) : "" },
    failed: {
      text: "not delivered",
      tone: "bad",
      more: `failed ${failedAt ? formatRecent(failedAt, now) : ""}: ${lastError ?? ""}`,
    },
    waiting: {
      text: "waiting",
      tone: "waits",
      more: lastError ? `next try ${dueAt ? formatRecent(dueAt, now) : "soon"}: ${lastError}` : "",
    },
  };
  return { id, what: emailWords[kind] ?? kind, to, at: formatRecent(createdAt, now), state: states[state] };
}

const challengeWords: Record<AccountChallenge["kind"], string> = {
  reset: "A code for a new password",
  grant: "Permission to choose a new password",
  proof: "A code for a new password, over the API",
  enter: "A link to log in",
  confirm: "A code for the new address",
  answer: "A link to agree to the new address, or to object",
  undo: "A link to undo a change of address",
  reopen: "A link to reopen the account",
  merge: "A code to merge this account into another",
};

export function toAccountChallenge(challenge: AccountChallenge, now: Date) {
  return toChallenge(challenge, { what: challengeWords[challenge.kind], now });
}

export function toChallenge(
  { startedAt, expiresAt, wrongCodes }: Omit<AccountChallenge, "kind">,
  { what, now }: { what: string; now: Date },
) {
  return {
    what,
    since: formatRecent(startedAt, now),
    until: formatRecent(expiresAt, now),
    wrongCodes,
  };
}

/** A matter that cannot wait, with the link for putting it right. */
export type Urgent = { sentence: string; link: { label: string; address: string } | undefined };

/** An open dispute, or a refund that the gateway could not make. */
export function findUrgent(orders: OrderRecord[], dashboard: CardDashboard | undefined): Urgent | undefined {
  const where = dashboard ? `at ${dashboard.title}` : "at the card gateway";
  for (const { order, payments, parts, disputes } of orders) {
    const about = order.receiptNumber ? `receipt ${order.receiptNumber}` : `order ${order.id}`;
    const open = disputes.find(({ state }) => state === "open");
    if (open) {
      return {
        sentence: `The member's bank disputes ${formatPenceInFull(order.amountInPence)}, ${about}. Answer it ${where}.`,
        link: dashboard && { label: "Answer the dispute", address: dashboard.disputeUrl(open.gatewayId) },
      };
    }
    const part = parts.find(({ state }) => state === "refund-failed");
    const payment = payments.find(({ id, state }) => state === "refund-failed" || id === part?.paymentId);
    if (payment) {
      const amount = formatPenceInFull(part?.amountInPence ?? payment.amountInPence);
      const id = payment.gatewayId;
      return {
        sentence: `A refund of ${amount} is stuck, ${about}. Check it ${where}, and refund it there.`,
        link:
          dashboard && id !== undefined ? { label: "Open the payment", address: dashboard.paymentUrl(id) } : undefined,
      };
    }
  }
  return undefined;
}

export function accessText(access: Access): string {
  if (access.isActive) return access.endsAt ? `until ${formatDate(access.endsAt)}` : "yes";
  return access.reason === "unavailable" ? "not known right now" : "none";
}
