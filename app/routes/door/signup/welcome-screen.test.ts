import { expect, test } from "vitest";

import { listPlans, type Plan, toPlan } from "../../../../server/money/membership/plans.ts";
import { authorsText, welcomePriceText } from "./welcome-screen.ts";

const plan = (months: number, monthlyPriceInPence: number): Plan =>
  toPlan(1, { label: "", months, monthlyPriceInPence, variationId: 1 });

test.each<[Plan[], string | undefined]>([
  [listPlans(), "£5 a month if you pay for a year, or £15 month by month"],
  [[plan(12, 500), plan(1, 1500)], "£5 a month if you pay for a year, or £15 month by month"],
  [[plan(1, 999)], "£9.99 a month"],
  [[plan(3, 800), plan(6, 600)], "£6 a month if you pay for 6 months, or £8 a month for 3 months"],
  [[plan(1, 700), plan(12, 900)], "£7 a month"],
  [[], undefined],
])("the plans %# are said in one sentence", (plans, text) => expect(welcomePriceText(plans)).toBe(text));

test.each<[string[], string]>([
  [[], ""],
  [["Dormouse Team"], "the Dormouse Team"],
  [["Ann Lee", "Dormouse Team"], "Ann Lee and the Dormouse Team"],
  [["Ann Lee", "Tom Hart", "Eve Ash"], "Ann Lee, Tom Hart and Eve Ash"],
  [["Ann Lee", "Tom Hart", "Eve Ash", "Bo Fen"], "Ann Lee, Tom Hart and 2 others"],
])("the authors %j become %j", (authors, text) => expect(authorsText(authors, "Dormouse")).toBe(text));
