import type { Queries } from "../database/database.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { GatewayRefund } from "./card-gateway.ts";
import type { Order } from "./order-rows.ts";
import type { RefundCause, SettlementRooms } from "./settlement.ts";

/** The way of money back: decided once, asked for until the gateway has done it. */
export type Refunds = {
  /** Decides, as part of a transaction, that what an order's attempts took goes back. */
  giveBack(order: Order, cause: RefundCause, trx: Queries): Promise<void>;
  /** Sends back the money of an attempt that is to be refunded. Throws when the gateway cannot be asked. */
  refund(attempt: Attempt): Promise<void>;
  noteRefund(refund: GatewayRefund): Promise<void>;
  /** Tries at once; what fails now is tried again by the reconciling task. */
  refundAll(orderId: number): Promise<void>;
};

export function createRefunds({ db, gateway, orders, attempts, letters, log, reach }: SettlementRooms): Refunds {
  return { giveBack, refund, noteRefund, refundAll };

  async function giveBack(order: Order, cause: RefundCause, trx: Queries): Promise<void> {
    await orders.advance(order.id, "impossible", trx);
    for (const attempt of await attempts.listOfOrder(order.id, trx)) {
      if (await attempts.advance(attempt.id, { event: "refund-wanted" }, trx)) {
        await letters.refund({ order, attempt, cause }, trx);
      }
    }
  }

  async function refund(attempt: Attempt): Promise<void> {
    const begun = attempt.refundId && (await gateway.findRefund(attempt.refundId));
    if (begun) return noteRefund(begun);
    const payment = attempt.gatewayId && (await gateway.findPayment(attempt.gatewayId));
    if (!payment) throw new Error("A payment that is to be refunded is not known to the gateway");
    const made = await gateway.refund({
      key: `refund-${payment.id}`,
      paymentId: payment.id,
      amountInPence: payment.amountInPence,
    });
    reach("refund-asked");
    await noteRefund(made);
    reach("refund-noted");
  }

  async function noteRefund({ id, paymentId, state }: GatewayRefund): Promise<void> {
    const attempt = await attempts.findByGatewayId(paymentId);
    if (!attempt) return;
    await attempts.noteRefund(attempt.id, id);
    if (state === "pending") return;
    const event = state === "succeeded" ? "refunded" : "refund-failed";
    if (state === "failed") log.error({ order: attempt.orderId, payment: attempt.id }, "a refund has failed");
    await db.transaction().execute(async (trx) => {
      if (await attempts.advance(attempt.id, { event }, trx)) await orders.advance(attempt.orderId, event, trx);
    });
  }

  async function refundAll(orderId: number): Promise<void> {
    for (const attempt of await attempts.listOfOrder(orderId)) {
      if (attempt.state === "refunding") await refund(attempt).catch(() => undefined);
    }
  }
}
