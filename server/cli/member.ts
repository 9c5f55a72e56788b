import { displayFullName } from "../members/accounts/profile-fields.ts";
import { actionText } from "../operations/acts/acts.ts";
import { parseDay } from "../operations/acts/fields.ts";
import { authorText, factsText } from "../platform/audit/labels.ts";

import type { MemberRecord } from "../members/accounts/members.ts";
import { formatPenceInFull } from "../platform/format.ts";
import type { Access, HeldSubscription } from "../money/membership/membership.ts";
import { plans } from "../money/membership/plans.ts";
import type { Services } from "../services.ts";
import { actCommands, withSubject } from "./act-command.ts";
import { type Command, type Group, readCount, UsageError } from "./command.ts";
import { withServices } from "./command-context.ts";
import { type Cell, printFacts, printInstant, printNotes, printTable } from "../operations/acts/print.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

const list: Command = {
  summary: "list members, newest first",
  options: {
    search: { value: "TEXT", help: "only members whose name or address contains this" },
    limit: { value: "N", help: `how many at once; otherwise ${DEFAULT_LIMIT}` },
    page: { value: "N", help: "which page, starting at 1" },
  },
  example: "member list --search lovell",
  run(input, terminal) {
    const search = input.value("search");
    const size = readCount(input, "limit", { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT;
    const page = readCount(input, "page", { min: 1, max: 1_000_000 }) ?? 1;
    return withServices(terminal, async ({ services }) => {
      const { members, total } = await services.accounts.list({ search, page, size });
      const all = await Promise.all(
        members.map(async (member) => ({ member, access: await services.membership.findAccess(member.id) })),
      );
      const rows = all.map(({ member, access }) => [
        member.id,
        displayFullName(member),
        member.email,
        member.accountType,
        printAccess(access),
      ]);
      const whenEmpty = total === 0 ? "No members match." : "There are no members on this page.";
      const table = printTable(["ID", "NAME", "E-MAIL", "TYPE", "ACCESS"], rows, { whenEmpty });
      const count = rows.length === 0 ? "" : `\n\n${rows.length} of ${total}, page ${page}`;
      const json = { total, page, limit: size, members: all.map(({ member, access }) => toJson(member, access)) };
      return { ok: true, text: table + count, json };
    });
  },
};

const card: Command = {
  summary: "find who paid with a card, by its last four digits and the day on the statement",
  words: ["LAST4", "DAY"],
  example: "member card 4242 20/11/2026",
  note: "It finds payments of that day and the three days before. A new payment takes a few minutes to show up.",
  run({ words: [last4 = "", typed = ""] }, terminal) {
    const [from, to] = [parseDay(typed, "first"), parseDay(typed, "last")];
    if (!/^\d{4}$/.test(last4)) throw new UsageError(`LAST4 must be four digits, not “${last4}”.`);
    if (!from || !to) throw new UsageError(`DAY must be a day such as 20/11/2026, not “${typed}”.`);
    return withServices(terminal, async ({ services }) => {
      const payments = await services.payments.findByCard({ last4, day: { from, to } });
      const rows = payments.map((payment) => [
        payment.memberId,
        displayFullName(payment),
        payment.receiptNumber,
        formatPenceInFull(payment.amountInPence),
        printInstant(payment.paidAt),
      ]);
      const whenEmpty = "No payments found.";
      return {
        ok: true,
        text: printTable(["ID", "NAME", "RECEIPT", "AMOUNT", "PAID"], rows, { whenEmpty }),
        json: { payments },
      };
    });
  },
};

const show: Command = {
  summary: "show a member: access, terms, receipts, notes, and what operators did",
  example: "member show ada@example.org",
  ...withSubject("member", async (member, { services }) => {
    const facts = { ...(await gather(services, member.id)), member };
    return { ok: true, text: describe(facts), json: toFactsJson(facts) };
  }),
};

type Facts = Awaited<ReturnType<typeof gather>> & { member: MemberRecord };

async function gather({ membership, codes, sessions, payments, notes, audit }: Services, memberId: number) {
  return {
    access: await membership.findAccess(memberId),
    subscriptions: await membership.listFor(memberId),
    seats: await codes.listSeatsFor(memberId),
    sessions: await sessions.listFor(memberId),
    receipts: await payments.listReceipts(memberId),
    notes: await notes.listFor({ memberId }),
    actions: await audit.listFor(memberId),
  };
}

function describe({ member, access, subscriptions, seats, sessions, receipts, notes, actions }: Facts): string {
  const head = printFacts([
    ["Member", member.id],
    ["Name", displayFullName(member)],
    ["E-mail", member.closedEmail ?? member.email],
    ["Type", member.accountType],
    ["Since", printInstant(member.createdAt)],
    ...(member.passwordOffAt
      ? [["Password off since", printInstant(member.passwordOffAt)] satisfies [string, Cell]]
      : []),
    ...(member.eraseAt ? [["Closed, erased on", printInstant(member.eraseAt)] satisfies [string, Cell]] : []),
    ["Access", printAccess(access)],
    ["Seat", seats[0]?.code],
    ["Logged in", `in ${sessions.length} ${sessions.length === 1 ? "browser" : "browsers"}`],
  ]);
  const terms = subscriptions.map((term) => [
    plans[term.planType].periodText,
    printInstant(term.startsAt),
    printInstant(term.endsAt),
    term.orderId === undefined ? "an operator" : `order ${term.orderId}`,
    printInstant(term.revokedAt),
  ]);
  const paid = receipts.map((receipt) => [
    receipt.number,
    receipt.planLabel,
    formatPenceInFull(receipt.amountInPence),
    printInstant(receipt.paidAt),
  ]);
  const done = actions.map(({ at, operator, action, facts }) => [
    printInstant(at),
    authorText(operator),
    actionText(action),
    factsText(facts),
  ]);
  return [
    head,
    printTable(["TERM", "FROM", "UNTIL", "BY", "REVOKED"], terms, { whenEmpty: "There are no terms." }),
    printTable(["RECEIPT", "PLAN", "AMOUNT", "PAID"], paid, { whenEmpty: "There are no receipts." }),
    printNotes(notes),
    printTable(["WHEN", "OPERATOR", "ACTION", "ABOUT"], done, { whenEmpty: "There are no acts." }),
  ].join("\n\n");
}

function printAccess(access: Access): string {
  return access.isActive ? `until ${printInstant(access.endsAt)}` : "none";
}

function toJson({ id, email, firstName, lastName, accountType, createdAt, eraseAt }: MemberRecord, access: Access) {
  const accessEndsAt = access.isActive ? access.endsAt : undefined;
  return { id, email, firstName, lastName, accountType, createdAt, eraseAt, isActive: access.isActive, accessEndsAt };
}

function toFactsJson({ member, access, subscriptions, seats, sessions, receipts, notes, actions }: Facts) {
  return {
    ...toJson(member, access),
    subscriptions: subscriptions.map(toSubscriptionJson),
    seats,
    sessions,
    receipts,
    notes,
    actions: actions.map(({ at, operator, action, facts }) => ({ at, operator, action, facts })),
  };
}

function toSubscriptionJson({ id, planType, startsAt, endsAt, orderId, revokedAt }: HeldSubscription) {
  return { id, months: plans[planType].months, startsAt, endsAt, orderId, revokedAt };
}

export const memberCommands: Group = {
  summary: "members, their access and their data",
  commands: { list, card, show, ...actCommands("member") },
};
