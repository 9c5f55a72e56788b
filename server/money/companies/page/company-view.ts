import { after, DAY_IN_MS } from "../../../platform/clock.ts";
import { type Collection, MONTHS_PER_PERIOD } from "../collections.ts";
import type { Contract } from "../contract.ts";
import { addMonths } from "../../../platform/london-calendar.ts";

/**
 * All that a company's contact sees: the company's own contract, and counts of its people after each month, in fives.
 * This file has no access to members, seats and accounts (docs/decisions/0019-a-company-sees-fives.md).
 */
export type CompanyView = Omit<Contract, "collections"> & {
  /** The first year first; `endsAt`: the last day that it pays for. */
  collections: (Pick<Collection, "period" | "amountInPence" | "state" | "dueAt"> & { endsAt: Date })[];
  months: CountedMonth[];
};

/** Both figures are multiples of five, or 0. */
export type CountedMonth = {
  /** In London: `2026-11`. */
  month: string;
  /** Those who joined in the month and still had their seat at its end. */
  joined: number;
  seatsTaken: number;
};

/** No figure may be about fewer people. */
export const GROUP = 5;

/** Rounds down, so that every sum and difference of two figures is 0 or at least five. */
export function toFives(count: number): number {
  return Math.floor(count / GROUP) * GROUP;
}

export function buildCompanyView(contract: Contract, months: CountedMonth[]): CompanyView {
  return {
    ...contract,
    collections: contract.collections.map(({ period, amountInPence, state, dueAt }) => ({
      period,
      amountInPence,
      state,
      dueAt,
      endsAt: after(addMonths(dueAt, MONTHS_PER_PERIOD), -DAY_IN_MS),
    })),
    months: months.toSorted((a, b) => (a.month < b.month ? 1 : -1)),
  };
}
