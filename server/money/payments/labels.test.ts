import { expect, test } from "vitest";

import { findPaidState } from "./labels.ts";

const year = { state: "completed", amountInPence: 6000, partsInPence: 0, dispute: undefined } as const;

test.each([
  ["Paid", false, year],
  ["Paid", false, { ...year, dispute: "won" as const }],
  ["Refunded in part", false, { ...year, partsInPence: 1000 }],
  ["Refund on its way", true, { ...year, state: "refund-pending" as const }],
  ["Refunded", true, { ...year, state: "refunded" as const }],
  ["Refund not finished", true, { ...year, state: "refund-failed" as const }],
  ["Disputed", false, { ...year, dispute: "open" as const }],
  ["Returned by your bank", true, { ...year, dispute: "lost" as const }],
])("a payment reads “%s”, its membership ends early: %s", (title, endsEarly, order) => {
  expect(findPaidState(order)).toMatchObject({ title, endsEarly });
});

test("a refund that didn't go through is of what is left after earlier parts", () => {
  const { sentence } = findPaidState({ ...year, state: "refund-failed", partsInPence: 1000 });
  expect(sentence).toContain("Your refund of £50.00 didn't go through.");
});
