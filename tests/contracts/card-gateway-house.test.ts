import { describe, expect, test } from "vitest";

import { createStripe } from "../../server/adapters/stripe.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import type { Engine } from "../../server/database/database.ts";
import type { CardGateway } from "../../server/payments/card-gateway.ts";
import type { PayResult, PaymentInput } from "../../server/sign-up/sign-up.ts";
import { createStripePayer } from "../fakes/stripe-payer.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { engines } from "../helpers/databases.ts";
import { openHouse } from "../helpers/house.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { takeEmail } from "../saga/journeys.ts";
import { ada, payment, prepareDraft } from "../saga/visitor.ts";

const VISA = "4242424242424242";
const TWO_MINUTES_AND_MORE = 3 * MINUTE_IN_MS;

/** What stands between the house and Stripe; `connect` goes there with another key. */
type Change = (cards: CardGateway, connect: (secretKey: string) => CardGateway) => CardGateway;

/** A house that takes cards by Stripe: sign-up, notices, reconciling and refunds over the adapter, on both databases. */
describe.each(engines)("a house with Stripe on %s", (engine) => {
  async function openStripeHouse(on: Engine, change: Change = (cards) => cards) {
    const clock = createTestClock();
    const fake = await startStripeFake({ clock });
    const connect = (secretKey: string) => createStripe({ ...fake.keys, secretKey, apiBase: fake.url, clock });
    const stripe = connect(fake.keys.secretKey);
    const house = await openHouse(on, { clock, cards: change(stripe, connect) });
    const payer = createStripePayer(fake);
    const { db } = house.database;

    async function pay(token: string, { number = VISA, ...input }: Partial<PaymentInput> & { number?: string } = {}) {
      return house.rooms.signUp.pay(token, { ...payment, methodId: await payer.makeMethod(number), ...input });
    }
    /** Brings what Stripe has to tell, as its webhooks would. */
    async function bringWebhooks(): Promise<void> {
      for (const { body, headers } of fake.takeWebhooks()) {
        const told = await house.rooms.notices.receive({ gateway: "stripe", body, headers: new Headers(headers) });
        expect(told).toBe("kept");
      }
      await house.rooms.notices.handleWaiting();
    }
    const states = async () => ({
      orders: (await db.selectFrom("orders").select("state").orderBy("id").execute()).map(({ state }) => state),
      attempts: (await db.selectFrom("payments").select("state").orderBy("id").execute()).map(({ state }) => state),
    });
    const kept = () => {
      const paid = [...fake.books.intents.values()].reduce((sum, each) => sum + each.amount_received, 0);
      return paid - [...fake.books.refunds.values()].reduce((sum, each) => sum + each.amount, 0);
    };
    /** Whose address is taken while their bank asks them gets their money back. */
    async function payInVain() {
      const begun = await pay(await prepareDraft(house), { number: "4000002760003184" });
      await takeEmail(house);
      await payer.authenticate(urlOf(begun), true);
      await bringWebhooks();
      const [paymentId = ""] = fake.books.intents.keys();
      const [refundId = ""] = fake.books.refunds.keys();
      return { paymentId, refundId };
    }
    /** As somebody does in Stripe's dashboard. */
    async function payBackByHand(paymentId: string, amountInPence: number): Promise<string> {
      const { id } = await stripe.refund({ key: `by-hand-${fake.books.refunds.size}`, paymentId, amountInPence });
      await bringWebhooks();
      return id;
    }
    async function close(): Promise<void> {
      await house[Symbol.asyncDispose]();
      await fake.stop();
    }
    return {
      ...house,
      fake,
      stripe,
      payer,
      pay,
      payInVain,
      payBackByHand,
      bringWebhooks,
      states,
      kept,
      [Symbol.asyncDispose]: close,
    };
  }

  const urlOf = (result: PayResult) => (result.ok && result.next === "continue" ? result.url : "");

  test("makes a member of who pays in the card fields, once, whatever is told afterwards", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    expect(await house.pay(token)).toEqual({ ok: true, next: "completed" });
    await house.bringWebhooks();
    await house.bringWebhooks();
    await house.comeToRest();
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(house.kept()).toBe(6000);
    expect(house.letters.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(1);
  });

  test("lets a declined card be followed by a better one, and closes the first", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    const declined = await house.pay(token, { number: "4000000000009995" });
    expect(declined).toEqual({ ok: false, reason: "declined", decline: "insufficient-funds" });
    expect(await house.pay(token)).toEqual({ ok: true, next: "completed" });
    expect([...house.fake.books.intents.values()].map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
  });

  test("hears from a webhook alone that a payer's bank has agreed", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    const begun = await house.pay(token, { number: "4000002760003184" });
    await house.payer.authenticate(urlOf(begun), true);
    await house.bringWebhooks();
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("takes money on Stripe's page, told of by its PaymentIntent and its session alike, the latest first", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    const begun = await house.rooms.signUp.pay(token, payment);
    await house.payer.payOnPage(urlOf(begun), "4000000000000002");
    await house.bringWebhooks();
    // A declined card there is not the last word.
    expect(await house.states()).toEqual({ orders: ["awaiting-payment"], attempts: ["authenticating"] });
    await house.payer.payOnPage(urlOf(begun), VISA);
    const told = house.fake.takeWebhooks().toReversed();
    for (const { body, headers } of told) {
      await house.rooms.notices.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      await house.rooms.notices.handleWaiting();
    }
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(house.kept()).toBe(6000);
    expect(house.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("finds money on Stripe's page when no webhook comes and nobody returns", async () => {
    await using house = await openStripeHouse(engine);
    const begun = await house.rooms.signUp.pay(await prepareDraft(house), payment);
    await house.payer.payOnPage(urlOf(begun), VISA);
    await house.pass(MINUTE_IN_MS);
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("closes a page that was left, and nobody can pay on it any more", async () => {
    await using house = await openStripeHouse(engine);
    const begun = await house.rooms.signUp.pay(await prepareDraft(house), payment);
    await house.pass(91 * MINUTE_IN_MS);
    expect(await house.states()).toEqual({ orders: ["awaiting-payment"], attempts: ["cancelled"] });
    await house.payer.payOnPage(urlOf(begun), VISA);
    expect(house.kept()).toBe(0);
  });

  test("finds the payment whose answer was lost, and charges nobody twice", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    house.fake.fail({ kind: "lost", on: /POST .*payment_intents/ });
    house.fake.fail({ kind: "reset", on: /GET/ });
    expect(await house.pay(token)).toEqual({ ok: true, next: "checking" });
    house.fake.heal();
    await house.pass(MINUTE_IN_MS);
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(house.kept()).toBe(6000);
  });

  test("sends the later money back when two payments succeed after all", async () => {
    let isBlind = false;
    await using house = await openStripeHouse(engine, (cards) => ({
      ...cards,
      // What Stripe cannot be asked for a day is given up for lost.
      listPaymentsOf: async (order) => (isBlind ? [] : cards.listPaymentsOf(order)),
    }));
    const token = await prepareDraft(house);
    house.fake.fail({ kind: "lost", on: /POST .*payment_intents$/, times: 3 });
    isBlind = true;
    await house.pay(token);
    await house.pass(TWO_MINUTES_AND_MORE);
    expect(await house.pay(token)).toEqual({ ok: true, next: "completed" });
    expect(house.kept()).toBe(12_000);
    house.clock.advance(DAY_IN_MS);
    await house.bringWebhooks();
    await house.comeToRest();
    expect(house.kept()).toBe(6000);
    expect(await house.states()).toEqual({ orders: ["completed"], attempts: ["refunded", "succeeded"] });
    expect(house.letters.filter(({ subject }) => subject === "Your £60 is on its way back")).toHaveLength(1);
  });

  test("strands nobody whose postal code changes while Stripe is away", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    house.fake.fail({ kind: "lost", on: /customers/ });
    const first = await house.pay(token, { postcode: "EX1 1AA" });
    expect(first).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    house.fake.heal();
    expect(await house.pay(token, { postcode: "N1 9GU" })).toEqual({ ok: true, next: "completed" });
  });

  test("strands nobody to whom Stripe answered with a fault of its own, which it repeats for a day", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    house.fake.fail({ kind: "500", on: /customers/, times: 1 });
    expect(await house.pay(token)).toEqual({ ok: true, next: "completed" });
  });

  test("keeps one customer when two tabs with different postal codes pay at once", async () => {
    await using house = await openStripeHouse(engine);
    const token = await prepareDraft(house);
    await Promise.all(["EX1 1AA", "N1 9GU"].map((postcode) => house.pay(token, { postcode })));
    await house.comeToRest();
    expect((await house.states()).orders).toEqual(["completed"]);
    expect(house.kept()).toBe(6000);
  });

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

  test.each(["createCustomer", "startPayment"] as const)(
    "says in the log that Stripe refuses our key for %s, and names nobody",
    async (call) => {
      await using house = await openStripeHouse(engine, (cards, connect) => ({
        ...cards,
        [call]: connect("sk_test_rolled")[call],
      }));
      expect(await house.pay(await prepareDraft(house))).not.toMatchObject({ next: "completed" });
      const refusal = { type: "StripeAuthenticationError", status: 401, requestId: expect.stringMatching(/^req_/) };
      expect(house.log.lines.filter(({ level }) => level === "warn")).toEqual([
        { level: "warn", event: "a payment could not be asked for", facts: { order: 1, payment: 1, ...refusal } },
      ]);
    },
  );

  test("keeps Stripe's own words out of the log, which may quote the payer's address", async () => {
    await using house = await openStripeHouse(engine, (cards) => ({
      ...cards,
      createCustomer: (customer) => cards.createCustomer({ ...customer, email: `${customer.email} and more` }),
      startPayment: (wanted) => cards.startPayment({ ...wanted, methodId: "pm_nobody" }),
    }));
    await house.pay(await prepareDraft(house));
    const line = house.log.lines.find(({ level }) => level === "warn");
    const facts = { order: 1, payment: 1, type: "StripeInvalidRequestError", code: "resource_missing", status: 400 };
    expect(line?.facts).toEqual({ ...facts, requestId: expect.stringMatching(/^req_/) });
  });

  const refunded = { orders: ["refunded"], attempts: ["refunded"] };
  const failed = { orders: ["refund-failed"], attempts: ["refund-failed"] };

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

  test("hears of a dispute as soon as of the payment, tells it, and ends what was paid for when it is lost", async () => {
    await using house = await openStripeHouse(engine);
    const begun = await house.rooms.signUp.pay(await prepareDraft(house), payment);
    await house.payer.payOnPage(urlOf(begun), "4000000000000259");
    const [disputeId = ""] = house.fake.books.disputes.keys();
    const all = house.fake.takeWebhooks();
    const first = all.filter(({ type }) => type.startsWith("charge.dispute"));
    for (const { body, headers } of [...first, ...all]) {
      await house.rooms.notices.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      await house.rooms.notices.handleWaiting();
    }
    const member = await house.rooms.accounts.findByEmail(ada.email);
    expect(await house.rooms.membership.findAccess(member?.id ?? 0)).toMatchObject({ isActive: true });
    house.fake.closeDispute(disputeId, "lost");
    await house.bringWebhooks();
    expect(await house.rooms.membership.findAccess(member?.id ?? 0)).toEqual({ isActive: false });
    const actions = await house.rooms.audit.listFor(member?.id ?? 0);
    expect(actions.map(({ action }) => action)).toEqual(["dispute lost", "dispute open"]);
  });
});
