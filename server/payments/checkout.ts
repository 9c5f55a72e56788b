import { after, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { Decline } from "./card-gateway.ts";
import type { Charge } from "./charging.ts";
import type { GivingUp } from "./giving-up.ts";
import { isPaid, type NewOrder, type Order } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import type { ReachPoint } from "./saga-points.ts";
import type { Settlement } from "./settlement.ts";

/**
 * Takes a card payment for a draft. What is bought and each attempt to charge for it are written down before the gateway is asked,
 * so whatever is cut off can be looked up; an order has one live attempt at most, so nothing is charged twice (C1–C6, C13, C19).
 */
export type Checkout = {
  /** Charges the card, or says how to go on. */
  pay(wish: PaymentWish): Promise<CheckoutResult>;
};

export type PaymentWish = {
  order: NewOrder;
  /** Made by card fields in the browser; without one the payer goes to the gateway's own page. */
  methodId: string | undefined;
  returnUrl: string;
  cancelUrl: string;
  productName: string;
};

export type CheckoutResult =
  | { state: "paid" }
  /** Not known yet, or the money goes back: the page looks. */
  | { state: "checking" }
  | { state: "continue"; url: string }
  | { state: "declined"; decline: Decline };

/** So long a second press counts as the first one repeated, and a call to the gateway may still be under way. */
const IN_FLIGHT_IN_MS = 60 * SECOND_IN_MS;

type CheckoutRooms = {
  db: Queries;
  clock: Clock;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
  givingUp: GivingUp;
  charge: Charge;
  reach: ReachPoint;
};

export function createCheckout(rooms: CheckoutRooms): Checkout {
  const { db, clock, orders, attempts, settlement, givingUp, charge, reach } = rooms;
  return {
    async pay(wish) {
      const order = await open(wish.order);
      reach("order-opened");
      // Paid in another tab, or before a crash: there is nothing left to charge for.
      if (!isOpen(order)) await settlement.complete(order.id);
      if (!isOpen(order) || !isFor(wish.order, order)) return answerFor(order.id, rooms);

      const attempt = await findAttempt(order, wish);
      if (attempt) await charge(order, attempt, wish);
      return answerFor(order.id, rooms);
    },
  };

  /** The draft's order. An open one for something else, which another tab has left, is given up first. */
  async function open(wanted: NewOrder): Promise<Order> {
    const attemptToOpen = () =>
      db.transaction().execute(async (trx) => {
        const opened = await orders.open(wanted, trx);
        reach("order-opening");
        return opened;
      });
    const opened = await attemptToOpen();
    const isOther = isOpen(opened) && !isFor(wanted, opened);
    return isOther && (await givingUp.giveUpOrder(opened.id)) === "given-up" ? attemptToOpen() : opened;
  }

  /** The attempt of this press: the live one if it is the same press repeated, else the next. */
  async function findAttempt(order: Order, wish: PaymentWish): Promise<Attempt | undefined> {
    const before = await attempts.findLive(order.id);
    if (before && isSameWish(before)) return repeat(before);
    if (before && (await givingUp.stop(before)) !== "stopped") return undefined;
    // Where another tab was faster its attempt is this one.
    const begun = await begin(order, wish);
    if (begun) return begun;
    const other = await attempts.findLive(order.id);
    return other && repeat(other);
  }

  async function repeat(attempt: Attempt): Promise<Attempt> {
    await attempts.noteRepeat(attempt);
    return attempt;
  }

  /** Pressed twice, or in two tabs, while the first press is on its way; later a press means "another card". */
  function isSameWish(attempt: Attempt): boolean {
    const isYoung = clock() < after(attempt.createdAt, IN_FLIGHT_IN_MS);
    return attempt.state === "processing" || (attempt.state === "started" && isYoung);
  }

  /** The next attempt of an order that is still open. */
  function begin(order: Order, { methodId }: PaymentWish): Promise<Attempt | undefined> {
    return db.transaction().execute(async (trx) => {
      if (!(await orders.lock(order.id, "awaiting-payment", trx))) return undefined;
      return attempts.begin({ orderId: order.id, amountInPence: order.amountInPence, methodId }, trx);
    });
  }
}

/** How paying for an order stands, by its last attempt. */
async function answerFor(orderId: number, { orders, attempts }: CheckoutRooms): Promise<CheckoutResult> {
  const order = await orders.find(orderId);
  if (order?.state === "completed") return { state: "paid" };
  const last = (await attempts.listOfOrder(orderId)).at(-1);
  if (order?.state === "cancelled" && !last) return { state: "declined", decline: "cancelled" };
  if (!last || !order || isPaid(order)) return { state: "checking" };
  if (last.state === "authenticating" && last.actionUrl) return { state: "continue", url: last.actionUrl };
  if (last.state !== "failed" && last.state !== "cancelled") return { state: "checking" };
  return { state: "declined", decline: last.decline ?? "cancelled" };
}

function isOpen({ state }: Order): boolean {
  return state === "awaiting-payment";
}

/** Whether an order is for what is wanted now, by the same person. */
function isFor(wanted: NewOrder, order: Order): boolean {
  const { planType, email, firstName, lastName } = order;
  const isSamePerson = wanted.email === email && wanted.firstName === firstName && wanted.lastName === lastName;
  return isSamePerson && wanted.planType === planType;
}
