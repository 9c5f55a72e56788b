import { describe, expect, test } from "vitest";

import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import { DAY_IN_MS, HOUR_IN_MS, MINUTE_IN_MS } from "../../server/platform/clock.ts";
import type { Engine } from "../../server/platform/database/database.ts";
import type { CardGateway } from "../../server/money/payments/card-gateway.ts";
import type { PayResult, PaymentInput } from "../../server/money/sign-up/sign-up.ts";
import { createStripePayer } from "../fakes/stripe-pages.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { settleAll, openApp } from "../helpers/app.ts";
import { engines } from "../helpers/databases.ts";
import { createTestClock } from "../helpers/test-clock.ts";
import { takeEmail } from "../saga/journeys.ts";
import { ada, payment, prepareDraft } from "../saga/visitor.ts";

const VISA = "4242424242424242";

/** Interference between the app and Stripe; `connect` uses another key. */
type Change = (gateway: CardGateway, connect: (secretKey: string) => CardGateway) => CardGateway;

/** With the real adapter: sign-up, webhook events, reconciling and refunds. */
async function openStripeApp(on: Engine, change: Change = (gateway) => gateway) {
  const clock = createTestClock();
  const fake = await startStripeFake({ clock });
  const connect = (secretKey: string) => createStripe({ ...fake.keys, secretKey, apiBase: fake.url, clock });
  const stripe = connect(fake.keys.secretKey);
  const app = await openApp({ engine: on, clock, cardGateway: change(stripe, connect) });
  const payer = createStripePayer(fake);
  const { db } = app.database;

  async function pay(token: string, { number = VISA, ...input }: Partial<PaymentInput> & { number?: string } = {}) {
    return app.services.signUp.pay(token, { ...payment, methodId: await payer.makeMethod(number), ...input });
  }
  /** Delivers Stripe's events as webhooks. */
  async function deliverWebhooks(): Promise<void> {
    for (const { body, headers } of fake.takeWebhooks()) {
      const receipt = await app.services.webhooks.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      expect(receipt).toBe("kept");
    }
    await app.services.webhooks.handleWaiting();
  }
  const states = async () => ({
    orders: (await db.selectFrom("orders").select("state").orderBy("id").execute()).map(({ state }) => state),
    attempts: (await db.selectFrom("payments").select("state").orderBy("id").execute()).map(({ state }) => state),
  });
  const sumPaid = () => {
    const paid = [...fake.books.intents.values()].reduce((sum, each) => sum + each.amount_received, 0);
    return paid - [...fake.books.refunds.values()].reduce((sum, each) => sum + each.amount, 0);
  };
  /** The address is taken while the payer's bank authenticates, so the payer is refunded. */
  async function payInVain() {
    const begun = await pay(await prepareDraft(app), { number: "4000002760003184" });
    await takeEmail(app);
    await payer.authenticate(toUrl(begun), true);
    await deliverWebhooks();
    const [paymentId = ""] = fake.books.intents.keys();
    const [refundId = ""] = fake.books.refunds.keys();
    return { paymentId, refundId };
  }
  /** As an operator does in Stripe's dashboard. */
  async function payBackByHand(paymentId: string, amountInPence: number): Promise<string> {
    const { id } = await stripe.refund({ key: `by-hand-${fake.books.refunds.size}`, paymentId, amountInPence });
    await deliverWebhooks();
    return id;
  }
  async function close(): Promise<void> {
    await app[Symbol.asyncDispose]();
    await fake.stop();
  }
  return {
    ...app,
    fake,
    stripe,
    payer,
    pay,
    payInVain,
    payBackByHand,
    deliverWebhooks,
    states,
    sumPaid,
    [Symbol.asyncDispose]: close,
  };
}

function toUrl(result: PayResult): string {
  return result.ok && result.next === "continue" ? result.url : "";
}

