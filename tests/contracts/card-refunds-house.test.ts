import { describe, expect, test } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { openStripeApp } from "../helpers/stripe-app.ts";
import { prepareDraft } from "../saga/visitor.ts";

/** How money goes back over Stripe: by us, by hand, in parts, and not after all; on both databases. */
describe.each(engines)("an app with Stripe on %s", (engine) => {
  const refunded = { orders: ["refunded"], attempts: ["refunded"] };
  const failed = { orders: ["refund-failed"], attempts: ["refund-failed"] };

  test("sees a refund through that Stripe takes its time with", async () => {
    await using app = await openStripeApp(engine);
    const other = await prepareDraft(app);
    const begun = await app.pay(other, { number: "4000000000007726" });
    expect(begun).toEqual({ ok: true, next: "completed" });
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.pass(MINUTE_IN_MS);
    expect((await app.states()).attempts).toEqual(["refunding"]);
    const [refundId = ""] = app.fake.books.refunds.keys();
    app.fake.endRefund(refundId, "succeeded");
    await app.bringWebhooks();
    expect((await app.states()).attempts).toEqual(["refunded"]);
  });
  test("has a refund that a bank sends back days later looked at by somebody, until it is mended by hand", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    expect(await app.states()).toEqual(refunded);
    app.clock.advance(4 * DAY_IN_MS);
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    expect(await app.states()).toEqual(failed);
    expect(await app.services.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
    const errors = app.log.lines.filter(({ level }) => level === "error");
    expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["a refund has failed"]));
    const mended = await app.payBackByHand(paymentId, 6000);
    expect(await app.states()).toEqual(refunded);
    // Told again of the first one, which has failed; nothing is wrong any more.
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    expect(await app.states()).toEqual(refunded);
    // The second one fails as well: that counts, and so does the third.
    app.fake.endRefund(mended, "failed");
    await app.bringWebhooks();
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 6000);
    expect(await app.states()).toEqual(refunded);
    expect(await app.services.payments.listStuck()).toEqual([]);
  });

  test("does not take a part that somebody pays back by hand for the whole", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(failed);
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.payBackByHand(paymentId, 500);
    expect((await app.states()).attempts).toEqual(["refunding"]);
    const noted = await app.database.db.selectFrom("payments").select("refund_id").execute();
    expect(noted).toEqual([{ refund_id: refundId }]);
  });

  test("settles a refund that failed once its parts, paid back by hand, are all of it, and opens it when one fails", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    const part = await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 5000);
    expect(await app.states()).toEqual(refunded);
    expect(await app.services.payments.listStuck()).toEqual([]);
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    expect(await app.states()).toEqual(refunded);
    app.fake.endRefund(part, "failed");
    await app.bringWebhooks();
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(refunded);
  });

  test("finds within the hour that a failed refund was mended by hand, though no webhook came", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.bringWebhooks();
    await app.stripe.refund({ key: "by-hand", paymentId, amountInPence: 1000 });
    await app.stripe.refund({ key: "by-hand-too", paymentId, amountInPence: 5000 });
    app.fake.takeWebhooks();
    app.clock.advance(HOUR_IN_MS);
    await app.services.payments.reconcile();
    expect(await app.states()).toEqual(refunded);
  });

  test("pays back the rest where somebody paid a part by hand, and says after an hour that it cannot", async () => {
    let isPoor = true;
    await using app = await openStripeApp(engine, (cards) => ({
      ...cards,
      refund: async (wanted) => {
        if (isPoor && wanted.key.startsWith("refund-")) throw new Error("The balance is too low");
        return cards.refund(wanted);
      },
    }));
    const { paymentId } = await app.payInVain();
    await app.payBackByHand(paymentId, 1000);
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["refund-pending"], attempts: ["refunding"] });
    expect(await app.services.payments.listStuck()).toEqual([]);
    await app.pass(HOUR_IN_MS);
    expect(await app.services.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
    isPoor = false;
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual(refunded);
    expect([...app.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000]);
    expect(await app.services.payments.listStuck()).toEqual([]);
  });

  test("waits for the slowest of two parts, and for somebody when that one fails", async () => {
    await using app = await openStripeApp(engine);
    await app.pay(await prepareDraft(app), { number: "4000000000007726" });
    const [paymentId = ""] = app.fake.books.intents.keys();
    const part = await app.payBackByHand(paymentId, 1000);
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.pass(MINUTE_IN_MS);
    const rest = [...app.fake.books.refunds.keys()].at(-1) ?? "";
    app.fake.endRefund(rest, "succeeded");
    await app.bringWebhooks();
    expect((await app.states()).attempts).toEqual(["refunding"]);
    app.fake.endRefund(part, "failed");
    await app.bringWebhooks();
    expect((await app.states()).attempts).toEqual(["refund-failed"]);
    const last = await app.payBackByHand(paymentId, 1000);
    expect((await app.states()).attempts).toEqual(["refund-failed"]);
    app.fake.endRefund(last, "succeeded");
    await app.bringWebhooks();
    expect((await app.states()).attempts).toEqual(["refunded"]);
    expect([...app.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000, 1000]);
  });
});
