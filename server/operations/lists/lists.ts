import type { Accounts } from "../../members/accounts/accounts.ts";
import type { MemberRecord } from "../../members/accounts/members.ts";
import { displayFullName } from "../../members/accounts/profile-fields.ts";
import { after, DAY_IN_MS, MINUTE_IN_MS, type Clock } from "../../platform/clock.ts";
import type { Codes } from "../../money/companies/codes.ts";
import type { Companies } from "../../money/companies/companies.ts";
import type { Company } from "../../money/companies/company.ts";
import { companyLabels } from "../../money/companies/labels.ts";
import type { MemberSeat } from "../../money/companies/seats.ts";
import type { Cursor } from "../../platform/database/database.ts";
import { BYTE_ORDER_MARK, toCsvLine } from "../../platform/csv.ts";
import { toDay } from "../../platform/format.ts";
import type { Membership } from "../../money/membership/membership.ts";
import { plans } from "../../money/membership/plans.ts";
import { monthAfter, monthBefore, toMonth, toStart } from "../../platform/london-calendar.ts";
import type { ListedOrder } from "../../money/payments/order-lists.ts";
import type { Payments } from "../../money/payments/payments.ts";
import { orderLabels } from "../../money/payments/labels.ts";
import type { Seal } from "../../platform/seal.ts";
import type { ListName } from "./list-table.ts";

/** Operators' lists: in pages for a screen and a command, and whole as CSV. */
export type Lists = ReturnType<typeof createLists>;

/** The screen, the command and the file format it in their own ways. */
export type ListCell = string | number | Date | { pence: number } | undefined;

export type ListColumn = { label: string; isNumber?: true; isMoney?: true; isWhole?: true };

export type ListRow = {
  cursor: Cursor;
  /** The thing that the first cell names, if it still exists. */
  about: { member: number } | { code: string } | { company: number } | undefined;
  cells: ListCell[];
};

export type ListPage = { columns: ListColumn[]; rows: ListRow[]; next: Cursor | undefined };

type PageRequest = { after?: Cursor | undefined; limit: number };

export type ListsContext = {
  clock: Clock;
  seal: Seal;
  accounts: Accounts;
  membership: Membership;
  payments: Payments;
  codes: Codes;
  companies: Companies;
  /** A provider that holds the members has no call for lists of them. */
  capabilities: { holdsAll: boolean };
};

/** How long the file can be fetched after the act in the audit log. */
const PASS_LIFE_IN_MS = 2 * MINUTE_IN_MS;
/** A file is read in pages, so its length does not change the memory. */
const FILE_PAGE = 500;

