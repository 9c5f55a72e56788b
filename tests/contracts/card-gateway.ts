import { describe, expect, test } from "vitest";

import { ada } from "../helpers/card-order.ts";
import { openCardDesk, type CardPlace } from "./card-desk.ts";
import { describeCardWebhooks } from "./card-webhooks.ts";

/** What every card gateway promises. */
export function describeCardGateway(name: string, openPlace: () => Promise<CardPlace>): void {
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

    test("asked again with a key it does nothing again, however many ask at once", async () => {
      await using desk = await openDesk();
      const { gateway, wanted, customerId } = desk;
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
      const { customerId: stranger } = await gateway.createCustomer({ key: "order-9-customer", ...ada });
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
        expect(refund).toEqual({ id: refund.id, paymentId: id, amountInPence: 6000, state: "succeeded" });
        expect(await gateway.refund(wanted)).toEqual(refund);
        expect(await gateway.findRefund(refund.id)).toEqual(refund);
      }
    });

    test("knows how much of a payment is back, in one sum or in parts, and sends back no more than is left", async () => {
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

    test("knows nothing of what it never made", async () => {
      await using desk = await openDesk();
      const { gateway } = desk;
      for (const id of ["pi_nobody", "cs_test_nobody", "pay_demo_nobody", "re_nobody", "../refunds", ""]) {
        expect(await gateway.findPayment(id)).toBeUndefined();
        expect(await gateway.findRefund(id)).toBeUndefined();
        expect(await gateway.findRefunded(id)).toBeUndefined();
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

    describeCardWebhooks(openDesk);
  });
}
