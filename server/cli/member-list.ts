import type { MemberRecord } from "../accounts/member-records.ts";
import { formatPenceInFull } from "../format.ts";
import type { Access, HeldSubscription } from "../membership/membership.ts";
import { plans } from "../membership/plans.ts";
import type { Rooms } from "../rooms.ts";
import { refuse, type Command } from "./command.ts";
import { printInstant } from "./print-instant.ts";
import { printFacts, printTable, type Cell } from "./print-table.ts";
import { readCount } from "./read-values.ts";
import { MEMBER_WORD, withMember } from "./with-member.ts";
import { withRooms } from "./with-rooms.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

export const list: Command = {
  summary: "list members, the newest first",
  options: {
    search: { value: "TEXT", help: "only those whose name or address has this in it" },
    limit: { value: "N", help: `how many at once, ${DEFAULT_LIMIT} if not given` },
    page: { value: "N", help: "which page of them, counted from 1" },
  },
  example: "member list --search lovell",
  run(input) {
    const search = input.value("search");
    const size = readCount(input, "limit", { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT;
    const page = readCount(input, "page", { min: 1, max: 1_000_000 }) ?? 1;
    return withRooms(async ({ rooms }) => {
      const { members, total } = await rooms.accounts.list({ search, page, size });
      const all = await Promise.all(
        members.map(async (member) => ({ member, access: await rooms.membership.findAccess(member.id) })),
      );
      const rows = all.map(({ member, access }) => [
        member.id,
        `${member.firstName} ${member.lastName}`,
        member.email,
        member.accountType,
        printAccess(access),
      ]);
      const whenEmpty = total === 0 ? "There is no such member." : "There is nobody on this page.";
      const table = printTable(["ID", "NAME", "E-MAIL", "TYPE", "ACCESS"], rows, { whenEmpty });
      const count = rows.length === 0 ? "" : `\n\n${rows.length} of ${total}, page ${page}`;
      const json = { total, page, limit: size, members: all.map(({ member, access }) => toJson(member, access)) };
      return { ok: true, text: table + count, json };
    });
  },
};

export const show: Command = {
  summary: "show a member: access, terms, receipts, and what operators did",
  words: [MEMBER_WORD],
  example: "member show ada@example.org",
  run: withMember(async ({ rooms, member }) => {
    const record = await rooms.accounts.findRecord(member.id);
    if (!record) return refuse("Somebody has erased this member meanwhile.");
    const facts = { ...(await gather(rooms, member.id)), member: record };
    return { ok: true, text: describe(facts), json: factsJson(facts) };
  }),
};

type Facts = Awaited<ReturnType<typeof gather>> & { member: MemberRecord };

async function gather({ membership, codes, sessions, payments, audit }: Rooms, memberId: number) {
  return {
    access: await membership.findAccess(memberId),
    subscriptions: await membership.listFor(memberId),
    seats: await codes.listSeatsFor(memberId),
    sessions: await sessions.listFor(memberId),
    receipts: await payments.listReceipts(memberId),
    actions: await audit.listFor(memberId),
  };
}

function describe({ member, access, subscriptions, seats, sessions, receipts, actions }: Facts): string {
  const head = printFacts([
    ["Member", member.id],
    ["Name", `${member.firstName} ${member.lastName}`],
    ["E-mail", member.closedEmail ?? member.email],
    ["Type", member.accountType],
    ["Since", printInstant(member.createdAt)],
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
  const done = actions.map(({ at, operator, action }) => [printInstant(at), operator, action]);
  return [
    head,
    printTable(["TERM", "FROM", "UNTIL", "BY", "REVOKED"], terms, { whenEmpty: "There was never a term." }),
    printTable(["RECEIPT", "PLAN", "AMOUNT", "PAID"], paid, { whenEmpty: "There are no receipts." }),
    printTable(["WHEN", "OPERATOR", "ACTION"], done, { whenEmpty: "No operator did anything." }),
  ].join("\n\n");
}

function printAccess(access: Access): string {
  return access.isActive ? `until ${printInstant(access.endsAt)}` : "none";
}

function toJson({ id, email, firstName, lastName, accountType, createdAt, eraseAt }: MemberRecord, access: Access) {
  const accessEndsAt = access.isActive ? access.endsAt : undefined;
  return { id, email, firstName, lastName, accountType, createdAt, eraseAt, isActive: access.isActive, accessEndsAt };
}

function factsJson({ member, access, subscriptions, seats, sessions, receipts, actions }: Facts) {
  return {
    ...toJson(member, access),
    subscriptions: subscriptions.map(subscriptionJson),
    seats,
    sessions,
    receipts,
    actions: actions.map(({ at, operator, action, facts }) => ({ at, operator, action, facts })),
  };
}

function subscriptionJson({ id, planType, startsAt, endsAt, orderId, revokedAt }: HeldSubscription) {
  return { id, months: plans[planType].months, startsAt, endsAt, orderId, revokedAt };
}
