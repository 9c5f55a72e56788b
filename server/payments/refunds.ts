import type { Queries } from "../database/database.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { GatewayPayment, GatewayRefund } from "./card-gateway.ts";
import type { Order } from "./order-rows.ts";
import type { RefundCause, SettlementRooms } from "./settlement.ts";

/** The way of money back: decided once, asked for until the gateway has done it. */
export type Refunds = {
  /** Decides, as part of a transaction, that what an order's attempts took goes back. */
  giveBack(order: Order, cause: RefundCause, trx: Queries): Promise<void>;
  /** Sends back the money of an attempt that is to be refunded. Throws when the gateway cannot be asked. */
  refund(attempt: Attempt): Promise<void>;
  /** Takes in a refund that the gateway tells of; one of a part of the money is none of ours. */
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
    const payment = attempt.gatewayId && (await gateway.findPayment(attempt.gatewayId));
    if (!payment) throw new Error("A payment that is to be refunded is not known to the gateway");
    const begun = attempt.refundId && (await gateway.findRefund(attempt.refundId));
    if (begun && isWhole(begun, payment)) return take(attempt, begun);
    const made = await gateway.refund({
      key: `refund-${payment.id}`,
      paymentId: payment.id,
      amountInPence: payment.amountInPence,
    });
    reach("refund-asked");
    if (isWhole(made, payment)) await take(attempt, made);
    reach("refund-noted");
  }

  async function noteRefund(told: GatewayRefund): Promise<void> {
    const attempt = await attempts.findByGatewayId(told.paymentId);
    const payment = attempt && (await gateway.findPayment(told.paymentId));
    if (payment && isWhole(told, payment)) await take(attempt, told);
  }

  /** Takes in how the refund of an attempt stands. */
  async function take({ id, orderId }: Attempt, told: GatewayRefund): Promise<void> {
    const event = refundEvents[told.state];
    const isLast = await db.transaction().execute(async (trx) => {
      const isNoted = await attempts.noteRefund(id, told, trx);
      if (isNoted && event && (await attempts.advance(id, { event }, trx))) await orders.advance(orderId, event, trx);
      return isNoted;
    });
    if (isLast && told.state === "failed") log.error({ order: orderId, payment: id }, "a refund has failed");
  }

  async function refundAll(orderId: number): Promise<void> {
    for (const attempt of await attempts.listOfOrder(orderId)) {
      if (attempt.state === "refunding") await refund(attempt).catch(() => undefined);
    }
  }
}

const refundEvents = { pending: undefined, succeeded: "refunded", failed: "refund-failed" } as const;

/** A part that somebody paid back by hand, as a kindness, does not settle what is owed; what came is not always what was asked for. */
function isWhole(refund: GatewayRefund, payment: GatewayPayment): boolean {
  return refund.amountInPence === payment.amountInPence;
}
