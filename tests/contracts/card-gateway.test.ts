import { describe, expect, test } from "vitest";

import { createDemo } from "../../server/adapters/demo/demo.ts";
import { listEvents, signDemoWebhook } from "../../server/adapters/demo/store.ts";
import { cardGateways } from "../../server/adapters/gateways.ts";
import { createStripe } from "../../server/adapters/stripe/stripe.ts";
import { MINUTE_IN_MS, SECOND_IN_MS } from "../../server/platform/clock.ts";
import type {
  CardGateway,
  WebhookEvent,
  GatewayPayment,
  NewHostedPayment,
  NewPayment,
} from "../../server/money/payments/card-gateway.ts";
import { createStripePayer } from "../fakes/stripe-pages.ts";
import { startStripeFake } from "../fakes/stripe.ts";
import { ada, cancelUrl, order } from "../helpers/card-order.ts";
import { openTestDatabase } from "../helpers/databases.ts";
import { createTestClock, type TestClock } from "../helpers/test-clock.ts";

/** A card gateway, and the acts of browser, payer and bank at its far side. */
type CardPlace = AsyncDisposable & {
  gateway: CardGateway;
  clock: TestClock;
  makeMethod(card: TestCard): Promise<string>;
  authenticate(payment: GatewayPayment, isComplete: boolean): Promise<unknown>;
  payOnPage(payment: GatewayPayment, card: TestCard): Promise<unknown>;
  /** As they would arrive. */
  takeWebhooks(): Promise<{ body: string; headers: Headers }[]>;
};

type TestCard = "paid" | "declined" | "poor" | "authentication";

const cardNumbers: Record<TestCard, string> = {
  paid: "4242424242424242",
  declined: "4000000000000002",
  poor: "4000000000009995",
  authentication: "4000002760003184",
};