/** `tests/saga` has the rules of every gateway. */
describe.each(engines)("an app with Stripe on %s", (engine) => {
  test("a payment in the card fields makes one membership, however many events follow", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
    await app.deliverWebhooks();
    await app.deliverWebhooks();
    await settleAll(app);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.sumPaid()).toBe(6000);
    expect(app.emails.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(1);
  });

  test("events of a PaymentIntent and its session, in any order, complete one order", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    const begun = await app.services.signUp.pay(token, payment);
    await app.payer.payOnPage(toUrl(begun), "4000000000000002");
    await app.deliverWebhooks();
    // A declined card there is not final.
    expect(await app.states()).toEqual({ orders: ["awaiting-payment"], attempts: ["authenticating"] });
    await app.payer.payOnPage(toUrl(begun), VISA);
    const webhooks = app.fake.takeWebhooks().toReversed();
    for (const { body, headers } of webhooks) {
      await app.services.webhooks.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      await app.services.webhooks.handleWaiting();
    }
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.sumPaid()).toBe(6000);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("a payment whose answer was lost is found and charged once", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "lost", on: /POST .*payment_intents/ });
    app.fake.fail({ kind: "reset", on: /GET/ });
    expect(await app.pay(token)).toEqual({ ok: true, next: "checking" });
    app.fake.heal();
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.sumPaid()).toBe(6000);
  });

  test("another postal code after Stripe was away can still pay", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "lost", on: /customers/ });
    const first = await app.pay(token, { postcode: "EX1 1AA" });
    expect(first).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    app.fake.heal();
    expect(await app.pay(token, { postcode: "N1 9GU" })).toEqual({ ok: true, next: "completed" });
  });

  test("a 500 that Stripe repeats for a day does not stop a payment", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "500", on: /customers/, times: 1 });
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
  });

  test("two tabs with different postal codes pay once", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    await Promise.all(["EX1 1AA", "N1 9GU"].map((postcode) => app.pay(token, { postcode })));
    await settleAll(app);
    expect((await app.states()).orders).toEqual(["completed"]);
    expect(app.sumPaid()).toBe(6000);
  });

  test.each(["createCustomer", "startPayment"] as const)(
    "the log says that Stripe refuses our key for %s, without personal data",
    async (call) => {
      await using app = await openStripeApp(engine, (gateway, connect) => ({
        ...gateway,
        [call]: connect("sk_test_rolled")[call],
      }));
      expect(await app.pay(await prepareDraft(app))).not.toMatchObject({ next: "completed" });
      const refusal = { type: "StripeAuthenticationError", status: 401, requestId: expect.stringMatching(/^req_/) };
      expect(app.log.lines.filter(({ level }) => level === "warn")).toEqual([
        { level: "warn", event: "a payment could not be requested", facts: { order: 1, payment: 1, ...refusal } },
      ]);
    },
  );

  test("Stripe's messages, which may quote an address, stay out of the log", async () => {
    await using app = await openStripeApp(engine, (gateway) => ({
      ...gateway,
      createCustomer: (customer) => gateway.createCustomer({ ...customer, email: `${customer.email} and more` }),
      startPayment: (wanted) => gateway.startPayment({ ...wanted, methodId: "pm_nobody" }),
    }));
    await app.pay(await prepareDraft(app));
    const line = app.log.lines.find(({ level }) => level === "warn");
    const facts = { order: 1, payment: 1, type: "StripeInvalidRequestError", code: "resource_missing", status: 400 };
    expect(line?.facts).toEqual({ ...facts, requestId: expect.stringMatching(/^req_/) });
  });

  test("a dispute is noted, and ends the membership when it is lost", async () => {
    await using app = await openStripeApp(engine);
    const begun = await app.services.signUp.pay(await prepareDraft(app), payment);
    await app.payer.payOnPage(toUrl(begun), "4000000000000259");
    const [disputeId = ""] = app.fake.books.disputes.keys();
    const all = app.fake.takeWebhooks();
    const first = all.filter(({ type }) => type.startsWith("charge.dispute"));
    for (const { body, headers } of [...first, ...all]) {
      await app.services.webhooks.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      await app.services.webhooks.handleWaiting();
    }
    const member = await app.services.accounts.findByEmail(ada.email);
    expect(await app.services.membership.findAccess(member?.id ?? 0)).toMatchObject({ isActive: true });
    app.fake.closeDispute(disputeId, "lost");
    await app.deliverWebhooks();
    expect(await app.services.membership.findAccess(member?.id ?? 0)).toMatchObject({ isActive: false });
    const actions = await app.services.audit.listFor(member?.id ?? 0);
    expect(actions.map(({ action }) => action)).toEqual(["dispute lost", "dispute open"]);
  });
});

