import { expect, test } from "vitest";

import { actionText, authors, authorText, factsText } from "./labels.ts";

test("facts of an entry are sentences: money, days, yes and no, whatever they are called", () => {
  expect(factsText({ order: 3, receipt: "D-2026-000003", amountInPence: 6000, isEnded: true })).toBe(
    "Order 3. Receipt D-2026-000003. £60.00. Access ended.",
  );
  expect(factsText({ months: 1, endsAt: "2026-12-20T03:00:00.000Z" })).toBe("Months: 1. Until 20/12/2026 03:00.");
  expect(factsText({ isRevoked: false, sessions: 2, seat: null })).toBe("No term ended. Sessions ended: 2.");
  expect(factsText({ newThingInPence: 5, isNewThing: false, days: ["2026-06-30T23:00:00.000Z", true] })).toBe(
    "New thing: £0.05. New thing: no. Days: 01/07/2026 00:00 and yes.",
  );
  expect(factsText({ plan: { monthlyPriceInPence: 500 } })).toBe("Plan: (Monthly price: £5.00).");
  expect(factsText({})).toBe("");
});

test("an author is an operator, the member, or the gateway by the name that operators use", () => {
  expect(authorText("olive@x.example", "Stripe")).toBe("olive@x.example");
  expect(authorText(authors.member)).toBe("the member");
  expect([authorText(authors.gateway, "Stripe"), authorText(authors.gateway)]).toEqual(["Stripe", "The card gateway"]);
});

test("an action is a sentence, and one of an older version stays as it was", () => {
  expect(actionText("order refund")).toBe("Refunded an order");
  expect(actionText("member praise")).toBe("member praise");
  expect(actionText("constructor")).toBe("constructor");
});
