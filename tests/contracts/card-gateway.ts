import { describe, expect, test } from "vitest";

import { SECOND_IN_MS } from "../../server/clock.ts";
import type {
  CardGateway,
  GatewayNotice,
  GatewayPayment,
  NewHostedPayment,
  NewPayment,
} from "../../server/payments/card-gateway.ts";
import type { TestClock } from "../helpers/test-clock.ts";

/** A card gateway with its far side: what a browser, a payer and a payer's bank do there. */
export type CardPlace = AsyncDisposable & {
  gateway: CardGateway;
  clock: TestClock;
  makeMethod(card: TestCard): Promise<string>;
  /** What the payer does on their bank's page. */
  authenticate(payment: GatewayPayment, isComplete: boolean): Promise<unknown>;
  /** What the payer does on the gateway's page. */
  payOnPage(payment: GatewayPayment, card: TestCard): Promise<unknown>;
  /** The webhooks that are due, as they would come. */
  takeWebhooks(): Promise<{ body: string; headers: Headers }[]>;
};

export type TestCard = "paid" | "declined" | "poor" | "authentication";

export const cardNumbers: Record<TestCard, string> = {
  paid: "4242424242424242",
  declined: "4000000000000002",
  poor: "4000000000009995",
  authentication: "4000002760003184",
};

