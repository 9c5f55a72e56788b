import { describe, expect, test } from "vitest";

import { startStripeFake } from "../../../tests/fakes/stripe.ts";
import { ada } from "../../../tests/helpers/card-order.ts";
import { openStripe } from "../../../tests/helpers/stripe-adapter.ts";
import { createTestClock } from "../../../tests/helpers/test-clock.ts";
import { HOUR_IN_MS } from "../../platform/clock.ts";
import { createStripe } from "./stripe.ts";

describe("payments by Stripe", () => {
  test("ask for cards alone, in pounds, under our own keys, with the order's payload", async () => {
    await using stripe = await openStripe();
    await stripe.pay();
    await stripe.gateway.startHostedPayment({ ...stripe.hosted, key: "order-7-attempt-2", attempt: 2 });
    const [customer, payment, page] = stripe.fake.calls;
    expect(customer).toEqual({
      call: "POST /v1/customers",
      idempotencyKey: "order-7-customer",
      params: { email: ada.email, name: ada.name, address: { postal_code: "EX1 1AA", country: "GB" } },
    });
    const metadata = {
      order_id: "7",
      attempt: "1",
      page: "fields",
      payment_method: "stripe",
      payment_method_title: "Credit Card (Stripe)",
      product_id: "117",
      variation_id: "120",
      quantity: "1",
      email: ada.email,
    };
    expect(payment).toEqual({
      call: "POST /v1/payment_intents",
      idempotencyKey: "order-7-attempt-1",
      params: {
        amount: "6000",
        currency: "gbp",
        customer: stripe.customerId,
        payment_method: "pm_card_visa",
        allowed_payment_method_types: ["card"],
        confirm: "true",
        return_url: stripe.wanted.returnUrl,
        description: "Dormouse, 12 months",
        metadata,
      },
    });
    const onPage = { ...metadata, attempt: "2", page: "hosted" };
    expect(page).toMatchObject({
      idempotencyKey: "order-7-attempt-2",
      params: {
        mode: "payment",
        customer: stripe.customerId,
        allowed_payment_method_types: ["card"],
        metadata: onPage,
        payment_intent_data: { metadata: onPage },
        expires_at: String(stripe.hosted.expiresAt.getTime() / 1000),
        success_url: stripe.hosted.returnUrl,
        cancel_url: stripe.hosted.cancelUrl,
      },
    });
    expect(stripe.fake.violations).toEqual([]);
  });

  test.each([
    ["pm_card_chargeDeclined", "declined"],
    ["pm_card_chargeDeclinedInsufficientFunds", "insufficient-funds"],
    ["pm_card_chargeDeclinedExpiredCard", "expired-card"],
    ["pm_card_chargeDeclinedIncorrectCvc", "wrong-cvc"],
    ["pm_card_chargeDeclinedProcessingError", "gateway-unavailable"],
    ["pm_card_chargeDeclinedLostCard", "declined"],
  ])("a card that is declined (%s) is answered as %s, at once and when it is looked up", async (methodId, decline) => {
    await using stripe = await openStripe();
    const declined = await stripe.gateway.startPayment({ ...stripe.wanted, methodId });
    expect(declined).toMatchObject({ state: "requires-method", decline, amountInPence: 6000 });
    expect(await stripe.gateway.findPayment(declined.id)).toEqual(declined);
    expect(await stripe.gateway.startPayment({ ...stripe.wanted, methodId })).toEqual(declined);
  });

  test("a bank sends the browser back to us, whichever page it came from", async () => {
    await using stripe = await openStripe();
    const { gateway, payer, wanted, hosted } = stripe;
    const waiting = await gateway.startPayment({ ...wanted, methodId: "pm_card_authenticationRequired" });
    const back = await payer.authenticate(waiting.actionUrl ?? "", true);
    expect(back).toMatch(
      /^http:\/\/dormouse\.test\/sleep\/signup\?step=4&payment_intent=pi_\w+&.*redirect_status=succeeded$/,
    );

    const page = await gateway.startHostedPayment({ ...hosted, key: "order-7-attempt-2", attempt: 2 });
    expect(await payer.leavePage(page.actionUrl ?? "")).toBe(hosted.cancelUrl);
    const bank = await payer.payOnPage(page.actionUrl ?? "", "4000002760003184");
    expect(await payer.authenticate(bank ?? "", false)).toBe(page.actionUrl);
    expect(await gateway.findPayment(page.id)).toMatchObject({ state: "requires-action", actionUrl: page.actionUrl });
    const again = await payer.payOnPage(page.actionUrl ?? "", "4000002760003184");
    expect(await payer.authenticate(again ?? "", true)).toBe(hosted.returnUrl);
    expect(await gateway.findPayment(page.id)).toMatchObject({ id: page.id, state: "succeeded" });
  });

  test("objects of the other mode are refused", async () => {
    await using stripe = await openStripe({ secretKey: "sk_live_4242", publishableKey: "pk_live_4242" });
    const { gateway, wanted, hosted } = stripe;
    await expect(gateway.startPayment({ ...wanted, methodId: "pm_card_visa" })).rejects.toThrow("mode of our keys");
    const page = gateway.startHostedPayment({ ...hosted, key: "order-7-attempt-2" });
    await expect(page).rejects.toThrow("mode of our keys");
    const [intent] = stripe.fake.books.intents.values();
    await expect(gateway.findPayment(intent?.id ?? "")).rejects.toThrow("mode of our keys");
    const listing = gateway.listPaymentsFor({ orderId: 7, customerId: stripe.customerId });
    await expect(listing).rejects.toThrow("mode of our keys");
  });
});

