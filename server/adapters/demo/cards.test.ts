import { describe, expect, test } from "vitest";

import { engines } from "../../../tests/helpers/databases.ts";
import { cardOf, openDemoCards, wanted } from "../../../tests/helpers/demo-card-desk.ts";
import { signDemoWebhook } from "./store.ts";

describe.each(engines)("the demo's card gateway on %s", (engine) => {
  test("charges a card, and says what it was charged for", async () => {
    await using gateway = await openDemoCards(engine);
    const payment = await gateway.start();
    expect(payment).toEqual({
      id: expect.stringMatching(/^pay_demo_[0-9a-f]{32}$/),
      state: "succeeded",
      amountInPence: 6000,
      currency: "GBP",
      customerId: "cus_1",
      orderId: 7,
      attempt: 1,
      actionUrl: undefined,
      decline: undefined,
    });
    expect(await gateway.cards.findPayment(payment.id)).toEqual(payment);
    expect(await gateway.cards.listPaymentsOf({ orderId: 7, customerId: "cus_1" })).toEqual([payment]);
    expect(await gateway.cards.listPaymentsOf({ orderId: 8, customerId: "cus_1" })).toEqual([]);
    expect(await gateway.cards.findPayment("pay_demo_nothing")).toBeUndefined();
  });

  test.each([
    ["4000 0000 0000 0002", "declined"],
    ["4000 0000 0000 9995", "insufficient-funds"],
  ])("answers %s with “%s”, and takes nothing", async (number, decline) => {
    await using gateway = await openDemoCards(engine);
    expect(await gateway.start(number)).toMatchObject({ state: "requires-method", decline, actionUrl: undefined });
  });

  test("asked again with a key it answers what it made then, whatever else is asked", async () => {
    await using gateway = await openDemoCards(engine);
    const [one, other] = await Promise.all([gateway.start(), gateway.start()]);
    expect(other).toEqual(one);
    expect(await gateway.start("4000 0000 0000 0002", { amountInPence: 1 })).toEqual(one);
    expect(await gateway.startHosted()).toEqual(one);
    expect(await gateway.cards.listPaymentsOf({ orderId: 7, customerId: "cus_1" })).toHaveLength(1);
    expect((await gateway.start(undefined, { key: "order-7-attempt-2", attempt: 2 })).id).not.toBe(one.id);

    const customer = { key: "order-7-customer", email: "a@example.org", name: "A", postcode: "EX1", country: "GB" };
    const made = await Promise.all([gateway.cards.createCustomer(customer), gateway.cards.createCustomer(customer)]);
    expect(made[0]).toEqual(made[1]);
  });

  test("a method that it does not know is a fault, not a decline", async () => {
    await using gateway = await openDemoCards(engine);
    await expect(gateway.cards.startPayment({ ...wanted, methodId: "pm_demo_nobody" })).rejects.toThrow();
  });

  test("cancelling ends what is not paid, and answers what is", async () => {
    await using gateway = await openDemoCards(engine);
    const { cards, pages } = gateway;
    const open = await gateway.startHosted();
    expect(await cards.cancelPayment(open.id)).toMatchObject({ state: "cancelled" });
    expect(await pages.payCardPage(open.id, cardOf("4242 4242 4242 4242"))).toEqual({
      ok: true,
      url: wanted.returnUrl,
    });
    expect(await cards.findPayment(open.id)).toMatchObject({ state: "cancelled" });
    const paid = await gateway.start(undefined, { key: "order-7-attempt-2" });
    expect(await cards.cancelPayment(paid.id)).toMatchObject({ state: "succeeded" });
    await expect(cards.cancelPayment("pay_demo_nobody")).rejects.toThrow();
  });

  test("paying and cancelling at once: one of the two, and both agree which", async () => {
    await using gateway = await openDemoCards(engine);
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const { id } = await gateway.startHosted({ key: `attempt-${attempt}` });
      const [cancelled] = await Promise.all([
        gateway.cards.cancelPayment(id),
        gateway.pages.payCardPage(id, cardOf("4242 4242 4242 4242")),
      ]);
      expect(["cancelled", "succeeded"]).toContain(cancelled.state);
      expect(await gateway.cards.findPayment(id)).toMatchObject({ state: cancelled.state });
    }
  });

  test("refunds what was paid, once for one key, and nothing else", async () => {
    await using gateway = await openDemoCards(engine);
    const { cards } = gateway;
    const paid = await gateway.start();
    const refund = { key: `refund-${paid.id}`, paymentId: paid.id, amountInPence: 6000 };
    const [one, other] = await Promise.all([cards.refund(refund), cards.refund(refund)]);
    expect(one).toEqual({ id: one.id, paymentId: paid.id, amountInPence: 6000, state: "succeeded" });
    expect(other).toEqual(one);
    expect(await cards.findRefund(one.id)).toEqual(one);
    expect(await cards.findRefund("re_demo_nobody")).toBeUndefined();
    const open = await gateway.startHosted({ key: "hosted" });
    await expect(cards.refund({ ...refund, paymentId: open.id })).rejects.toThrow();
    await expect(cards.refund({ ...refund, paymentId: "pay_demo_nobody" })).rejects.toThrow();
  });

  test("tells of payments that ended and of refunds, and says only what to look up", async () => {
    await using gateway = await openDemoCards(engine);
    const { cards, pages } = gateway;
    const waiting = await gateway.start("4000 0027 6000 3184");
    gateway.clock.advance(1);
    await pages.authenticate(waiting.id, true);
    gateway.clock.advance(1);
    const refund = await cards.refund({ key: "refund", paymentId: waiting.id, amountInPence: 6000 });
    expect(await gateway.listEvents()).toEqual([
      { id: expect.any(String), kind: "payment", subject: waiting.id },
      { id: expect.any(String), kind: "payment", subject: waiting.id },
      { id: expect.any(String), kind: "refund", subject: refund.id },
    ]);
  });

  test("reads its own webhook events only when they bear its signature", async () => {
    await using gateway = await openDemoCards(engine);
    const { cards } = gateway;
    const body = JSON.stringify({
      notices: [
        { id: "evt_1", kind: "payment", subject: "pay_1" },
        { id: "evt_2", kind: "mandate", subject: "md_1" },
      ],
    });
    const read = (text: string, signed: Record<string, string>) => cards.readEvents(text, new Headers(signed));
    expect(read(body, signDemoWebhook("a secret", body))).toEqual([
      { id: "evt_1", kind: "payment", subject: "pay_1" },
      { id: "evt_2", kind: "other", subject: "md_1" },
    ]);
    expect(read(body, {})).toBeUndefined();
    expect(read(body, signDemoWebhook("another secret", body))).toBeUndefined();
    expect(read(`${body} `, signDemoWebhook("a secret", body))).toBeUndefined();
    expect(read("not JSON", signDemoWebhook("a secret", "not JSON"))).toBeUndefined();
    expect(read('{"notices":[{}]}', signDemoWebhook("a secret", '{"notices":[{}]}'))).toBeUndefined();
  });
});
