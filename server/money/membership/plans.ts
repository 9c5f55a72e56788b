import { formatPence } from "../../platform/format.ts";

/**
 * The only list of individual plans, by type (docs/behaviour.md, Plans). A new line is a new plan in forms, commands,
 * the API and the database. Months, charge and variation differ in each. Money is in whole pence.
 */
const terms = {
  1: { label: "1 Month", months: 1, monthlyPriceInPence: 1500, variationId: 118 },
  2: { label: "3 Monthly", months: 3, monthlyPriceInPence: 1000, variationId: 119 },
  3: { label: "Yearly", months: 12, monthlyPriceInPence: 500, variationId: 120 },
};

export type PlanType = keyof typeof terms;

export type Plan = PlanTerms & {
  type: PlanType;
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

/** In the order of the offer: the shortest first. */
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

/** A code for other products alone lets no person join. */
export function isAnySold(productIds: number[]): boolean {
  const sold = new Set([PRODUCT_ID, ...Object.values(plans).map(({ variationId }) => variationId)]);
  return productIds.some((id) => sold.has(id));
}

/** `type` is a number, or digits of a form or a caller. */
export function findPlan(type: unknown): Plan | undefined {
  if (typeof type !== "number" && typeof type !== "string") return undefined;
  return Object.values(plans).find((plan) => String(plan.type) === String(type));
}
