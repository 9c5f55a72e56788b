import { describe, expect, test } from "vitest";

import { openStripe } from "../../../tests/helpers/stripe-desk.ts";
import { HOUR_IN_MS } from "../../clock.ts";

describe("refunds and disputes by Stripe", () => {
  async function openPaid(methodId = "pm_card_visa") {
    const stripe = await openStripe();
    const paid = await stripe.gateway.startPayment({ ...stripe.wanted, methodId });
    return { ...stripe, paid, refund: { key: `refund-${paid.id}`, paymentId: paid.id, amountInPence: 6000 } };
  }

  test("a refund that is asked for again after Stripe forgot the key is the same refund", async () => {
    await using stripe = await openPaid();
    const made = await stripe.gateway.refund(stripe.refund);
    stripe.clock.advance(25 * HOUR_IN_MS);
    expect(await stripe.gateway.refund(stripe.refund)).toEqual(made);
    expect(stripe.fake.books.refunds.size).toBe(1);
  });

  test("money that went back in parts, by hand, is back", async () => {
    await using stripe = await openPaid("pm_card_pendingRefund");
    const { gateway, fake, refund } = stripe;
    const first = await gateway.refund({ ...refund, key: "by-hand-1", amountInPence: 1000 });
    const lost = await gateway.refund({ ...refund, key: "by-hand-2", amountInPence: 5000 });
    fake.endRefund(lost.id, "failed");
    const part = { id: first.id, paymentId: stripe.paid.id, amountInPence: 1000, state: "pending" };
    expect(await gateway.findRefunded(stripe.paid.id)).toEqual(part);
    const second = await gateway.refund({ ...refund, key: "by-hand-3", amountInPence: 5000 });
    fake.endRefund(second.id, "succeeded");
    const slowest = { id: first.id, paymentId: stripe.paid.id, amountInPence: 6000 };
    expect(await gateway.refund(refund)).toEqual({ ...slowest, state: "pending" });
    expect(await gateway.findRefunded(stripe.paid.id)).toEqual({ ...slowest, state: "pending" });
    fake.endRefund(first.id, "succeeded");
    expect(await gateway.refund({ ...refund, key: "later" })).toMatchObject({
      amountInPence: 6000,
      state: "succeeded",
    });
  });

  test("a refund may be on its way, and end either way", async () => {
    await using stripe = await openPaid("pm_card_pendingRefund");
    const made = await stripe.gateway.refund(stripe.refund);
    expect(made).toMatchObject({ paymentId: stripe.paid.id, state: "pending" });
    stripe.fake.endRefund(made.id, "failed");
    expect(await stripe.gateway.findRefund(made.id)).toMatchObject({ state: "failed" });
    stripe.fake.endRefund(made.id, "succeeded");
    expect(await stripe.gateway.findRefund(made.id)).toMatchObject({ state: "succeeded" });
  });

  test.each([
    ["needs_response", "open"],
    ["under_review", "open"],
    ["appeal_under_review", "open"],
    ["won", "won"],
    ["lost", "lost"],
    ["prevented", "lost"],
    ["something_new", "open"],
  ])("a dispute that is %s is %s", async (status, state) => {
    await using stripe = await openPaid();
    const id = stripe.fake.openDispute(stripe.paid.id, status);
    expect(await stripe.gateway.findDispute(id)).toEqual({ id, paymentId: stripe.paid.id, state });
  });

  test("an inquiry takes no money, and is no dispute", async () => {
    await using stripe = await openPaid();
    for (const status of ["warning_needs_response", "warning_under_review", "warning_closed"]) {
      const id = stripe.fake.openDispute(stripe.paid.id, status);
      expect(await stripe.gateway.findDispute(id)).toBeUndefined();
    }
  });

  test("a dispute of a payment on Stripe's page is of that payment", async () => {
    await using stripe = await openStripe();
    const page = await stripe.gateway.startHostedPayment(stripe.hosted);
    await stripe.payer.payOnPage(page.actionUrl ?? "", "4000000000000259");
    const [dispute] = stripe.fake.books.disputes.keys();
    expect(await stripe.gateway.findDispute(dispute ?? "")).toMatchObject({ paymentId: page.id, state: "open" });
  });
});
