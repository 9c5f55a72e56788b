import { describe, expect, test } from "vitest";

import { DAY_IN_MS, MINUTE_IN_MS } from "../../server/clock.ts";
import { engines } from "../helpers/databases.ts";
import { openStripeHouse, urlOf, VISA } from "../helpers/stripe-house.ts";
import { ada, payment, prepareDraft } from "../saga/visitor.ts";

const TWO_MINUTES_AND_MORE = 3 * MINUTE_IN_MS;

/** A house that takes cards by Stripe: sign-up, notices, reconciling and refunds over the adapter, on both databases. */
describe.each(engines)("a house with Stripe on %s", (engine) => {
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
