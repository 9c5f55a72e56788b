import type { Cursor } from "../../platform/database/database.ts";

/** Pure, so that screens may name the lists. */

/** `screen`: where the desk shows it. */
type ListWords = { screen: "members" | "codes" | "companies"; label: string; note: string };

export const lists = {
  "ends-this-week": {
    screen: "members",
    label: "Ends this week",
    note: "Members whose access ends within seven days, with no renewal yet.",
  },
  "ended-this-month": {
    screen: "members",
    label: "Ended this month",
    note: "Members whose last term ended this month.",
  },
  "ended-last-month": {
    screen: "members",
    label: "Ended last month",
    note: "Members whose last term ended last month.",
  },
  "ended-early": {
    screen: "members",
    label: "Ended early",
    note: "Members whose access an operator ended, or whose payment was refunded. Latest first.",
  },
  active: {
    screen: "members",
    label: "Has access",
    note: "Members with a current or future term, by the day it ends.",
  },
  given: {
    screen: "members",
    label: "Has free access",
    note: "Members whose last term was free: an operator or the API added it.",
  },
  closed: {
    screen: "members",
    label: "Closed, to be erased",
    note: "Members who have closed their account, by the day we erase it.",
  },
  "paid-this-month": {
    screen: "members",
    label: "Paid this month",
    note: "Payments made this month, including any refunded since.",
  },
  "paid-last-month": {
    screen: "members",
    label: "Paid last month",
    note: "Payments made last month, including any refunded since.",
  },
  "given-back": {
    screen: "members",
    label: "Refunded",
    note: "Payments refunded, being refunded, or stuck. Latest first.",
  },
  unpaid: {
    screen: "members",
    label: "Unpaid",
    note: "Payments started in the last 30 days and never finished. Latest first.",
  },
  "codes-unused": {
    screen: "codes",
    label: "Not used",
    note: "Open codes that no one has joined with.",
  },
  "codes-nearly-full": {
    screen: "codes",
    label: "Nearly full",
    note: "Open codes with a tenth of their seats left, or fewer.",
  },
  "companies-unpaid": {
    screen: "companies",
    label: "Unpaid",
    note: "Companies whose payment or Direct Debit failed.",
  },
  "companies-not-agreed": {
    screen: "companies",
    label: "No Direct Debit yet",
    note: "Companies that haven't set up their Direct Debit yet.",
  },
  "companies-unused": {
    screen: "companies",
    label: "No code used",
    note: "Companies with a Direct Debit, but no members yet.",
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
  const [, at, id] = /^(\d{12,14})-([1-9]\d{0,8})$/.exec(text) ?? [];
  return at === undefined ? undefined : { at: new Date(Number(at)), id: Number(id) };
}