/** By us, by hand and in parts, and those that a bank sends back. */
describe.each(engines)("refunds with Stripe on %s", (engine) => {
  const refunded = { orders: ["refunded"], attempts: ["refunded"] };
  const failed = { orders: ["refund-failed"], attempts: ["refund-failed"] };

  test("a pending refund is followed to its end", async () => {
    await using app = await openStripeApp(engine);
    const other = await prepareDraft(app);
    const begun = await app.pay(other, { number: "4000000000007726" });
    expect(begun).toEqual({ ok: true, next: "completed" });
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.pass(MINUTE_IN_MS);
    expect((await app.states()).attempts).toEqual(["refunding"]);
    const [refundId = ""] = app.fake.books.refunds.keys();
    app.fake.endRefund(refundId, "succeeded");
    await app.deliverWebhooks();
    expect((await app.states()).attempts).toEqual(["refunded"]);
  });

  test("a refund that a bank returns waits for an operator until it is made by hand", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    expect(await app.states()).toEqual(refunded);
    app.clock.advance(4 * DAY_IN_MS);
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.states()).toEqual(failed);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 6000 }]);
    const errors = app.log.lines.filter(({ level }) => level === "error");
    expect(new Set(errors.map(({ event }) => event))).toEqual(new Set(["a refund has failed"]));
    const mended = await app.payBackByHand(paymentId, 6000);
    expect(await app.states()).toEqual(refunded);
    // The event of the first one, which failed, comes again; nothing is wrong any more.
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.states()).toEqual(refunded);
    // The second one fails as well: that counts, and so does the third.
    app.fake.endRefund(mended, "failed");
    await app.deliverWebhooks();
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 6000);
    expect(await app.states()).toEqual(refunded);
    expect(await app.services.payments.listStuck()).toEqual([]);
  });

  test("a partial refund by hand does not count as the whole", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(failed);
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.payBackByHand(paymentId, 500);
    expect((await app.states()).attempts).toEqual(["refunding"]);
    const noted = await app.database.db.selectFrom("payments").select("refundId").execute();
    expect(noted).toEqual([{ refundId }]);
  });

  test("partial refunds by hand settle a failed one together, until one of them fails", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    const part = await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 5000);
    expect(await app.states()).toEqual(refunded);
    expect(await app.services.payments.listStuck()).toEqual([]);
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.states()).toEqual(refunded);
    app.fake.endRefund(part, "failed");
    await app.deliverWebhooks();
    expect(await app.states()).toEqual(failed);
    await app.payBackByHand(paymentId, 1000);
    expect(await app.states()).toEqual(refunded);
  });

  test("refunds by hand are found within the hour without a webhook", async () => {
    await using app = await openStripeApp(engine);
    const { paymentId, refundId } = await app.payInVain();
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    await app.stripe.refund({ key: "by-hand", paymentId, amountInPence: 1000 });
    await app.stripe.refund({ key: "by-hand-too", paymentId, amountInPence: 5000 });
    app.fake.takeWebhooks();
    app.clock.advance(HOUR_IN_MS);
    await app.services.payments.reconcile();
    expect(await app.states()).toEqual(refunded);
  });

  test("the rest of a partial refund is paid back, and reported after an hour if it cannot be", async () => {
    let isPoor = true;
    await using app = await openStripeApp(engine, (gateway) => ({
      ...gateway,
      refund: async (wanted) => {
        if (isPoor && wanted.key.startsWith("refund-")) throw new Error("The balance is too low");
        return gateway.refund(wanted);
      },
    }));
    const { paymentId } = await app.payInVain();
    await app.payBackByHand(paymentId, 1000);
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["refund-pending"], attempts: ["refunding"] });
    expect(await app.services.payments.listStuck()).toEqual([]);
    await app.pass(HOUR_IN_MS);
    expect(await app.services.payments.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 6000 }]);
    isPoor = false;
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual(refunded);
    expect([...app.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000]);
    expect(await app.services.payments.listStuck()).toEqual([]);
  });

  test("a refund in two parts waits for the slower one, and for an operator if it fails", async () => {
    await using app = await openStripeApp(engine);
    await app.pay(await prepareDraft(app), { number: "4000000000007726" });
    const [paymentId = ""] = app.fake.books.intents.keys();
    const part = await app.payBackByHand(paymentId, 1000);
    await app.database.db.updateTable("payments").set({ state: "refunding" }).execute();
    await app.pass(MINUTE_IN_MS);
    const rest = [...app.fake.books.refunds.keys()].at(-1) ?? "";
    app.fake.endRefund(rest, "succeeded");
    await app.deliverWebhooks();
    expect((await app.states()).attempts).toEqual(["refunding"]);
    app.fake.endRefund(part, "failed");
    await app.deliverWebhooks();
    expect((await app.states()).attempts).toEqual(["refund-failed"]);
    const last = await app.payBackByHand(paymentId, 1000);
    expect((await app.states()).attempts).toEqual(["refund-failed"]);
    app.fake.endRefund(last, "succeeded");
    await app.deliverWebhooks();
    expect((await app.states()).attempts).toEqual(["refunded"]);
    expect([...app.fake.books.refunds.values()].map(({ amount }) => amount)).toEqual([1000, 5000, 1000]);
  });
});