export function createLists(ctx: ListsContext) {
  const lists = {
    /** False where another back end has the members: lists are then unavailable. */
    isThere: ctx.capabilities.holdsAll,

    async readPage(name: ListName, { after: last, limit }: PageRequest): Promise<ListPage> {
      const { columns, read } = readers[name];
      const rows = await read(ctx, { after: last, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      return { columns, rows: shown, next: rows.length > limit ? shown.at(-1)?.cursor : undefined };
    },

    /** The whole list as CSV, in parts. A row that changes meanwhile comes once, in its old or new state. */
    async *writeFile(name: ListName): AsyncGenerator<string, void, void> {
      const { columns } = readers[name];
      yield BYTE_ORDER_MARK + toCsvLine(columns.map(toFileLabel));
      for (let last: Cursor | undefined, isOver = false; !isOver;) {
        const { rows, next } = await lists.readPage(name, { after: last, limit: FILE_PAGE });
        if (rows.length > 0) yield rows.map(({ cells }) => toCsvLine(cells.map(toFileText))).join("");
        [last, isOver] = [next, next === undefined];
      }
    },

    /** Lets the operator fetch this file for two minutes. */
    makePass: (name: string, operator: string): string =>
      ctx.seal.seal(JSON.stringify([name, operator, ctx.clock().getTime() + PASS_LIFE_IN_MS])),

    /** `undefined` when the pass is another operator's, too old, or not ours. */
    readPass(pass: string, operator: string): string | undefined {
      const text = ctx.seal.open(pass);
      if (text === undefined) return undefined;
      const [name, owner, until] = JSON.parse(text) as [string, string, number];
      return owner === operator && ctx.clock().getTime() < until ? name : undefined;
    },
  };
  return lists;
}

function toFileLabel({ label, isMoney }: ListColumn): string {
  return isMoney ? `${label} in pounds` : label;
}

function toFileText(cell: ListCell): string {
  if (cell === undefined) return "";
  if (cell instanceof Date) return toDay(cell);
  return typeof cell === "object" ? (cell.pence / 100).toFixed(2) : String(cell);
}

type Reader = { columns: ListColumn[]; read: (ctx: ListsContext, page: PageRequest) => Promise<ListRow[]> };

const number = (label: string): ListColumn => ({ label, isNumber: true });
const money = (label: string): ListColumn => ({ label, isNumber: true, isMoney: true });

function memberReader(dayLabel: string, read: (ctx: ListsContext, page: PageRequest) => Promise<Found[]>): Reader {
  const columns = [{ label: "Name" }, { label: "Email" }, { label: "Type" }, { label: "Company" }, { label: dayLabel }];
  return {
    columns: [...columns, { label: "Since" }, number("Number")],
    read: async (ctx, page) => toMemberRows(ctx, await read(ctx, page)),
  };
}

type Found = Cursor & { memberId: number };

async function toMemberRows({ accounts, codes }: ListsContext, found: Found[]): Promise<ListRow[]> {
  const ids = found.map(({ memberId }) => memberId);
  const [records, seats] = [await accounts.findRecords(ids), await codes.findSeatsFor(ids)];
  return found.map(({ memberId, at, id }) => {
    const record = records.get(memberId);
    // The member may have been erased meanwhile.
    if (!record) return { cursor: { at, id }, about: undefined, cells: ["(erased)", "", "", "", at, "", memberId] };
    const cells = toMemberCells(record, { at, seat: seats.get(memberId) });
    return { cursor: { at, id }, about: { member: memberId }, cells };
  });
}

function toMemberCells(record: MemberRecord, { at, seat }: { at: Date; seat: MemberSeat | undefined }): ListCell[] {
  const { id, email, closedEmail, accountType, createdAt } = record;
  const name = displayFullName(record) || "(no name)";
  return [name, closedEmail ?? email, accountType, seat?.company?.name ?? seat?.code, at, createdAt, id];
}

function endingReader(dayLabel: string, options: (now: Date) => { span: object; isGiven?: boolean }): Reader {
  return memberReader(dayLabel, ({ membership, clock }, page) =>
    membership.listEndings({ ...options(clock()), ...page }),
  );
}

function orderReader(dayLabel: string, read: (ctx: ListsContext, page: PageRequest) => Promise<ListedOrder[]>): Reader {
  const columns: ListColumn[] = [{ label: "Name" }, { label: "Email" }, { label: "Receipt", isWhole: true }];
  return {
    columns: [
      ...columns,
      { label: dayLabel },
      money("Amount"),
      money("Refunded"),
      { label: "Plan" },
      { label: "State" },
    ],
    read: async (ctx, page) =>
      (await read(ctx, page)).map((order) => ({
        cursor: { at: order.at, id: order.id },
        about: order.memberId === undefined ? undefined : { member: order.memberId },
        cells: toOrderCells(order),
      })),
  };
}

function toOrderCells(order: ListedOrder): ListCell[] {
  const { at, email, receiptNumber, amountInPence, backInPence, planType, state } = order;
  const name = displayFullName(order) || "(erased)";
  const sums = [{ pence: amountInPence }, { pence: backInPence }];
  return [name, email, receiptNumber, at, ...sums, plans[planType].label, orderLabels[state]];
}

function codeReader(state: "unused" | "nearly-full"): Reader {
  return {
    columns: [
      { label: "Code", isWhole: true },
      { label: "Company" },
      number("Seats"),
      number("Taken"),
      { label: "From" },
      { label: "Until" },
    ],
    read: async ({ codes }, { after: last, limit }) =>
      (await codes.listOpenPage({ state, before: last?.id, limit })).map((view) => ({
        cursor: { at: view.createdAt, id: view.id },
        about: { code: view.code },
        cells: [view.code, view.company?.name, view.seats, view.seatsTaken, view.startsAt, view.endsAt ?? "for good"],
      })),
  };
}

/** There are hundreds of companies at most, so all are read. */
function companyReader(isListed: (company: Company) => boolean): Reader {
  return {
    columns: [
      { label: "Company" },
      { label: "State" },
      { label: "Contact" },
      { label: "Code", isWhole: true },
      number("Accounts"),
      number("Taken"),
      money("A year"),
      { label: "Grace ends" },
    ],
    async read({ companies }, { after: last, limit }) {
      const listed = (await companies.list()).filter(isListed).toSorted((a, b) => a.id - b.id);
      return listed
        .filter(({ id }) => id > (last?.id ?? 0))
        .slice(0, limit)
        .map((company) => ({
          cursor: { at: company.createdAt, id: company.id },
          about: { company: company.id },
          cells: toCompanyCells(company),
        }));
    },
  };
}

function toCompanyCells(company: Company): ListCell[] {
  const { name, state, contactEmail, code, accounts, seatsTaken, priceInPence, graceEndsAt } = company;
  return [name, companyLabels[state], contactEmail, code, accounts, seatsTaken, { pence: priceInPence }, graceEndsAt];
}

/** From the first of this month in London until now. */
function thisMonth(now: Date) {
  return { from: toStart(toMonth(now)), to: now };
}

function lastMonth(now: Date) {
  const month = monthBefore(toMonth(now));
  return { from: toStart(month), to: toStart(monthAfter(month)) };
}

const readers: Record<ListName, Reader> = {
  "ends-this-week": endingReader("Ends", (now) => ({ span: { from: now, to: after(now, 7 * DAY_IN_MS) } })),
  "ended-this-month": endingReader("Ended", (now) => ({ span: thisMonth(now) })),
  "ended-last-month": endingReader("Ended", (now) => ({ span: lastMonth(now) })),
  "ended-early": memberReader("Ended", ({ membership }, page) => membership.listEndedEarly(page)),
  active: endingReader("Ends", (now) => ({ span: { from: now } })),
  given: endingReader("Ends", (now) => ({ span: { from: now }, isGiven: true })),
  closed: memberReader("Erased", ({ accounts }, page) => accounts.listClosed(page)),
  "paid-this-month": orderReader("Paid", ({ payments, clock }, page) =>
    payments.listPaid({ span: thisMonth(clock()), ...page }),
  ),
  "paid-last-month": orderReader("Paid", ({ payments, clock }, page) =>
    payments.listPaid({ span: lastMonth(clock()), ...page }),
  ),
  "given-back": orderReader("Since", ({ payments }, page) => payments.listGivenBackOrders(page)),
  unpaid: orderReader("Begun", ({ payments }, page) => payments.listUnpaid(page)),
  "codes-unused": codeReader("unused"),
  "codes-nearly-full": codeReader("nearly-full"),
  "companies-unpaid": companyReader(({ state }) => state === "grace" || state === "stopped"),
  "companies-not-agreed": companyReader(({ state }) => state === "setting-up"),
  "companies-unused": companyReader(({ state, seatsTaken }) => state === "live" && seatsTaken === 0),
};
