import type { Queries } from "../database/database.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { GatewayPayment, GatewayRefund } from "./card-gateway.ts";
import type { Order } from "./order-rows.ts";
import type { RefundCause, SettlementRooms } from "./settlement.ts";

/** The way of money back: decided once, asked for until the gateway has done it. */
export type Refunds = {
  /** Decides, as part of a transaction, that what an order's attempts took goes back. */
  giveBack(order: Order, cause: RefundCause, trx: Queries): Promise<void>;
  /**
   * Sends back the money of an attempt that is to be refunded, as far as nobody did it by hand; where that has failed, only looks
   * whether somebody did. Throws when the gateway cannot be asked.
   */
  refund(attempt: Attempt): Promise<void>;
  /** Takes in a refund that the gateway tells of; parts of the money settle nothing until all of it is back. */
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
    const back = await gateway.findRefunded(payment.id);
    if (back && isWhole(back, payment)) return take(attempt, back);
    if (attempt.state === "refund-failed") return;
    const begun = attempt.refundId && (await gateway.findRefund(attempt.refundId));
    if (begun && begun.state === "failed") return take(attempt, begun);
    const rest = payment.amountInPence - (back?.amountInPence ?? 0);
    const key = back ? `refund-${payment.id}-${rest}` : `refund-${payment.id}`;
    const made = await gateway.refund({ key, paymentId: payment.id, amountInPence: rest });
    reach("refund-asked");
    // All is back when the slowest part is.
    const state = back && made.state === "succeeded" ? back.state : made.state;
    if (made.amountInPence >= rest) await take(attempt, { ...made, state });
    reach("refund-noted");
  }

  async function noteRefund(told: GatewayRefund): Promise<void> {
    const attempt = await attempts.findByGatewayId(told.paymentId);
    const payment = attempt && (await gateway.findPayment(told.paymentId));
    if (!payment) return;
    const back = await gateway.findRefunded(payment.id);
    if (back && isWhole(back, payment)) return take(attempt, back);
    // While the rest is still to be asked for, somebody's part that fails is asked for with it.
    const isOurs = told.id === attempt.refundId || isWhole(told, payment);
    if (told.state === "failed" && (isOurs || attempt.state === "refunded")) await take(attempt, told);
  }

  /** Takes in how the refund of an attempt stands. */
  async function take(attempt: Attempt, told: GatewayRefund): Promise<void> {
    const { id, orderId } = attempt;
    const event = refundEvents[told.state];
    const isLast = await db.transaction().execute(async (trx) => {
      const isNoted = await attempts.noteRefund(attempt, told, trx);
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
  return refund.amountInPence >= payment.amountInPence;
}
