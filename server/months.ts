import { toDay } from "./format.ts";
import { fromWall } from "./membership/plans.ts";

/** Months in London, as text: `2026-11`. */

export function toMonth(instant: Date): string {
  return toDay(instant).slice(0, 7);
}

/** The first instant of a month. */
export function toStart(month: string): Date {
  return fromWall(new Date(`${month}-01T00:00:00.000Z`));
}

export function monthBefore(month: string): string {
  return shift(month, -1);
}

export function monthAfter(month: string): string {
  return shift(month, 1);
}

function shift(month: string, by: number): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}