/** With a customer and an order. */
async function openCardDesk(openPlace: () => Promise<CardPlace>) {
  const place = await openPlace();
  const { gateway, clock } = place;
  const { customerId } = await gateway.createCustomer({ key: "order-7-customer", ...ada });
  const wanted = { ...order, customerId };
  return {
    ...place,
    wanted,
    customerId,
    start: async (card: TestCard = "paid", changes: Partial<NewPayment> = {}) =>
      gateway.startPayment({ ...wanted, methodId: await place.makeMethod(card), ...changes }),
    startHosted: (changes: Partial<NewHostedPayment> = {}) =>
      gateway.startHostedPayment({
        ...wanted,
        cancelUrl,
        expiresAt: new Date(clock().getTime() + 90 * MINUTE_IN_MS),
        ...changes,
      }),
    async readWebhooks(): Promise<WebhookEvent[]> {
      const webhooks = await place.takeWebhooks();
      return webhooks.flatMap(({ body, headers }) => gateway.readEvents(body, headers) ?? []);
    },
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

function describeCardGateway(name: string, openPlace: () => Promise<CardPlace>): void {
  const openDesk = () => openCardDesk(openPlace);

  describe(`a card gateway: ${name}`, () => {
    test("charges a card, and says what it was charged for", async () => {
      await using desk = await openDesk();
      const payment = await desk.start();
      expect(payment).toEqual({
        id: expect.any(String),
        state: "succeeded",
        amountInPence: 6000,
        currency: "GBP",
        customerId: desk.customerId,
        orderId: 7,
        attempt: 1,
        actionUrl: undefined,
        decline: undefined,
      });
      expect(await desk.gateway.findPayment(payment.id)).toEqual(payment);
    });

    test("says the last four digits of the card that was charged, on either page, and of no other payment", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      expect(await gateway.findCardDigits((await desk.start()).id)).toBe("4242");
      const asked = await desk.start("authentication", { key: "order-7-attempt-2", attempt: 2 });
      await desk.authenticate(asked, true);
      expect(await gateway.findCardDigits(asked.id)).toBe("3184");
      const page = await desk.startHosted({ key: "order-7-attempt-3", attempt: 3 });
      expect(await gateway.findCardDigits(page.id)).toBeUndefined();
      await desk.payOnPage(page, "paid");
      expect(await gateway.findCardDigits(page.id)).toBe("4242");
      for (const id of ["pi_unknown", "cs_unknown", "nothing"])
        expect(await gateway.findCardDigits(id)).toBeUndefined();
    });

    test("repeats nothing under the same key, however many calls come at once", async () => {
      await using desk = await openDesk();
      const { gateway, wanted, customerId } = desk;
      expect(await gateway.createCustomer({ key: "order-7-customer", ...ada })).toEqual({ customerId });
      const methodId = await desk.makeMethod("paid");
      const once = await gateway.startPayment({ ...wanted, methodId });
      const again = await Promise.all([1, 2, 3].map(() => gateway.startPayment({ ...wanted, methodId })));
      expect(new Set([once, ...again].map(({ id }) => id)).size).toBe(1);
      expect(await gateway.listPaymentsFor({ orderId: 7, customerId })).toEqual([once]);
      const hosted = { key: "order-7-attempt-2", attempt: 2 };
      const page = await desk.startHosted(hosted);
      expect(await desk.startHosted(hosted)).toEqual(page);
    });

    test("lists the payments of an order and its customer, of either page, and no others", async () => {
      await using desk = await openDesk();
      const { gateway, customerId } = desk;
      const fields = await desk.start("declined");
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      await desk.start("paid", { key: "order-8-attempt-1", orderId: 8 });
      const listed = await gateway.listPaymentsFor({ orderId: 7, customerId });
      expect(listed.map(({ id }) => id).toSorted()).toEqual([fields.id, page.id].toSorted());
      expect(listed.find(({ id }) => id === page.id)).toMatchObject({ state: "succeeded", attempt: 2 });
      const { customerId: stranger } = await gateway.createCustomer({ key: "order-9-customer", ...ada });
      expect(await gateway.listPaymentsFor({ orderId: 7, customerId: stranger })).toEqual([]);
    });

    test("answers a declined card with the bank's reason", async () => {
      await using desk = await openDesk();
      const declined = await desk.start("declined");
      expect(declined).toMatchObject({ state: "requires-method", decline: "declined", orderId: 7 });
      expect(await desk.gateway.findPayment(declined.id)).toEqual(declined);
      const poor = await desk.start("poor", { key: "order-7-attempt-2", attempt: 2 });
      expect(poor).toMatchObject({ state: "requires-method", decline: "insufficient-funds", attempt: 2 });
    });

    test("a declined payment can be ended, and takes nothing", async () => {
      await using desk = await openDesk();
      const { id } = await desk.start("declined");
      expect(await desk.gateway.cancelPayment(id)).toMatchObject({ id, state: "cancelled" });
      expect(await desk.gateway.findPayment(id)).toMatchObject({ state: "cancelled" });
    });

    test("sends a payer to their bank, and accepts its result", async () => {
      await using desk = await openDesk();
      const waiting = await desk.start("authentication");
      expect(waiting).toMatchObject({ state: "requires-action", actionUrl: expect.stringMatching(/^http/) });
      await desk.authenticate(waiting, true);
      expect(await desk.gateway.findPayment(waiting.id)).toMatchObject({ state: "succeeded", actionUrl: undefined });
      await desk.authenticate(waiting, false);
      expect(await desk.gateway.findPayment(waiting.id)).toMatchObject({ state: "succeeded" });

      const refused = await desk.start("authentication", { key: "order-7-attempt-2", attempt: 2 });
      await desk.authenticate(refused, false);
      expect(await desk.gateway.findPayment(refused.id)).toMatchObject({
        state: "requires-method",
        decline: "authentication-failed",
      });
    });

    test("takes a payment on its own page, under one id from first to last", async () => {
      await using desk = await openDesk();
      const page = await desk.startHosted();
      expect(page).toMatchObject({
        state: "requires-action",
        amountInPence: 6000,
        currency: "GBP",
        orderId: 7,
        attempt: 1,
      });
      expect(await desk.gateway.findPayment(page.id)).toEqual(page);
      await desk.payOnPage(page, "declined");
      expect(await desk.gateway.findPayment(page.id)).toEqual(page);
      await desk.payOnPage(page, "paid");
      const paid = { ...page, state: "succeeded", actionUrl: undefined };
      expect(await desk.gateway.findPayment(page.id)).toEqual(paid);
    });

    test("cancels an unpaid payment and leaves a paid one", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const waiting = await desk.start("authentication");
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      for (const { id } of [waiting, page]) {
        expect(await gateway.cancelPayment(id)).toMatchObject({ id, state: "cancelled" });
        expect(await gateway.cancelPayment(id)).toMatchObject({ id, state: "cancelled" });
      }
      await desk.payOnPage(page, "paid");
      expect(await gateway.findPayment(page.id)).toMatchObject({ state: "cancelled", actionUrl: undefined });
      const paid = await desk.start("paid", { key: "order-7-attempt-3", attempt: 3 });
      expect(await gateway.cancelPayment(paid.id)).toMatchObject({ id: paid.id, state: "succeeded" });
      const paidOnPage = await desk.startHosted({ key: "order-7-attempt-4", attempt: 4 });
      await desk.payOnPage(paidOnPage, "paid");
      expect(await gateway.cancelPayment(paidOnPage.id)).toMatchObject({ id: paidOnPage.id, state: "succeeded" });
    });

    test("paying and cancelling at once ends in one of them, and both answers agree", async () => {
      await using desk = await openDesk();
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const page = await desk.startHosted({ key: `order-7-attempt-${attempt}`, attempt });
        const [ended] = await Promise.all([desk.gateway.cancelPayment(page.id), desk.payOnPage(page, "paid")]);
        expect(["cancelled", "succeeded"]).toContain(ended.state);
        expect(await desk.gateway.findPayment(page.id)).toMatchObject({ state: ended.state });
      }
    });

    test("refunds once for one key, on either page", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const paid = await desk.start();
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      for (const { id } of [paid, page]) {
        const wanted = { key: `refund-${id}`, paymentId: id, amountInPence: 6000 };
        const refund = await gateway.refund(wanted);
        expect(refund).toEqual({ id: refund.id, paymentId: id, amountInPence: 6000, state: "succeeded" });
        expect(await gateway.refund(wanted)).toEqual(refund);
        expect(await gateway.findRefund(refund.id)).toEqual(refund);
      }
    });

    test("knows how much of a payment is refunded, in one sum or in parts, and refunds no more than is left", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const paid = await desk.start();
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      expect(await gateway.findRefunded(page.id)).toBeUndefined();
      await desk.payOnPage(page, "paid");
      for (const { id: paymentId } of [paid, page]) {
        const back = (amountInPence: number) => ({ paymentId, amountInPence, state: "succeeded" });
        expect(await gateway.findRefunded(paymentId)).toBeUndefined();
        await gateway.refund({ key: `part-${paymentId}`, paymentId, amountInPence: 1000 });
        expect(await gateway.findRefunded(paymentId)).toMatchObject(back(1000));
        const whole = { key: `refund-${paymentId}`, paymentId, amountInPence: 6000 };
        await expect(gateway.refund(whole)).rejects.toThrow();
        const rest = { key: `rest-${paymentId}`, paymentId, amountInPence: 5000 };
        const made = await gateway.refund(rest);
        expect(await gateway.refund(rest)).toEqual(made);
        expect(await gateway.findRefunded(paymentId)).toMatchObject(back(6000));
      }
    });

    test("finds a part by its key, among others of the same amount, and only at its own payment", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const paid = await desk.start();
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      for (const { id: paymentId } of [paid, page]) {
        const part = { key: `part-${paymentId}-1`, paymentId, amountInPence: 1000, isPart: true };
        await gateway.refund({ ...part, key: `by-hand-${paymentId}`, isPart: false });
        expect(await gateway.findPartRefund(part)).toBeUndefined();
        const made = await gateway.refund(part);
        const other = await gateway.refund({ ...part, key: `part-${paymentId}-2` });
        expect(await gateway.refund(part)).toEqual(made);
        expect(await gateway.findPartRefund(part)).toEqual(made);
        expect(await gateway.findPartRefund({ ...part, key: `part-${paymentId}-2` })).toEqual(other);
        expect(await gateway.findPartRefund({ ...part, key: `part-${paymentId}-3` })).toBeUndefined();
        // Nothing is left for this one, but it must not count as one of the earlier parts.
        await gateway.refund({ key: `rest-${paymentId}`, paymentId, amountInPence: 3000 });
        await expect(gateway.refund({ ...part, key: `part-${paymentId}-3` })).rejects.toThrow();
      }
    });

    test("refunds nothing that was not paid", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const { id: declined } = await desk.start("declined");
      const { id: open } = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      for (const paymentId of [declined, open, "pi_nobody", "cs_test_nobody"]) {
        const wanted = { key: `refund-${paymentId}`, paymentId, amountInPence: 6000 };
        await expect(gateway.refund(wanted)).rejects.toThrow();
      }
    });

    test("finds nothing that it never made", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      for (const id of ["pi_nobody", "cs_test_nobody", "pay_demo_nobody", "re_nobody", "../refunds", ""]) {
        expect(await gateway.findPayment(id)).toBeUndefined();
        expect(await gateway.findRefund(id)).toBeUndefined();
        expect(await gateway.findRefunded(id)).toBeUndefined();
        expect(await gateway.findPartRefund({ key: id, paymentId: id })).toBeUndefined();
        expect(await gateway.findDispute(id)).toBeUndefined();
        await expect(gateway.cancelPayment(id)).rejects.toThrow();
      }
      await expect(gateway.startPayment({ ...desk.wanted, methodId: "pm_nobody" })).rejects.toThrow();
      expect(await gateway.listPaymentsFor({ orderId: 7, customerId: desk.customerId })).toEqual([]);
    });

    test("reports itself healthy", async () => {
      await using desk = await openDesk();
      expect(await desk.gateway.check()).toEqual({ isWell: true, message: expect.any(String) });
    });

    test("sends signed webhook events, each of which leads to its payment or refund", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const waiting = await desk.start("authentication");
      await desk.authenticate(waiting, true);
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      const refund = await gateway.refund({ key: "refund", paymentId: page.id, amountInPence: 6000 });
      const webhooks = await desk.readWebhooks();
      const results = await Promise.all(
        webhooks.filter(({ kind }) => kind === "payment").map(({ subject }) => gateway.findPayment(subject)),
      );
      expect(new Set(results.map((payment) => payment?.id))).toEqual(new Set([waiting.id, page.id]));
      expect(webhooks).toContainEqual({ id: expect.any(String), kind: "refund", subject: refund.id });
      expect(new Set(webhooks.map(({ id }) => id)).size).toBe(webhooks.length);
    });

    test("refuses a webhook that was altered or made up", async () => {
      await using desk = await openDesk();
      await desk.start();
      const webhooks = await desk.takeWebhooks();
      expect(webhooks.length).toBeGreaterThan(0);
      for (const { body, headers } of webhooks) {
        expect(desk.gateway.readEvents(body, headers)).toHaveLength(1);
        expect(desk.gateway.readEvents(body.replace("id", "Id"), headers)).toBeUndefined();
        expect(desk.gateway.readEvents(`${body} `, headers)).toBeUndefined();
        expect(desk.gateway.readEvents(body, new Headers())).toBeUndefined();
      }
    });

    test("lists all events since a moment, oldest first, delivered or not", async () => {
      await using desk = await openDesk();
      const { gateway, clock } = desk;
      const since = clock();
      const first = await desk.start();
      clock.advance(10 * SECOND_IN_MS);
      const later = clock();
      const refund = await gateway.refund({ key: "refund", paymentId: first.id, amountInPence: 6000 });
      const delivered = await desk.readWebhooks();
      const listed = await gateway.listEventsSince(since);
      const ours = (webhooks: WebhookEvent[]) => webhooks.filter(({ kind }) => kind !== "other");
      expect(listed.map(({ subject }) => subject)).toEqual([...new Set([first.id, refund.id])]);
      expect(ours(delivered)).toEqual(expect.arrayContaining(listed));
      expect(await gateway.listEventsSince(later)).toEqual([
        { id: expect.any(String), kind: "refund", subject: refund.id },
      ]);
      clock.advance(10 * SECOND_IN_MS);
      expect(await gateway.listEventsSince(clock())).toEqual([]);
    });
  });
}

