import { expect, test } from "vitest";

import { plans, toPlan, type Plan, type PlanType } from "../../server/money/membership/plans.ts";
import { createNewcomer, readCharges } from "../helpers/newcomer.ts";
import { readWords } from "../helpers/page.ts";
import { openQuietSite } from "../helpers/site.ts";

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

test("one more plan in the list can be chosen, paid for and used", async () => {
  using _plan = addPlan();
  await using site = await openQuietSite();
  const visitor = createNewcomer(site);
  await visitor.enterDetails();
  await visitor.typeCode();
  const step = readWords((await visitor.browser.get("/signup?step=2")).text);
  expect(step).toContain("£42 for 6 months");
  expect(step).toMatch(/1 Month .* 3 Monthly .* Half-yearly .* Yearly /);
  const stranger = readWords((await site.openBrowser().get("/signup?step=4")).text);
  expect(stranger).toContain(
    "Subscribe for 1 month, 3 months, 6 months or 12 months to get every video, article and webinar.",
  );
  expect((await visitor.choosePlan("4")).location).toBe("/signup?step=3");
  expect((await visitor.pay({ card: "paid", fields: { plan: "4" } })).location).toBe("/signup?step=4");
  expect(await readCharges(site)).toMatchObject([{ amountInPence: 4200 }]);
  expect(readWords((await visitor.browser.get("/?account=membership")).text)).toContain("Half-yearly");
});
