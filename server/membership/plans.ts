import { fromWall, toWall } from "./london-clock.ts";

/** What an individual can buy (spec, section 9). Money is in whole pence. */
export type Plan = {
  type: PlanType;
  label: string;
  /** As pages say it, in the spec's words. */
  priceText: string;
  periodText: string;
  monthlyPriceInPence: number;
  chargeInPence: number;
  months: number;
  variationId: number;
};

export type PlanType = 1 | 2 | 3;

/** The one product; its plans are its variations. */
export const PRODUCT_ID = 117;

export const plans: Record<PlanType, Plan> = {
  1: {
    type: 1,
    label: "1 Month",
    priceText: "£15 per month",
    periodText: "1 month",
    monthlyPriceInPence: 1500,
    chargeInPence: 1500,
    months: 1,
    variationId: 118,
  },
  2: {
    type: 2,
    label: "3 Monthly",
    priceText: "£10 per month",
    periodText: "3 months",
    monthlyPriceInPence: 1000,
    chargeInPence: 3000,
    months: 3,
    variationId: 119,
  },
  3: {
    type: 3,
    label: "Yearly",
    priceText: "£5 per month",
    periodText: "12 months",
    monthlyPriceInPence: 500,
    chargeInPence: 6000,
    months: 12,
    variationId: 120,
  },
};

const sold = new Set([PRODUCT_ID, ...Object.values(plans).map(({ variationId }) => variationId)]);

/** Whether any of these products is sold here: a code for others alone lets nobody in. */
export function isAnySold(productIds: number[]): boolean {
  return productIds.some((id) => sold.has(id));
}

/** The plan that a form, a row or a caller names by its type, as a number or in digits. */
export function findPlan(type: unknown): Plan | undefined {
  if (typeof type !== "number" && typeof type !== "string") return undefined;
  return Object.values(plans).find((plan) => String(plan.type) === String(type));
}

/**
 * The same day and time so many months later by a clock in London, or that month's last day: 31 January plus one is 28 or 29
 * February (design, section 4). A time that a change of the clocks skips is an hour later, one that comes twice is the first.
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