async function openDemo(): Promise<CardPlace> {
  const database = await openTestDatabase("sqlite");
  const clock = createTestClock();
  const pageUrl = (path: string) => `http://dormouse.test/${path}`;
  const { store, cardGateway, pages } = createDemo({ db: database.db, clock, secret: "a secret", pageUrl });
  const toCard = (card: TestCard) => ({ number: cardNumbers[card], expiry: "12/34", cvc: "123" });
  return {
    gateway: cardGateway,
    clock,
    async makeMethod(card) {
      const made = await pages.makeMethod(toCard(card));
      return made.ok ? made.methodId : "";
    },
    authenticate: ({ id }, isComplete) => pages.authenticate(id, isComplete),
    payOnPage: ({ id }, card) => pages.payCardPage(id, toCard(card)),
    async takeWebhooks() {
      const due = await listEvents(store);
      return due.map(({ body }) => ({ body, headers: new Headers(signDemoWebhook("a secret", body)) }));
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function openStripe(): Promise<CardPlace> {
  const clock = createTestClock();
  const fake = await startStripeFake({ clock });
  const payer = createStripePayer(fake);
  return {
    gateway: createStripe({ ...fake.keys, apiBase: fake.url, clock }),
    clock,
    makeMethod: (card) => payer.makeMethod(cardNumbers[card]),
    authenticate: ({ actionUrl = "" }, isComplete) => payer.authenticate(actionUrl, isComplete),
    payOnPage: ({ actionUrl = "" }, card) => payer.payOnPage(actionUrl, cardNumbers[card]),
    takeWebhooks: async () => fake.takeWebhooks().map(({ body, headers }) => ({ body, headers: new Headers(headers) })),
    [Symbol.asyncDispose]: () => fake.stop(),
  };
}

const places: Record<string, () => Promise<CardPlace>> = { demo: openDemo, stripe: openStripe };
for (const [kind, openPlace] of Object.entries(places)) describeCardGateway(kind, openPlace);

test("every card gateway that a setting can choose keeps this contract", () => {
  expect(cardGateways.filter(({ kind }) => !places[kind])).toEqual([]);
});
