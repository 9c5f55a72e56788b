import { expect, test } from "vitest";

import { cardDetails, declines } from "../../../../../server/refusals.ts";
import { listProblems, toProblems, type FieldState } from "./stripe-card.ts";

const good: FieldState = { empty: false, complete: true, code: undefined };

test("a complete card has no problem, and an empty one needs all three fields", () => {
  expect(listProblems({ cardNumber: good, cardExpiry: good, cardCvc: good })).toEqual({});
  const empty: FieldState = { empty: true, complete: false, code: undefined };
  const problems = listProblems({ cardNumber: empty, cardExpiry: empty, cardCvc: empty });
  expect(Object.keys(problems)).toEqual(["cardNumber", "cardExpiry", "cardCvc"]);
  expect(Object.values(problems).every((sentence) => sentence?.startsWith("Enter "))).toBe(true);
});

test("an incomplete field is wrong before Stripe says so, and a past date is an expired card", () => {
  const half: FieldState = { empty: false, complete: false, code: undefined };
  const past: FieldState = { empty: false, complete: false, code: "invalid_expiry_month_past" };
  const problems = listProblems({ cardNumber: half, cardExpiry: past, cardCvc: good });
  expect(problems).toEqual({
    cardNumber: "The card number isn't right. Please check the digits.",
    cardExpiry: "This card has expired. Please check the date, or use another card.",
  });
});

test.each([
  ["incorrect_number", "cardNumber"],
  ["invalid_number", "cardNumber"],
  ["expired_card", "cardExpiry"],
  ["invalid_expiry_year", "cardExpiry"],
  ["incorrect_cvc", "cardCvc"],
  ["invalid_cvc", "cardCvc"],
])("Stripe's %s is said beside %s", (code, field) => {
  expect(Object.keys(toProblems({ type: "card_error", code }))).toEqual([field]);
});

test("a card that Stripe refuses for another reason is declined, and a fault without a card error is not blamed on the card", () => {
  expect(toProblems({ type: "card_error", code: "card_declined" })).toEqual({ card: declines.declined });
  for (const type of ["api_connection_error", "api_error", "rate_limit_error", "authentication_error"] as const) {
    expect(toProblems({ type })).toEqual({ card: cardDetails.unreached });
  }
  expect(toProblems({ type: "invalid_request_error", code: "toString" })).toEqual({ card: cardDetails.unreached });
});
