import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { type Collection, MONTHS_PER_PERIOD } from "../companies/collections.ts";
import type { Contract } from "../companies/contract.ts";
import { addMonths } from "../../platform/london-calendar.ts";

/**
 * Everything that a company's contact is shown. It is made of these rows alone: the company's own contract, and what was counted of its
 * people after the end of each month, in fives. Members, seats and accounts are out of this file's reach
 * (docs/decisions/0019-a-company-sees-fives.md).
 */
export type CompanyView = Omit<Contract, "collections"> & {
  /** First year first; with the last day that each pays for. */
  collections: (Pick<Collection, "period" | "amountInPence" | "state" | "dueAt"> & { endsAt: Date })[];
  /** The latest month first. */
  months: CountedMonth[];
};

/** Both figures are multiples of five, 0 among them. */
export type CountedMonth = {
  /** In London: `2026-11`. */
  month: string;
  /** How many joined in it and still had their seat at its end. */
  joined: number;
  seatsTaken: number;
};

/** No figure may be about fewer people. */
export const GROUP = 5;

/** Rounds a number of people down, so that every sum and every difference of two figures is 0 or at least five. */
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
