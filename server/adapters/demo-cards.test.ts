import { describe, expect, test } from "vitest";

import { engines, openTestDatabase } from "../../tests/helpers/databases.ts";
import { createTestClock } from "../../tests/helpers/test-clock.ts";
import type { NewHostedPayment, NewPayment } from "../payments/card-gateway.ts";
import { createDemoCardPages } from "./demo-card-pages.ts";
import { createDemoCards } from "./demo-cards.ts";
import { createDemoStore, signDemoNotice } from "./demo-store.ts";

const wanted = {
  key: "order-7-attempt-1",
  customerId: "cus_1",
  orderId: 7,
  attempt: 1,
  productId: 117,
  variationId: 120,
  amountInPence: 6000,
  currency: "GBP" as const,
  description: "Dormouse, 12 months",
  email: "ada@example.org",
  returnUrl: "http://dormouse.test/sleep/signup?step=4",
};
const cardOf = (number: string) => ({ number, expiry: "04/30", cvc: "123" });

describe.each(engines)("the demo's card gateway on %s", (engine) => {
  async function openGateway() {
    const database = await openTestDatabase(engine);
    const clock = createTestClock();
    const store = createDemoStore({ db: database.db, clock });
    const cards = createDemoCards({ store, secret: "a secret" });
    const pages = createDemoCardPages({ store, clock });
    async function makeMethod(number = "4242 4242 4242 4242"): Promise<string> {
      const made = await pages.makeMethod(cardOf(number));
      return made.ok ? made.methodId : "";
    }
    const start = async (number?: string, changes: Partial<NewPayment> = {}) =>
      cards.startPayment({ ...wanted, methodId: await makeMethod(number), ...changes });
    const startHosted = (changes: Partial<NewHostedPayment> = {}) =>
      cards.startHostedPayment({
        ...wanted,
        cancelUrl: "http://dormouse.test/sleep/signup?step=3",
        expiresAt: new Date("2026-11-20T04:30:00.000Z"),
        ...changes,
      });
    const listNotices = async () =>
      (await store.listNotices()).map(({ body }) => (JSON.parse(body) as { notices: object[] }).notices[0]);
    return { ...database, clock, store, cards, pages, start, startHosted, listNotices, makeMethod };
  }

  test("charges a card, and says what it was charged for", async () => {
    await using gateway = await openGateway();
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
    await using gateway = await openGateway();
    expect(await gateway.start(number)).toMatchObject({ state: "requires-method", decline, actionUrl: undefined });
  });

  test("asked again with a key it answers what it made then, whatever else is asked", async () => {
    await using gateway = await openGateway();
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

  test("keeps no number and no CVC of a card", async () => {
    await using gateway = await openGateway();
    await gateway.start();
    await gateway.startHosted({ key: "hosted" });
    const rows = await gateway.db.selectFrom("demo_objects").selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/4242 ?4242|"cvc"|04\/30/);
    expect(await gateway.pages.makeMethod(cardOf("1234"))).toMatchObject({ ok: false, field: "number" });
  });

  test("a method that it does not know is a fault, not a decline", async () => {
    await using gateway = await openGateway();
    await expect(gateway.cards.startPayment({ ...wanted, methodId: "pm_demo_nobody" })).rejects.toThrow();
  });

  test("a payment that waits for the bank knows the bank's page from its first moment", async () => {
    await using gateway = await openGateway();
    // Whoever looks between two writes of the gateway's would see a payment without one.
    const change = () => Promise.reject(new Error("There is no second write"));
    const cards = createDemoCards({ store: { ...gateway.store, change }, secret: "a secret" });
    const payment = await cards.startPayment({
      ...wanted,
      methodId: await gateway.makeMethod("4000 0027 6000 3184"),
    });
    expect(payment).toMatchObject({
      state: "requires-action",
      actionUrl: `http://dormouse.test/sleep/demo-gateway/authenticate/${payment.id}`,
    });
    expect(await cards.listPaymentsOf({ orderId: 7, customerId: "cus_1" })).toEqual([payment]);
    const expiresAt = new Date("2026-11-20T04:30:00Z");
    const hosted = await cards.startHostedPayment({ ...wanted, key: "hosted", cancelUrl: wanted.returnUrl, expiresAt });
    expect(hosted.actionUrl).toBe(`http://dormouse.test/sleep/demo-gateway/card/${hosted.id}`);
  });

  test("the bank's page: yes is paid, no is declined, and a page that is over changes nothing", async () => {
    await using gateway = await openGateway();
    const { cards, pages } = gateway;
    const yes = await gateway.start("4000 0027 6000 3184");
    expect(await pages.findAuthentication(yes.id)).toEqual({
      amountInPence: 6000,
      description: "Dormouse, 12 months",
      state: "open",
      returnUrl: wanted.returnUrl,
    });
    expect(await pages.authenticate(yes.id, true)).toEqual({ url: wanted.returnUrl });
    expect(await cards.findPayment(yes.id)).toMatchObject({ state: "succeeded", actionUrl: undefined });
    expect(await pages.authenticate(yes.id, false)).toEqual({ url: wanted.returnUrl });
    expect(await cards.findPayment(yes.id)).toMatchObject({ state: "succeeded" });
    expect(await pages.findAuthentication(yes.id)).toMatchObject({ state: "over" });

    const no = await gateway.start("4000 0027 6000 3184", { key: "order-7-attempt-2" });
    await pages.authenticate(no.id, false);
    expect(await cards.findPayment(no.id)).toMatchObject({
      state: "requires-method",
      decline: "authentication-failed",
    });
    await pages.authenticate(no.id, true);
    expect(await cards.findPayment(no.id)).toMatchObject({ state: "requires-method" });
    expect(await pages.findAuthentication("pay_demo_nobody")).toBeUndefined();
    await expect(pages.authenticate("pay_demo_nobody", true)).rejects.toThrow();
  });

  test("its own card page: refuses bad cards in words, pays good ones, leads to the bank or back", async () => {
    await using gateway = await openGateway();
    const { cards, pages } = gateway;
    const { id } = await gateway.startHosted();
    expect(await pages.findCardPage(id)).toMatchObject({ state: "open", amountInPence: 6000 });
    expect(await pages.leaveCardPage(id)).toEqual({ url: "http://dormouse.test/sleep/signup?step=3" });
    expect(await pages.payCardPage(id, cardOf("4000 0000 0000 0002"))).toMatchObject({ ok: false, field: "number" });
    expect(await pages.payCardPage(id, cardOf("4000 0000 0000 9995"))).toMatchObject({
      sentence: expect.stringContaining("Nothing was taken"),
    });
    expect(await cards.findPayment(id)).toMatchObject({ state: "requires-action" });
    expect(await pages.payCardPage(id, cardOf("4000 0027 6000 3184"))).toEqual({
      ok: true,
      url: `http://dormouse.test/sleep/demo-gateway/authenticate/${id}`,
    });
    expect(await pages.payCardPage(id, cardOf("4242 4242 4242 4242"))).toEqual({ ok: true, url: wanted.returnUrl });
    expect(await cards.findPayment(id)).toMatchObject({ state: "succeeded" });
    await expect(pages.payCardPage("pay_demo_nobody", cardOf("4242 4242 4242 4242"))).rejects.toThrow();
    await expect(pages.leaveCardPage("pay_demo_nobody")).rejects.toThrow();
  });

  test("cancelling ends what is not paid, and answers what is", async () => {
    await using gateway = await openGateway();
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
    await using gateway = await openGateway();
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
    await using gateway = await openGateway();
    const { cards } = gateway;
    const paid = await gateway.start();
    const refund = { key: `refund-${paid.id}`, paymentId: paid.id, amountInPence: 6000 };
    const [one, other] = await Promise.all([cards.refund(refund), cards.refund(refund)]);
    expect(one).toEqual({ id: one.id, paymentId: paid.id, state: "succeeded" });
    expect(other).toEqual(one);
    expect(await cards.findRefund(one.id)).toEqual(one);
    expect(await cards.findRefund("re_demo_nobody")).toBeUndefined();
    const open = await gateway.startHosted({ key: "hosted" });
    await expect(cards.refund({ ...refund, paymentId: open.id })).rejects.toThrow();
    await expect(cards.refund({ ...refund, paymentId: "pay_demo_nobody" })).rejects.toThrow();
  });

  test("tells of payments that ended and of refunds, and says only what to look up", async () => {
    await using gateway = await openGateway();
    const { cards, pages } = gateway;
    const waiting = await gateway.start("4000 0027 6000 3184");
    gateway.clock.advance(1);
    await pages.authenticate(waiting.id, true);
    gateway.clock.advance(1);
    const refund = await cards.refund({ key: "refund", paymentId: waiting.id, amountInPence: 6000 });
    expect(await gateway.listNotices()).toEqual([
      { id: expect.any(String), kind: "payment", subject: waiting.id },
      { id: expect.any(String), kind: "payment", subject: waiting.id },
      { id: expect.any(String), kind: "refund", subject: refund.id },
    ]);
  });

  test("reads its own notices only when they bear its signature", async () => {
    await using gateway = await openGateway();
    const { cards } = gateway;
    const body = JSON.stringify({
      notices: [
        { id: "evt_1", kind: "payment", subject: "pay_1" },
        { id: "evt_2", kind: "mandate", subject: "md_1" },
      ],
    });
    const read = (text: string, signed: Record<string, string>) => cards.readNotices(text, new Headers(signed));
    expect(read(body, signDemoNotice("a secret", body))).toEqual([
      { id: "evt_1", kind: "payment", subject: "pay_1" },
      { id: "evt_2", kind: "other", subject: "md_1" },
    ]);
    expect(read(body, {})).toBeUndefined();
    expect(read(body, signDemoNotice("another secret", body))).toBeUndefined();
    expect(read(`${body} `, signDemoNotice("a secret", body))).toBeUndefined();
    expect(read("not JSON", signDemoNotice("a secret", "not JSON"))).toBeUndefined();
    expect(read('{"notices":[{}]}', signDemoNotice("a secret", '{"notices":[{}]}'))).toBeUndefined();
  });
});
