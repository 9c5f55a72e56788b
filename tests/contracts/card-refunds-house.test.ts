import { describe, expect, test } from "vitest";

import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { openStripeHouse } from "../helpers/stripe-house.ts";
import { prepareDraft } from "../saga/visitor.ts";

/** How money goes back over Stripe: by us, by hand, in parts, and not after all; on both databases. */
describe.each(engines)("a house with Stripe on %s", (engine) => {
  const refunded = { orders: ["refunded"], attempts: ["refunded"] };
  const failed = { orders: ["refund-failed"], attempts: ["refund-failed"] };

  test("sees a refund through that Stripe takes its time with", async () => {
    await using house = await openStripeHouse(engine);
    const other = await prepareDraft(house);
    const begun = await house.pay(other, { number: "4000000000007726" });
    expect(begun).toEqual({ ok: true, next: "completed" });
    await house.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await house.pass(MINUTE_IN_MS);
    expect((await house.states()).attempts).toEqual(["refunding"]);
    const [refundId = ""] = house.fake.books.refunds.keys();
    house.fake.endRefund(refundId, "succeeded");
    await house.bringWebhooks();
    expect((await house.states()).attempts).toEqual(["refunded"]);
  });
  test("has a refund that a bank sends back days later looked at by somebody, until it is mended by hand", async () => {
    await using house = await openStripeHouse(engine);
    const { paymentId, refundId } = await house.payInVain();
    expect(await house.states()).toEqual(refunded);
    house.clock.advance(4 * DAY_IN_MS);
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    expect(await house.states()).toEqual(failed);
    expect(await house.rooms.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
    const errors = house.log.lines.filter(({ level }) => level === "error");
    expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["a refund has failed"]));
    const mended = await house.payBackByHand(paymentId, 6000);
    expect(await house.states()).toEqual(refunded);
    // Told again of the first one, which has failed; nothing is wrong any more.
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    expect(await house.states()).toEqual(refunded);
    // The second one fails as well: that counts, and so does the third.
    house.fake.endRefund(mended, "failed");
    await house.bringWebhooks();
    expect(await house.states()).toEqual(failed);
    await house.payBackByHand(paymentId, 6000);
    expect(await house.states()).toEqual(refunded);
    expect(await house.rooms.payments.listStuck()).toEqual([]);
  });

  test("does not take a part that somebody pays back by hand for the whole", async () => {
    await using house = await openStripeHouse(engine);
    const { paymentId, refundId } = await house.payInVain();
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    await house.payBackByHand(paymentId, 1000);
    expect(await house.states()).toEqual(failed);
    await house.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await house.payBackByHand(paymentId, 500);
    expect((await house.states()).attempts).toEqual(["refunding"]);
    const noted = await house.database.db.selectFrom("payments").select("refund_id").execute();
    expect(noted).toEqual([{ refund_id: refundId }]);
  });

  test("settles a refund that failed once its parts, paid back by hand, are all of it, and opens it when one fails", async () => {
    await using house = await openStripeHouse(engine);
    const { paymentId, refundId } = await house.payInVain();
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    const part = await house.payBackByHand(paymentId, 1000);
    expect(await house.states()).toEqual(failed);
    await house.payBackByHand(paymentId, 5000);
    expect(await house.states()).toEqual(refunded);
    expect(await house.rooms.payments.listStuck()).toEqual([]);
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    expect(await house.states()).toEqual(refunded);
    house.fake.endRefund(part, "failed");
    await house.bringWebhooks();
    expect(await house.states()).toEqual(failed);
    await house.payBackByHand(paymentId, 1000);
    expect(await house.states()).toEqual(refunded);
  });

  test("finds within the hour that a failed refund was mended by hand, though no webhook came", async () => {
    await using house = await openStripeHouse(engine);
    const { paymentId, refundId } = await house.payInVain();
    house.fake.endRefund(refundId, "failed");
    await house.bringWebhooks();
    await house.stripe.refund({ key: "by-hand", paymentId, amountInPence: 1000 });
    await house.stripe.refund({ key: "by-hand-too", paymentId, amountInPence: 5000 });
    house.fake.takeWebhooks();
    house.clock.advance(HOUR_IN_MS);
    await house.rooms.payments.reconcile();
    expect(await house.states()).toEqual(refunded);
  });

  test("pays back the rest where somebody paid a part by hand, and says after an hour that it cannot", async () => {
    let isPoor = true;
    await using house = await openStripeHouse(engine, (cards) => ({
      ...cards,
      refund: async (wanted) => {
        if (isPoor && wanted.key.startsWith("refund-")) throw new Error("The balance is too low");
        return cards.refund(wanted);
      },
    }));
    const { paymentId } = await house.payInVain();
    await house.payBackByHand(paymentId, 1000);
    await house.pass(MINUTE_IN_MS);
    expect(await house.states()).toEqual({ orders: ["refund-pending"], attempts: ["refunding"] });
    expect(await house.rooms.payments.listStuck()).toEqual([]);
    await house.pass(HOUR_IN_MS);
    expect(await house.rooms.payments.listStuck()).toEqual([{ orderId: 1, amountInPence: 6000 }]);
    isPoor = false;
    await house.pass(MINUTE_IN_MS);
    expect(await house.states()).toEqual(refunded);
    expect([...house.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000]);
    expect(await house.rooms.payments.listStuck()).toEqual([]);
  });

  test("waits for the slowest of two parts, and for somebody when that one fails", async () => {
    await using house = await openStripeHouse(engine);
    await house.pay(await prepareDraft(house), { number: "4000000000007726" });
    const [paymentId = ""] = house.fake.books.intents.keys();
    const part = await house.payBackByHand(paymentId, 1000);
    await house.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await house.pass(MINUTE_IN_MS);
    const rest = [...house.fake.books.refunds.keys()].at(-1) ?? "";
    house.fake.endRefund(rest, "succeeded");
    await house.bringWebhooks();
    expect((await house.states()).attempts).toEqual(["refunding"]);
    house.fake.endRefund(part, "failed");
    await house.bringWebhooks();
    expect((await house.states()).attempts).toEqual(["refund-failed"]);
    const last = await house.payBackByHand(paymentId, 1000);
    expect((await house.states()).attempts).toEqual(["refund-failed"]);
    house.fake.endRefund(last, "succeeded");
    await house.bringWebhooks();
    expect((await house.states()).attempts).toEqual(["refunded"]);
    expect([...house.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000, 1000]);
  });
});
