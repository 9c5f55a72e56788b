import { after, DAY_IN_MS } from "../clock.ts";
import { formatPence } from "../format.ts";
import { lazy } from "../lazy.ts";

/**
 * The plans of an individual, by type (docs/behaviour.md, Plans): the only list of them. A line more is a plan more, in forms, commands, the
 * API and the database. Each has months, a charge and a variation that no other has. Money is in whole pence.
 */
const terms = {
  1: { label: "1 Month", months: 1, monthlyPriceInPence: 1500, variationId: 118 },
  2: { label: "3 Monthly", months: 3, monthlyPriceInPence: 1000, variationId: 119 },
  3: { label: "Yearly", months: 12, monthlyPriceInPence: 500, variationId: 120 },
};

export type PlanType = keyof typeof terms;

export type Plan = PlanTerms & {
  type: PlanType;
  /** As pages say it. */
  priceText: string;
  periodText: string;
  chargeInPence: number;
};

export type PlanTerms = { label: string; months: number; monthlyPriceInPence: number; variationId: number };

/** The one product; its plans are its variations. */
export const PRODUCT_ID = 117;

export const plans = Object.fromEntries(
  Object.entries(terms).map(([type, each]) => [type, toPlan(Number(type) as PlanType, each)]),
) as Record<PlanType, Plan>;

/** The plans in the order in which they are offered, the shortest first, whatever their types are. */
export function listPlans(): Plan[] {
  return Object.values(plans).toSorted((a, b) => a.months - b.months);
}

export function toPlan(type: PlanType, sold: PlanTerms): Plan {
  const { months, monthlyPriceInPence } = sold;
  return {
    type,
    ...sold,
    priceText: `${formatPence(monthlyPriceInPence)} per month`,
    periodText: formatMonths(months),
    chargeInPence: monthlyPriceInPence * months,
  };
}

export function formatMonths(months: number): string {
  return months === 1 ? "1 month" : `${months} months`;
}

/** Whether any of these products is sold here: a code for others alone lets no one join. */
export function isAnySold(productIds: number[]): boolean {
  const sold = new Set([PRODUCT_ID, ...Object.values(plans).map(({ variationId }) => variationId)]);
  return productIds.some((id) => sold.has(id));
}

/** The plan that a form, a row or a caller names by its type, as a number or in digits. */
export function findPlan(type: unknown): Plan | undefined {
  if (typeof type !== "number" && typeof type !== "string") return undefined;
  return Object.values(plans).find((plan) => String(plan.type) === String(type));
}

/**
 * The same day and time so many months later by a clock in London, or that month's last day: 31 January plus one is 28 or 29
 * February (docs/behaviour.md, Plans). A time that a change of the clocks skips is an hour later, one that comes twice is the first.
 */
export function addMonths(start: Date, months: number): Date {
  const wall = toWall(start);
  const end = new Date(wall);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(wall.getUTCDate(), lastDay));
  return fromWall(end);
}

/** The calendar that members live by: terms begin and end by a clock on a wall in London. */
const london = lazy(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: "Europe/London",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }),
);

/** The time on the clock at an instant, encoded as if it were UTC: a value to calculate with, not an instant. */
function toWall(instant: Date): Date {
  const parts = new Map(
    london()
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const day = Date.UTC(read("year"), read("month") - 1, read("day"));
  return new Date(
    day + ((read("hour") * 60 + read("minute")) * 60 + read("second")) * 1000 + instant.getUTCMilliseconds(),
  );
}

/** The first instant at which the clock shows this. A time that it skips in spring is an hour later. */
export function fromWall(wall: Date): Date {
  const byOffsetBefore = after(wall, -offsetAt(after(wall, -DAY_IN_MS)));
  const byOffsetAfter = after(wall, -offsetAt(after(wall, DAY_IN_MS)));
  const shows = (instant: Date) => toWall(instant).getTime() === wall.getTime();
  return [byOffsetBefore, byOffsetAfter].find(shows) ?? byOffsetBefore;
}

/** How far the clock is ahead of UTC, in milliseconds. */
function offsetAt(instant: Date): number {
  return toWall(instant).getTime() - instant.getTime();
}
