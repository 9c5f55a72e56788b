import { formatPence } from "../../platform/format.ts";

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
