import { expect, test } from "vitest";

import { openHouse } from "../../tests/helpers/house.ts";
import { pay, prepareDraft } from "../../tests/saga/visitor.ts";
import type { PlanType } from "../membership/plans.ts";

test.each<[PlanType, string]>([
  [1, "Dormouse, 1 month"],
  [2, "Dormouse, 3 months"],
  [3, "Dormouse, 12 months"],
])("plan %i is called %s at the gateway", async (planType, description) => {
  const described: string[] = [];
  await using house = await openHouse("sqlite", {
    wrapCards: (cards) => ({
      ...cards,
      startPayment(payment) {
        described.push(payment.description);
        return cards.startPayment(payment);
      },
    }),
  });
  await pay(house, await prepareDraft(house, { planType }), { shownPlanType: planType });
  expect(described).toEqual([description]);
});
