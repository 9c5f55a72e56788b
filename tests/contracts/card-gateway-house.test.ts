import { describe, expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { openStripeApp, urlOf, VISA } from "../helpers/stripe-app.ts";
import { ada, payment, prepareDraft } from "../saga/visitor.ts";

const TWO_MINUTES_AND_MORE = 3 * MINUTE_IN_MS;

/** An app that takes cards by Stripe: sign-up, webhook events, reconciling and refunds over the adapter, on both databases. */
describe.each(engines)("an app with Stripe on %s", (engine) => {
  test("makes a member of who pays in the card fields, once, whatever is told afterwards", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
    await app.bringWebhooks();
    await app.bringWebhooks();
    await app.comeToRest();
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.kept()).toBe(6000);
    expect(app.emails.filter(({ subject }) => /receipt/i.test(subject))).toHaveLength(1);
  });

  test("lets a declined card be followed by a better one, and closes the first", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    const declined = await app.pay(token, { number: "4000000000009995" });
    expect(declined).toEqual({ ok: false, reason: "declined", decline: "insufficient-funds" });
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
    expect([...app.fake.books.intents.values()].map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
  });

  test("hears from a webhook alone that a payer's bank has agreed", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    const begun = await app.pay(token, { number: "4000002760003184" });
    await app.payer.authenticate(urlOf(begun), true);
    await app.bringWebhooks();
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("takes money on Stripe's page, told of by its PaymentIntent and its session alike, the latest first", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    const begun = await app.services.signUp.pay(token, payment);
    await app.payer.payOnPage(urlOf(begun), "4000000000000002");
    await app.bringWebhooks();
    // A declined card there is not the last word.
    expect(await app.states()).toEqual({ orders: ["awaiting-payment"], attempts: ["authenticating"] });
    await app.payer.payOnPage(urlOf(begun), VISA);
    const told = app.fake.takeWebhooks().toReversed();
    for (const { body, headers } of told) {
      await app.services.webhooks.receive({ gateway: "stripe", body, headers: new Headers(headers) });
      await app.services.webhooks.handleWaiting();
    }
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.kept()).toBe(6000);
    expect(app.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  test("finds money on Stripe's page when no webhook comes and nobody returns", async () => {
    await using app = await openStripeApp(engine);
    const begun = await app.services.signUp.pay(await prepareDraft(app), payment);
    await app.payer.payOnPage(urlOf(begun), VISA);
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
  });

  test("closes a page that was left, and nobody can pay on it any more", async () => {
    await using app = await openStripeApp(engine);
    const begun = await app.services.signUp.pay(await prepareDraft(app), payment);
    await app.pass(91 * MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["awaiting-payment"], attempts: ["cancelled"] });
    await app.payer.payOnPage(urlOf(begun), VISA);
    expect(app.kept()).toBe(0);
  });

  test("finds the payment whose answer was lost, and charges nobody twice", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "lost", on: /POST .*payment_intents/ });
    app.fake.fail({ kind: "reset", on: /GET/ });
    expect(await app.pay(token)).toEqual({ ok: true, next: "checking" });
    app.fake.heal();
    await app.pass(MINUTE_IN_MS);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["succeeded"] });
    expect(app.kept()).toBe(6000);
  });

  test("sends the later money back when two payments succeed after all", async () => {
    let isBlind = false;
    await using app = await openStripeApp(engine, (cards) => ({
      ...cards,
      // What Stripe cannot be asked for a day is given up for lost.
      listPaymentsOf: async (order) => (isBlind ? [] : cards.listPaymentsOf(order)),
    }));
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "lost", on: /POST .*payment_intents$/, times: 3 });
    isBlind = true;
    await app.pay(token);
    await app.pass(TWO_MINUTES_AND_MORE);
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
    expect(app.kept()).toBe(12_000);
    app.clock.advance(DAY_IN_MS);
    await app.bringWebhooks();
    await app.comeToRest();
    expect(app.kept()).toBe(6000);
    expect(await app.states()).toEqual({ orders: ["completed"], attempts: ["refunded", "succeeded"] });
    expect(app.emails.filter(({ subject }) => subject === "Your £60 is on its way back")).toHaveLength(1);
  });

  test("strands nobody whose postal code changes while Stripe is away", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "lost", on: /customers/ });
    const first = await app.pay(token, { postcode: "EX1 1AA" });
    expect(first).toEqual({ ok: false, reason: "declined", decline: "gateway-unavailable" });
    app.fake.heal();
    expect(await app.pay(token, { postcode: "N1 9GU" })).toEqual({ ok: true, next: "completed" });
  });

  test("strands nobody to whom Stripe answered with a fault of its own, which it repeats for a day", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    app.fake.fail({ kind: "500", on: /customers/, times: 1 });
    expect(await app.pay(token)).toEqual({ ok: true, next: "completed" });
  });

  test("keeps one customer when two tabs with different postal codes pay at once", async () => {
    await using app = await openStripeApp(engine);
    const token = await prepareDraft(app);
    await Promise.all(["EX1 1AA", "N1 9GU"].map((postcode) => app.pay(token, { postcode })));
    await app.comeToRest();
    expect((await app.states()).orders).toEqual(["completed"]);
    expect(app.kept()).toBe(6000);
  });

  test.each(["createCustomer", "startPayment"] as const)(
    "says in the log that Stripe refuses our key for %s, and names nobody",
    async (call) => {
      await using app = await openStripeApp(engine, (cards, connect) => ({
        ...cards,
        [call]: connect("sk_test_rolled")[call],
      }));
      expect(await app.pay(await prepareDraft(app))).not.toMatchObject({ next: "completed" });
      const refusal = { type: "StripeAuthenticationError", status: 401, requestId: expect.stringMatching(/^req_/) };
      expect(app.log.lines.filter(({ level }) => level === "warn")).toEqual([
        { level: "warn", event: "a payment could not be asked for", facts: { order: 1, payment: 1, ...refusal } },
      ]);
    },
  );

  test("keeps Stripe's own words out of the log, which may quote the payer's address", async () => {
    await using app = await openStripeApp(engine, (cards) => ({
      ...cards,
      createCustomer: (customer) => cards.createCustomer({ ...customer, email: `${customer.email} and more` }),
      startPayment: (wanted) => cards.startPayment({ ...wanted, methodId: "pm_nobody" }),
    }));
    await app.pay(await prepareDraft(app));
    const line = app.log.lines.find(({ level }) => level === "warn");
    const facts = { order: 1, payment: 1, type: "StripeInvalidRequestError", code: "resource_missing", status: 400 };
    expect(line?.facts).toEqual({ ...facts, requestId: expect.stringMatching(/^req_/) });
  });

  test("hears of a dispute as soon as of the payment, tells it, and ends what was paid for when it is lost", async () => {
    await using app = await openStripeApp(engine);
    const begun = await app.services.signUp.pay(await prepareDraft(app), payment);
    await app.payer.payOnPage(urlOf(begun), "4000000000000259");
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
    await app.bringWebhooks();
    expect(await app.services.membership.findAccess(member?.id ?? 0)).toEqual({ isActive: false });
    const actions = await app.services.audit.listFor(member?.id ?? 0);
    expect(actions.map(({ action }) => action)).toEqual(["dispute lost", "dispute open"]);
  });
});
