import type { Cursor } from "../../platform/database/database.ts";

/** Pure, so that screens may name the lists. */

/** `screen`: where the desk shows it. */
type ListWords = { screen: "members" | "codes" | "companies"; label: string; note: string };

export const lists = {
  "ends-this-week": {
    screen: "members",
    label: "Ends this week",
    note: "Members whose access ends within seven days, with no term behind it.",
  },
  "ended-this-month": {
    screen: "members",
    label: "Ended this month",
    note: "Members whose last term ended since the first of this month.",
  },
  "ended-last-month": {
    screen: "members",
    label: "Ended last month",
    note: "Members whose last term ended in the month before this one.",
  },
  "ended-early": {
    screen: "members",
    label: "Ended before its time",
    note: "Members whose access an operator ended, or whose money was refunded. The latest first.",
  },
  active: {
    screen: "members",
    label: "Has access",
    note: "Members with a term that has not ended, by the day of its end.",
  },
  given: {
    screen: "members",
    label: "Has access that was given",
    note: "Members whose last term no order paid for: an operator or the API gave it.",
  },
  closed: {
    screen: "members",
    label: "Closed, to be erased",
    note: "Members who have closed their account, by the day of the erasure.",
  },
  "paid-this-month": {
    screen: "members",
    label: "Paid this month",
    note: "Payments that came since the first of this month, whatever became of them.",
  },
  "paid-last-month": {
    screen: "members",
    label: "Paid last month",
    note: "Payments that came in the month before this one, whatever became of them.",
  },
  "given-back": {
    screen: "members",
    label: "Refunded",
    note: "Payments that were refunded, are being refunded, or could not be. The latest first.",
  },
  unpaid: {
    screen: "members",
    label: "Unpaid",
    note: "Payments of the last thirty days that were begun and came to nothing. The latest first.",
  },
  "codes-unused": {
    screen: "codes",
    label: "Not used",
    note: "Codes that have not ended and have no members.",
  },
  "codes-nearly-full": {
    screen: "codes",
    label: "Nearly full",
    note: "Codes that have not ended and have a tenth of their seats left at most.",
  },
  "companies-unpaid": {
    screen: "companies",
    label: "Unpaid",
    note: "Companies in grace or stopped: their collection or their agreement failed.",
  },
  "companies-not-agreed": {
    screen: "companies",
    label: "Not agreed",
    note: "Companies that have not agreed to a Direct Debit yet.",
  },
  "companies-unused": {
    screen: "companies",
    label: "No code used",
    note: "Companies that have agreed and have no members yet.",
  },
} satisfies Record<string, ListWords>;

export type ListName = keyof typeof lists;

export const listNames = Object.keys(lists) as ListName[];

export function isListName(text: string): text is ListName {
  return Object.hasOwn(lists, text);
}

/** For an address or a command: `1763600400000-12`. */
export function toCursorText({ at, id }: Cursor): string {
  return `${at.getTime()}-${id}`;
}

export function readCursor(text: string): Cursor | undefined {
  const [, at, id] = /^(\d{12,14})-([1-9]\d{0,9})$/.exec(text) ?? [];
  return at === undefined ? undefined : { at: new Date(Number(at)), id: Number(id) };
}
