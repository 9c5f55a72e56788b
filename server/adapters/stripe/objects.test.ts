import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import {
  dispute,
  fromIntent,
  fromSession,
  intent,
  refund,
  session,
  toDecline,
  toDisputeState,
  toRefundState,
} from "./objects.ts";

const file = join(import.meta.dirname, "..", "..", "..", "tests", "vendors", "stripe-samples.json");
const { resources } = JSON.parse(readFileSync(file, "utf8")) as { resources: Record<string, Record<string, unknown>> };
const sample = resources.payment_intent ?? {};

const intentWith = (changes: object) => fromIntent(intent.parse({ ...sample, ...changes }));
const sessionWith = (changes: object) =>
  fromSession(session.parse({ ...resources["checkout.session"], payment_intent: null, ...changes }));

describe("Stripe's own sample objects", () => {
  test("are read", () => {
    expect(intentWith({})).toEqual({
      id: "pi_1PgafyB7WZ01zgkWSjxsAJo3",
      state: "requires-method",
      amountInPence: 1099,
      currency: "USD",
      customerId: "",
      orderId: undefined,
      attempt: undefined,
      actionUrl: undefined,
      decline: "declined",
    });
    expect(sessionWith({})).toMatchObject({ state: "requires-action", actionUrl: resources["checkout.session"]?.url });
    expect(refund.parse({ ...resources.refund, payment_intent: sample }).payment_intent?.id).toBe(sample.id);
    expect(toDisputeState(dispute.parse({ ...resources.dispute, payment_intent: sample }).status)).toBeUndefined();
  });
});

describe("a PaymentIntent", () => {
  test.each([
    ["requires_payment_method", "requires-method"],
    ["requires_confirmation", "requires-method"],
    ["requires_action", "requires-action"],
    ["processing", "processing"],
    ["requires_capture", "processing"],
    ["succeeded", "succeeded"],
    ["canceled", "cancelled"],
    ["a_state_of_next_year", "processing"],
  ])("that is %s is %s", (status, state) => {
    expect(intentWith({ status }).state).toBe(state);
  });

  test("that is paid reports the amount received", () => {
    expect(intentWith({ status: "succeeded", amount: 6000, amount_received: 5000 }).amountInPence).toBe(5000);
  });

  test.each(["", "7x", "-1", "1e3", "0x10", "9".repeat(40), " 7"])("whose order is “%s” has no order", (order_id) => {
    expect(intentWith({ metadata: { order_id } }).orderId).toBeUndefined();
  });

  test("may have its customer whole, by id, or gone", () => {
    expect(intentWith({ customer: "cus_1" }).customerId).toBe("cus_1");
    expect(intentWith({ customer: { id: "cus_1", object: "customer", deleted: true } }).customerId).toBe("cus_1");
    expect(intentWith({ customer: null }).customerId).toBe("");
  });
});

describe("a Checkout Session", () => {
  const made = (changes: object) => ({ ...sample, amount: 6000, amount_received: 6000, currency: "gbp", ...changes });

  test.each([
    ["open", undefined, "requires-action"],
    ["open", "requires_payment_method", "requires-action"],
    ["open", "requires_action", "requires-action"],
    ["open", "processing", "processing"],
    ["open", "succeeded", "succeeded"],
    ["expired", undefined, "cancelled"],
    ["expired", "requires_payment_method", "cancelled"],
    ["expired", "canceled", "cancelled"],
    ["expired", "succeeded", "succeeded"],
    ["complete", "succeeded", "succeeded"],
    ["complete", "processing", "processing"],
    ["complete", "requires_payment_method", "requires-method"],
    ["complete", undefined, "processing"],
  ])("that is %s with a PaymentIntent that is %s is %s", (status, inner, state) => {
    const payment_intent = inner === undefined ? null : made({ status: inner });
    expect(sessionWith({ status, payment_intent }).state).toBe(state);
  });

  test("that is paid reports the amount received and its currency", () => {
    const payment_intent = made({ status: "succeeded", amount_received: 5900, currency: "eur" });
    const paid = sessionWith({ status: "complete", amount_total: 6000, currency: "gbp", payment_intent });
    expect(paid).toMatchObject({ amountInPence: 5900, currency: "EUR", actionUrl: undefined });
  });
});

test.each([
  [{ code: "card_declined", decline_code: "insufficient_funds" }, "insufficient-funds"],
  [{ code: "expired_card" }, "expired-card"],
  [{ code: "incorrect_number" }, "wrong-number"],
  [{ code: "invalid_cvc" }, "wrong-cvc"],
  [{ code: "card_declined", decline_code: "authentication_required" }, "authentication-failed"],
  [{ code: "payment_intent_authentication_failure" }, "authentication-failed"],
  [{ code: "card_declined", decline_code: "stolen_card" }, "declined"],
  [{ code: "card_declined", decline_code: "constructor" }, "declined"],
  [{}, "declined"],
  [null, "declined"],
])("%o is said as “%s”", (error, decline) => {
  expect(toDecline(error)).toBe(decline);
});

test.each([
  ["succeeded", "succeeded"],
  ["pending", "pending"],
  ["requires_action", "pending"],
  ["failed", "failed"],
  ["canceled", "failed"],
  [null, "pending"],
])("a refund that is %s is %s", (status, state) => {
  expect(toRefundState(status)).toBe(state);
});

test.each([
  ["needs_response", "open"],
  ["under_review", "open"],
  ["won", "won"],
  ["lost", "lost"],
  ["prevented", "lost"],
  ["something_new", "open"],
  ["warning_needs_response", undefined],
  ["warning_closed", undefined],
])("a dispute that is %s is %s", (status, state) => {
  expect(toDisputeState(status)).toBe(state);
});