/** Parts refunded at the desk, beside refunds by hand in Stripe's dashboard, and those that a bank sends back. */
describe.each(engines)("part refunds with Stripe on %s", (engine) => {
  async function openPaid(number = VISA) {
    const app = await openStripeApp(engine);
    await app.pay(await prepareDraft(app), { number });
    const [paymentId = ""] = app.fake.books.intents.keys();
    const by = { operator: "olive@desk.example", reason: "They asked" };
    return {
      ...app,
      paymentId,
      makePartRefund: (amountInPence: number) =>
        app.services.payments.makePartRefund({ orderId: 1, amountInPence, by }),
      partRefundStates: async () =>
        (await app.database.db.selectFrom("partRefunds").select("state").orderBy("number").execute()).map(
          ({ state }) => state,
        ),
      amounts: () => [...app.fake.books.refunds.values()].map(({ amount }) => amount),
      listStuck: () => app.services.payments.listStuck(),
    };
  }

  test("a part whose answer was lost is made once, also days later", async () => {
    await using app = await openPaid();
    app.fake.fail({ kind: "lost", on: /POST \/v1\/refunds/ });
    await app.makePartRefund(1000);
    expect(app.amounts()).toEqual([1000]);
    expect(await app.partRefundStates()).toEqual(["refunding"]);
    app.fake.heal();
    app.clock.advance(3 * DAY_IN_MS);
    await app.services.payments.reconcile();
    expect([app.amounts(), await app.partRefundStates()]).toEqual([[1000], ["refunded"]]);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("what was refunded by hand is not left, also if it is refunded while the part is on its way", async () => {
    await using app = await openPaid();
    await app.payBackByHand(app.paymentId, 2000);
    expect(await app.makePartRefund(4500)).toEqual({ ok: false, reason: "more-than-left", leftInPence: 4000 });
    app.fake.fail({ kind: "500", on: /refunds/ });
    expect(await app.makePartRefund(3000)).toMatchObject({ ok: true, isWhole: false });
    app.fake.heal();
    await app.payBackByHand(app.paymentId, 3500);
    await app.services.payments.reconcile();
    expect([app.amounts(), await app.partRefundStates()]).toEqual([[2000, 3500], ["refund-failed"]]);
    expect(await app.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 3000 }]);
    expect(await app.makePartRefund(501)).toEqual({ ok: false, reason: "more-than-left", leftInPence: 500 });
    // The rest is a whole refund, which ends the part's problem.
    expect(await app.makePartRefund(500)).toMatchObject({ ok: true, isWhole: true });
    await settleAll(app);
    expect(await app.states()).toEqual({ orders: ["refunded"], attempts: ["refunded"] });
    expect(app.amounts()).toEqual([2000, 3500, 500]);
    expect(await app.listStuck()).toEqual([]);
  });

  test("a part that is pending is followed to its end, and one that a bank returns waits for an operator", async () => {
    await using app = await openPaid("4000000000007726");
    await app.makePartRefund(1000);
    await app.deliverWebhooks();
    expect(await app.partRefundStates()).toEqual(["refunding"]);
    const [refundId = ""] = app.fake.books.refunds.keys();
    app.fake.endRefund(refundId, "succeeded");
    await app.deliverWebhooks();
    expect(await app.partRefundStates()).toEqual(["refunded"]);
    app.clock.advance(4 * DAY_IN_MS);
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.partRefundStates()).toEqual(["refund-failed"]);
    expect(await app.listStuck()).toMatchObject([{ orderId: 1, amountInPence: 1000 }]);
    // An operator refunds it by hand, and Stripe repeats the failed one's event.
    const mended = await app.payBackByHand(app.paymentId, 1000);
    app.fake.endRefund(mended, "succeeded");
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.partRefundStates()).toEqual(["refunded"]);
    expect(await app.listStuck()).toEqual([]);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("a part that a bank returns is asked for again with the whole", async () => {
    await using app = await openPaid();
    await app.makePartRefund(1000);
    const [refundId = ""] = app.fake.books.refunds.keys();
    app.fake.endRefund(refundId, "failed");
    await app.deliverWebhooks();
    expect(await app.makePartRefund(6000)).toMatchObject({ ok: true, isWhole: true });
    await settleAll(app);
    expect(await app.states()).toEqual({ orders: ["refunded"], attempts: ["refunded"] });
    expect(app.amounts()).toEqual([1000, 6000]);
    expect(await app.listStuck()).toEqual([]);
  });
});
