import { after, MINUTE_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway, GatewayPayment } from "./card-gateway.ts";
import type { Order } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import { toEvent } from "./payment-states.ts";
import { createRefunds, type Refunds } from "./refunds.ts";
import type { ReachPoint } from "./saga-points.ts";

/**
 * What follows from how a payment stands at the gateway. The same few functions serve the page that pays, the page one returns to,
 * the gateway's notices and the reconciling task; each step is a conditional update, so it is taken once, whoever comes first.
 */
export type Settlement = {
  /** Takes in what the gateway said of an attempt's payment, and finishes what follows from it. */
  note(attemptId: number, payment: GatewayPayment): Promise<void>;
  /** Asks the gateway how a live attempt stands. Throws when it cannot be asked. */
  look(attemptId: number): Promise<void>;
  /** A paid order becomes a membership, or its money goes back. */
  complete(orderId: number): Promise<void>;
} & Pick<Refunds, "refund" | "noteRefund">;

/**
 * Makes of a paid order what was paid for, inside the transaction that claims it; or says why that is impossible.
 * The sign-up room knows how.
 */
export type Fulfil = (order: Order, trx: Queries) => Promise<Fulfilment>;

export type Fulfilment =
  /** `receiptNumber`: where the receipt is somebody else's. */
  | { ok: true; memberId: number; startsAt: Date; endsAt: Date; receiptNumber?: string }
  | { ok: false; reason: FulfilmentRefusal }
  /** A company's code gave out; with the sentence for the visitor. Nobody has paid, so nothing is given back. */
  | { ok: false; reason: "code-refused"; message: string };

/** Somebody else has the address by now; the account, or the whole sign-up, is gone; or it is completed already. */
export type FulfilmentRefusal = "email-registered" | "member-gone" | "sign-up-gone" | "already-completed";

/** Why money goes back. */
export type RefundCause = FulfilmentRefusal | "paid-twice" | "wrong-amount";

/** The letters about money. They are written in the transaction of their cause. */
export type PaymentLetters = {
  receipt(order: Order, trx: Queries): Promise<void>;
  refund(refund: { order: Order; attempt: Attempt; cause: RefundCause }, trx: Queries): Promise<void>;
};

/** After so long a payment that the gateway does not list was never asked for: calls give up far earlier. */
const LOST_AFTER_IN_MS = 2 * MINUTE_IN_MS;

export type SettlementRooms = {
  db: Queries;
  clock: Clock;
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  fulfil: Fulfil;
  letters: PaymentLetters;
  log: Log;
  reach: ReachPoint;
};

export function createSettlement(rooms: SettlementRooms): Settlement {
  const { db, clock, gateway, orders, attempts, fulfil, letters, log, reach } = rooms;
  const refunds = createRefunds(rooms);
  return { ...refunds, note, look, complete };

  async function look(attemptId: number): Promise<void> {
    const attempt = await attempts.find(attemptId);
    if (!attempt) return;
    const payment = attempt.gatewayId
      ? await gateway.findPayment(attempt.gatewayId)
      : await findUnnoted(attempt, rooms);
    if (payment) return note(attemptId, payment);
    if (attempt.gatewayId || clock() < after(attempt.createdAt, LOST_AFTER_IN_MS)) return;
    await attempts.advance(attemptId, { event: "declined", facts: { decline: "gateway-unavailable" } }, db);
  }

  async function note(attemptId: number, payment: GatewayPayment): Promise<void> {
    const attempt = await claim(attemptId, payment, rooms);
    if (!attempt) return;
    if (payment.state === "succeeded") return noteSuccess(attempt, payment);
    const { actionUrl, decline } = payment;
    const didFail = await attempts.advance(
      attemptId,
      { event: toEvent(payment.state), facts: { actionUrl, decline } },
      db,
    );
    // A declined payment stays open at the gateway; it must not take money behind our back.
    if (!didFail || payment.state !== "requires-method") return;
    const closed = await gateway.cancelPayment(payment.id).catch(() => undefined);
    if (closed?.state === "succeeded") await noteSuccess(attempt, closed);
  }

  /** The money is here: for its order, or, if that is paid already or the sum is not the one asked for, to be sent back. */
  async function noteSuccess(attempt: Attempt, payment: GatewayPayment): Promise<void> {
    const order = await orders.find(attempt.orderId);
    if (!order) return;
    const isRight = payment.amountInPence === attempt.amountInPence && payment.currency === "GBP";
    if (!isRight) log.error({ order: order.id, payment: attempt.id }, "a payment is not what was asked for");
    await db.transaction().execute(async (trx) => {
      if (!(await attempts.advance(attempt.id, { event: "succeeded" }, trx))) return;
      if (isRight && (await orders.advance(order.id, "paid", trx))) return;
      await attempts.advance(attempt.id, { event: "refund-wanted" }, trx);
      const taken = { ...attempt, amountInPence: payment.amountInPence };
      await letters.refund({ order, attempt: taken, cause: isRight ? "paid-twice" : "wrong-amount" }, trx);
    });
    reach("order-paid");
    await complete(order.id);
  }

  async function complete(orderId: number): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const order = await orders.lock(orderId, "paid", trx);
      if (!order) return;
      const fulfilment = await fulfil(order, trx);
      if (!fulfilment.ok) {
        // Only orders without a payment have a code.
        return refunds.giveBack(order, fulfilment.reason === "code-refused" ? "sign-up-gone" : fulfilment.reason, trx);
      }
      await orders.advance(orderId, "completed", trx);
      const completed = await orders.noteCompletion(orderId, fulfilment, trx);
      await letters.receipt(completed, trx);
      reach("order-completing");
    });
    reach("order-completed");
    await refunds.refundAll(orderId);
  }
}

/** The payment of an attempt whose answer was lost. Another house at the same gateway may have the same numbers, not our customer. */
async function findUnnoted(
  { orderId, number }: Attempt,
  { gateway, orders }: SettlementRooms,
): Promise<GatewayPayment | undefined> {
  const order = await orders.find(orderId);
  // Nobody asks for a payment before the order's customer is noted.
  if (!order?.customerId) return undefined;
  const listed = await gateway.listPaymentsOf({ orderId, customerId: order.customerId });
  return listed.find((each) => each.attempt === number && each.customerId === order.customerId);
}

/** The attempt that a payment is of; its first payment is its only one, and it is our customer's. */
async function claim(
  attemptId: number,
  payment: GatewayPayment,
  { orders, attempts, log }: SettlementRooms,
): Promise<Attempt | undefined> {
  const asked = await attempts.find(attemptId);
  const order = asked && (await orders.find(asked.orderId));
  const isOurs = order?.customerId === payment.customerId;
  if (isOurs) await attempts.bind(attemptId, payment.id);
  const attempt = isOurs ? await attempts.find(attemptId) : undefined;
  if (attempt?.gatewayId === payment.id) return attempt;
  log.error({ payment: attemptId, gatewayId: payment.id }, "a payment bears our number and is not ours");
  return undefined;
}
