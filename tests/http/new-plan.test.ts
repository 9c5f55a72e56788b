import { expect, test } from "vitest";

import { plans, toPlan, type Plan, type PlanType } from "../../server/membership/plans.ts";
import { engines } from "../helpers/databases.ts";
import { createNewcomer, readCharges } from "../helpers/newcomer.ts";
import { wordsOf } from "../helpers/page.ts";
import { openSite, withoutContent } from "../helpers/site.ts";

/** Half a year, at £7 a month, until the end of the block. */
function addPlan(): Disposable {
  const table: Partial<Record<number, Plan>> = plans;
  const type = 4;
  table[type] = toPlan(type as PlanType, {
    label: "Half-yearly",
    months: 6,
    monthlyPriceInPence: 700,
    variationId: 121,
  });
  return { [Symbol.dispose]: () => void delete table[type] };
}

test.each(engines)("one more plan in the list can be chosen, paid for and used on %s", async (engine) => {
  using _plan = addPlan();
  await using site = await openSite({}, { ...withoutContent, engine });
  const visitor = createNewcomer(site);
  await visitor.tellDetails();
  await visitor.typeCode();
  expect(wordsOf((await visitor.browser.get("/signup?step=2")).text)).toContain("£42 today for 6 months");
  expect((await visitor.choosePlan("4")).location).toBe("/signup?step=3");
  expect((await visitor.pay({ card: "paid", fields: { plan: "4" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 4200 }]);
  expect(wordsOf((await visitor.browser.get("/?account=membership")).text)).toContain("Half-yearly");
});

test("a plan that is not in the list can neither be chosen nor paid for", async () => {
  await using site = await openSite({}, withoutContent);
  const visitor = createNewcomer(site);
  await visitor.reachPayment();
  const chosen = await visitor.choosePlan("4");
  expect(chosen.status).toBe(400);
  expect(wordsOf(chosen.text)).toContain("Please choose a plan.");
  const paid = await visitor.pay({ card: "paid", fields: { plan: "4" } });
  expect(paid.status).toBe(400);
  expect(wordsOf(paid.text)).toContain("Please check your plan, then pay.");
});
