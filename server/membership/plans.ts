/** What an individual can buy (spec, section 9). Money is in whole pence. */
export type Plan = {
  type: PlanType;
  label: string;
  monthlyPriceInPence: number;
  chargeInPence: number;
  months: number;
  variationId: number;
};

export type PlanType = 1 | 2 | 3;

export const plans: Record<PlanType, Plan> = {
  1: { type: 1, label: "1 Month", monthlyPriceInPence: 1500, chargeInPence: 1500, months: 1, variationId: 118 },
  2: { type: 2, label: "3 Monthly", monthlyPriceInPence: 1000, chargeInPence: 3000, months: 3, variationId: 119 },
  3: { type: 3, label: "Yearly", monthlyPriceInPence: 500, chargeInPence: 6000, months: 12, variationId: 120 },
};

/** The same day so many months later, or that month's last day: 31 January plus one is 28 or 29 February (design, section 4). */
export function addMonths(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}