const good = { secretKey: "sk_test_1", publishableKey: "pk_test_1", webhookSecret: "whsec_1" };
const clock = createTestClock();

test.each([
  ["pi_1", "https://dashboard.stripe.com/test/payments/pi_1"],
  ["cs_test_1", "https://dashboard.stripe.com/test/search?query=cs_test_1"],
  ["../x", "https://dashboard.stripe.com/test/payments/..%2Fx"],
])("the payment %s is at %s for operators", (id, address) => {
  expect(createStripe({ ...good, clock }).dashboard?.paymentUrl(id)).toBe(address);
});

test("money's own pages are for operators of live keys", () => {
  const { dashboard } = createStripe({ ...good, secretKey: "rk_live_1", clock });
  expect([dashboard?.title, dashboard?.paymentUrl("pi_1"), dashboard?.disputeUrl("dp_1")]).toEqual([
    "Stripe",
    "https://dashboard.stripe.com/payments/pi_1",
    "https://dashboard.stripe.com/disputes/dp_1",
  ]);
});

describe("the check of Stripe", () => {
  test("says in which mode it answers", async () => {
    await using fake = await startStripeFake({ clock });
    const check = await createStripe({ ...fake.keys, apiBase: fake.url, clock }).check();
    expect(check).toEqual({ isWell: true, message: "Stripe answers, in test mode: no card is charged" });
    await using live = await startStripeFake({ clock, isLive: true });
    expect(await createStripe({ ...live.keys, apiBase: live.url, clock }).check()).toEqual({
      isWell: true,
      message: "Stripe answers, in live mode: cards are charged",
    });
  });

  test.each([
    [{ secretKey: "pk_test_1" }, /^STRIPE_SECRET_KEY isn't a secret key/],
    [{ publishableKey: "sk_test_1" }, /^STRIPE_PUBLISHABLE_KEY isn't a publishable key/],
    [{ publishableKey: "pk_live_1" }, /different modes/],
    [{ secretKey: "rk_live_1" }, /different modes/],
    [{ webhookSecret: undefined }, /^STRIPE_WEBHOOK_SECRET is missing/],
    [{ webhookSecret: "we_123" }, /^STRIPE_WEBHOOK_SECRET isn't a signing secret/],
  ])("sees what is wrong with %o without asking", async (wrong, message) => {
    const check = await createStripe({ ...good, ...wrong, apiBase: "http://127.0.0.1:9", clock }).check();
    expect(check).toEqual({ isWell: false, message: expect.stringMatching(message) });
  });

  test("says that a key is refused, and repeats none", async () => {
    await using fake = await startStripeFake({ clock });
    const check = await createStripe({ ...good, secretKey: "sk_test_revoked", apiBase: fake.url, clock }).check();
    expect(check.isWell).toBe(false);
    expect(check.message).toMatch(/^Stripe refuses STRIPE_SECRET_KEY: copy it again/);
    expect(check.message).not.toContain("revoked");
  });

  test("says that Stripe is out of reach, or asked too often", async () => {
    await using fake = await startStripeFake({ clock });
    const gateway = createStripe({ ...fake.keys, apiBase: fake.url, clock });
    for (const kind of ["reset", "500", "garbage"] as const) {
      fake.fail({ kind });
      expect(await gateway.check()).toEqual({
        isWell: false,
        message: expect.stringMatching(/^We can't reach Stripe/),
      });
      fake.heal();
    }
    fake.fail({ kind: "429" });
    expect((await gateway.check()).message).toMatch(/asking Stripe too often/);
  });
});

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

  test("partial refunds by hand add up to a full one", async () => {
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

  test("a dispute belongs to its payment, and an inquiry is no dispute", async () => {
    await using stripe = await openPaid();
    const id = stripe.fake.openDispute(stripe.paid.id, "won");
    expect(await stripe.gateway.findDispute(id)).toEqual({ id, paymentId: stripe.paid.id, state: "won" });
    const inquiry = stripe.fake.openDispute(stripe.paid.id, "warning_closed");
    expect(await stripe.gateway.findDispute(inquiry)).toBeUndefined();
  });

  test("a dispute of a payment on Stripe's page is of that payment", async () => {
    await using stripe = await openStripe();
    const page = await stripe.gateway.startHostedPayment(stripe.hosted);
    await stripe.payer.payOnPage(page.actionUrl ?? "", "4000000000000259");
    const [dispute] = stripe.fake.books.disputes.keys();
    expect(await stripe.gateway.findDispute(dispute ?? "")).toMatchObject({ paymentId: page.id, state: "open" });
  });
});
