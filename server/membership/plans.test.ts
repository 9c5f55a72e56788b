import { expect, test } from "vitest";

import { addMonths, plans } from "./plans.ts";

test("what is charged is the monthly price times the months", () => {
  for (const plan of Object.values(plans)) expect(plan.chargeInPence).toBe(plan.monthlyPriceInPence * plan.months);
});

test.each([
  ["2026-11-20T03:00:00.000Z", 1, "2026-12-20T03:00:00.000Z"],
  ["2027-01-31T23:59:59.000Z", 1, "2027-02-28T23:59:59.000Z"],
  ["2028-01-31T00:00:00.000Z", 1, "2028-02-29T00:00:00.000Z"],
  ["2026-08-31T12:00:00.000Z", 3, "2026-11-30T12:00:00.000Z"],
  ["2028-02-29T12:00:00.000Z", 12, "2029-02-28T12:00:00.000Z"],
])("%s plus %i months is %s", (start, months, end) => {
  expect(addMonths(new Date(start), months).toISOString()).toBe(end);
});
