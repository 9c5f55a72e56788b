import { href } from "react-router";

import type { CodeFault } from "../../../server/money/companies/labels.ts";
import type { CollectionState } from "../../../server/money/companies/collections.ts";
import type { CompanyState } from "../../../server/money/companies/company.ts";
import type { CompanyView } from "../../../server/money/companies/page/company-view.ts";
import { formatDay, formatPenceInFull } from "../../../server/platform/format.ts";
import { toSeats } from "./seats.tsx";

export function toFigures(view: CompanyView) {
  const { companyId, name, accounts, priceInPence, next, code, codeFault, months, collections } = view;
  return {
    company: name,
    state: stateText(view),
    seatsPaid: accounts.toLocaleString("en-GB"),
    price: formatPenceInFull(priceInPence),
    /** From the next collection on, if it changes. */
    next: next && nextText(next),
    code,
    codeState: codeFault ? codeStates[codeFault] : "Your staff can join with it.",
    seats: toSeats(months, accounts),
    collections: collections.map((collection) => toYear(companyId, collection)),
  };
}

/** `From 03/03/2027: 60, for £1,800.00 a year`. */
function nextText({ accounts, priceInPence, from }: NonNullable<CompanyView["next"]>): string {
  const when = from ? `From ${formatDay(from)}` : "From the next collection";
  return `${when}: ${accounts.toLocaleString("en-GB")}, for ${formatPenceInFull(priceInPence)} a year`;
}

export type CompanyFigures = ReturnType<typeof toFigures>;

function toYear(companyId: number, { period, amountInPence, state, dueAt }: CompanyView["collections"][number]) {
  return {
    year: period + 1,
    begins: formatDay(dueAt),
    amount: formatPenceInFull(amountInPence),
    state: collectionStates[state],
    path: href("/company/invoices/:number", { number: invoiceNumber(companyId, period) }),
  };
}

/** `period` is 0 in the first year. */
export function invoiceNumber(companyId: number, period: number): string {
  return `C-${String(companyId).padStart(4, "0")}-${period + 1}`;
}

const states: Record<CompanyState, string> = {
  "setting-up": "Waiting for your Direct Debit. We've emailed you the page to set it up.",
  live: "Your Direct Debit is in place.",
  grace: "A payment or the Direct Debit has failed.",
  stopped: "Stopped, because a payment or the Direct Debit failed.",
};

function stateText({ state, graceEndsAt }: CompanyView): string {
  const until = state === "grace" && graceEndsAt ? ` Your code works until ${formatDay(graceEndsAt)}.` : "";
  return states[state] + until;
}

/** A full code reads like a valid one, because whether it is full depends on people. */
const codeStates: Record<CodeFault, string> = {
  "not-started": "It doesn't work yet.",
  ended: "It has ended. No one can join with it.",
  revoked: "We ended it. No one can join with it.",
  full: "Your staff can join with it.",
  stopped: "It will work once the Direct Debit is in place again.",
  "setting-up": "It will work once the Direct Debit is set up.",
  "not-sold": "It isn't working right now.",
  gift: "It isn't working right now.",
};

/** A payment that the bank has not confirmed is not paid yet. */
export function invoiceStatus(state: CollectionState, dueAt: Date): string {
  const isOpen = state === "due" || state === "again" || state === "pending";
  return isOpen ? `Due by ${formatDay(dueAt)}` : collectionStates[state];
}

export const collectionStates: Record<CollectionState, string> = {
  due: "Will be collected",
  again: "Will be collected again",
  pending: "On its way from your bank",
  confirmed: "Paid",
  "paid-out": "Paid",
  failed: "Not paid: the collection failed",
  "charged-back": "Returned by your bank",
  cancelled: "Cancelled",
};