/** What every card gateway promises. */
export function describeCardGateway(name: string, openPlace: () => Promise<CardPlace>): void {
  async function openDesk() {
    const place = await openPlace();
    const { gateway, clock } = place;
    const ada = { email: "ada@example.org", name: "Ada Lovell", postcode: "EX1 1AA", country: "GB" };
    const { customerId } = await gateway.createCustomer({ key: "order-7-customer", ...ada });
    const wanted = {
      key: "order-7-attempt-1",
      customerId,
      orderId: 7,
      attempt: 1,
      productId: 117,
      variationId: 120,
      amountInPence: 6000,
      currency: "GBP" as const,
      description: "Dormouse, 12 months",
      email: ada.email,
      returnUrl: "http://dormouse.test/sleep/signup?step=4",
    };
    const start = async (card: TestCard = "paid", changes: Partial<NewPayment> = {}) =>
      gateway.startPayment({ ...wanted, methodId: await place.makeMethod(card), ...changes });
    const startHosted = (changes: Partial<NewHostedPayment> = {}) =>
      gateway.startHostedPayment({
        ...wanted,
        cancelUrl: "http://dormouse.test/sleep/signup?step=3",
        expiresAt: new Date(clock().getTime() + 5_400_000),
        ...changes,
      });
    async function readWebhooks(): Promise<GatewayNotice[]> {
      const webhooks = await place.takeWebhooks();
      return webhooks.flatMap(({ body, headers }) => gateway.readNotices(body, headers) ?? []);
    }
    return {
      ...place,
      ada,
      wanted,
      customerId,
      start,
      startHosted,
      readWebhooks,
      [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    };
  }

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

    test("asked again with a key it does nothing again, however many ask at once", async () => {
      await using desk = await openDesk();
      const { gateway, ada, wanted, customerId } = desk;
      expect(await gateway.createCustomer({ key: "order-7-customer", ...ada })).toEqual({ customerId });
      const methodId = await desk.makeMethod("paid");
      const once = await gateway.startPayment({ ...wanted, methodId });
      const again = await Promise.all([1, 2, 3].map(() => gateway.startPayment({ ...wanted, methodId })));
      expect(new Set([once, ...again].map(({ id }) => id)).size).toBe(1);
      expect(await gateway.listPaymentsOf({ orderId: 7, customerId })).toEqual([once]);
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
      const listed = await gateway.listPaymentsOf({ orderId: 7, customerId });
      expect(listed.map(({ id }) => id).toSorted()).toEqual([fields.id, page.id].toSorted());
      expect(listed.find(({ id }) => id === page.id)).toMatchObject({ state: "succeeded", attempt: 2 });
      const { customerId: stranger } = await gateway.createCustomer({ key: "order-9-customer", ...desk.ada });
      expect(await gateway.listPaymentsOf({ orderId: 7, customerId: stranger })).toEqual([]);
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

    test("sends a payer to their bank, and takes its word", async () => {
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

    test("ends what is not paid; what is paid stays paid", async () => {
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

    test("paying and ending at once: one of the two, and both agree which", async () => {
      await using desk = await openDesk();
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        const page = await desk.startHosted({ key: `order-7-attempt-${attempt}`, attempt });
        const [ended] = await Promise.all([desk.gateway.cancelPayment(page.id), desk.payOnPage(page, "paid")]);
        expect(["cancelled", "succeeded"]).toContain(ended.state);
        expect(await desk.gateway.findPayment(page.id)).toMatchObject({ state: ended.state });
      }
    });

    test("sends money back once for one key, of either page", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const paid = await desk.start();
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      for (const { id } of [paid, page]) {
        const wanted = { key: `refund-${id}`, paymentId: id, amountInPence: 6000 };
        const refund = await gateway.refund(wanted);
        expect(refund).toEqual({ id: refund.id, paymentId: id, state: "succeeded" });
        expect(await gateway.refund(wanted)).toEqual(refund);
        expect(await gateway.findRefund(refund.id)).toEqual(refund);
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

    test("tells of what happens, signed, so that each notice leads to its payment or refund", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      const waiting = await desk.start("authentication");
      await desk.authenticate(waiting, true);
      const page = await desk.startHosted({ key: "order-7-attempt-2", attempt: 2 });
      await desk.payOnPage(page, "paid");
      const refund = await gateway.refund({ key: "refund", paymentId: page.id, amountInPence: 6000 });
      const notices = await desk.readWebhooks();
      const told = await Promise.all(
        notices.filter(({ kind }) => kind === "payment").map(({ subject }) => gateway.findPayment(subject)),
      );
      expect(new Set(told.map((payment) => payment?.id))).toEqual(new Set([waiting.id, page.id]));
      expect(notices).toContainEqual({ id: expect.any(String), kind: "refund", subject: refund.id });
      expect(new Set(notices.map(({ id }) => id)).size).toBe(notices.length);
    });

    test("believes no webhook that somebody has altered or made up", async () => {
      await using desk = await openDesk();
      await desk.start();
      const webhooks = await desk.takeWebhooks();
      expect(webhooks.length).toBeGreaterThan(0);
      for (const { body, headers } of webhooks) {
        expect(desk.gateway.readNotices(body, headers)).toHaveLength(1);
        expect(desk.gateway.readNotices(body.replace("id", "Id"), headers)).toBeUndefined();
        expect(desk.gateway.readNotices(`${body} `, headers)).toBeUndefined();
        expect(desk.gateway.readNotices(body, new Headers())).toBeUndefined();
      }
    });

    test("tells again of everything since a moment, oldest first, delivered or not", async () => {
      await using desk = await openDesk();
      const { gateway, clock } = desk;
      const since = clock();
      const first = await desk.start();
      clock.advance(10 * SECOND_IN_MS);
      const later = clock();
      const refund = await gateway.refund({ key: "refund", paymentId: first.id, amountInPence: 6000 });
      const delivered = await desk.readWebhooks();
      const listed = await gateway.listNoticesSince(since);
      const ours = (notices: GatewayNotice[]) => notices.filter(({ kind }) => kind !== "other");
      expect(listed.map(({ subject }) => subject)).toEqual([...new Set([first.id, refund.id])]);
      expect(ours(delivered)).toEqual(expect.arrayContaining(listed));
      expect(await gateway.listNoticesSince(later)).toEqual([
        { id: expect.any(String), kind: "refund", subject: refund.id },
      ]);
      clock.advance(10 * SECOND_IN_MS);
      expect(await gateway.listNoticesSince(clock())).toEqual([]);
    });

    test("knows nothing of what it never made", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      for (const id of ["pi_nobody", "cs_test_nobody", "pay_demo_nobody", "re_nobody", "../refunds", ""]) {
        expect(await gateway.findPayment(id)).toBeUndefined();
        expect(await gateway.findRefund(id)).toBeUndefined();
        expect(await gateway.findDispute(id)).toBeUndefined();
        await expect(gateway.cancelPayment(id)).rejects.toThrow();
      }
      await expect(gateway.startPayment({ ...desk.wanted, methodId: "pm_nobody" })).rejects.toThrow();
      expect(await gateway.listPaymentsOf({ orderId: 7, customerId: desk.customerId })).toEqual([]);
    });

    test("says that it is well when it is", async () => {
      await using desk = await openDesk();
      expect(await desk.gateway.check()).toEqual({ isWell: true, says: expect.any(String) });
    });
  });
}
