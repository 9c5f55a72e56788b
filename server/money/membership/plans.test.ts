import { describe, expect, test } from "vitest";

import { findPlan, type Plan, plans, PRODUCT_ID } from "./plans.ts";

describe("plans", () => {
  test("those of the behaviour are sold as it says", () => {
    const toRow = ({ type, label, months, priceText, chargeInPence, periodText, variationId }: Plan) => {
      return [type, label, months, priceText, chargeInPence, periodText, variationId];
    };
    expect([plans[1], plans[2], plans[3]].map(toRow)).toEqual([
      [1, "1 Month", 1, "£15 per month", 1500, "1 month", 118],
      [2, "3 Monthly", 3, "£10 per month", 3000, "3 months", 119],
      [3, "Yearly", 12, "£5 per month", 6000, "12 months", 120],
    ]);
    expect(PRODUCT_ID).toBe(117);
  });

  test("months, amount and variation each identify one plan", () => {
    for (const key of ["months", "chargeInPence", "variationId"] as const) {
      const values = Object.values(plans).map((plan) => plan[key]);
      expect(values).toEqual([...new Set(values)]);
    }
  });

  test("a plan is found by its number, and by nothing else", () => {
    for (const type of [1, 2, 3]) {
      expect([findPlan(type)?.type, findPlan(String(type))?.type]).toEqual([type, type]);
    }
    const texts = ["", " 1", "01", "1.0", "one", "constructor", "__proto__"];
    const others = [0, 99, -1, 1.5, Number.NaN, null, undefined, true, [1], { type: 1 }, Symbol("1")];
    for (const other of [...texts, ...others]) expect(findPlan(other)).toBeUndefined();
  });
});
