import { after, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { plans } from "../membership/plans.ts";
import { isLive, type Attempt } from "./attempt-rows.ts";
import { type Attempts } from "./attempts.ts";
import type { CardGateway, Decline, GatewayPayment } from "./card-gateway.ts";
import type { NewOrder, Order } from "./order-rows.ts";
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
  /** Gives up what is not paid yet. `paid`: the money is here. `unknown`: the gateway did not say, or it is being charged now. */
  giveUp(draftId: number): Promise<GivingUp>;
  giveUpOrder(orderId: number): Promise<GivingUp>;
};

export type GivingUp = "given-up" | "paid" | "unknown";

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
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
  reach: ReachPoint;
};

export function createCheckout({ db, clock, gateway, orders, attempts, settlement, reach }: CheckoutRooms): Checkout {
  return {
    async pay(wish) {
      const order = await open(wish.order);
      reach("order-opened");
      // Paid in another tab, or before a crash: there is nothing left to charge for.
      if (!isOpen(order)) await settlement.complete(order.id);
      if (!isOpen(order) || !isFor(wish.order, order)) return answer(order.id);

      const before = await findLive(order.id);
      if (before && isSameWish(before)) return charge(order, before, wish);
      if (before && (await stop(before)) !== "stopped") return answer(order.id);
      // Where another tab was faster its attempt is this one.
      const attempt = (await begin(order, wish)) ?? (await findLive(order.id));
      return attempt ? charge(order, attempt, wish) : answer(order.id);
    },

    giveUp,
    giveUpOrder,
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
    return isOther && (await giveUpOrder(opened.id)) === "given-up" ? attemptToOpen() : opened;
  }

  async function giveUp(draftId: number): Promise<GivingUp> {
    const drafted = await orders.listOfDraft(draftId);
    const opened = drafted.find(isOpen);
    if (opened) return giveUpOrder(opened.id);
    return drafted.some(({ state }) => state !== "cancelled") ? "paid" : "given-up";
  }

  async function giveUpOrder(orderId: number): Promise<GivingUp> {
    const live = await findLive(orderId);
    const stopped = live ? await stop(live) : "stopped";
    if (stopped !== "stopped") return stopped;
    return (await close(orderId)) ? "given-up" : "unknown";
  }

  async function findLive(orderId: number): Promise<Attempt | undefined> {
    return (await attempts.listOfOrder(orderId)).find(isLive);
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

  /** Asks the gateway for the attempt's payment. Its keys are the attempt's own: asked twice, it charges once. */
  async function charge(order: Order, attempt: Attempt, wish: PaymentWish): Promise<CheckoutResult> {
    try {
      const customerId = order.customerId ?? (await createCustomer(order));
      const current = await attempts.find(attempt.id);
      // Another press may have known it to have failed while this one's customer was made.
      if (!current || !isLive(current)) return answer(order.id);
      const payment = await ask(order, attempt, { ...wish, customerId });
      reach("payment-asked");
      await settlement.note(attempt.id, payment);
      reach("payment-noted");
    } catch {
      // No answer is not a refusal (C19): perhaps the gateway has it.
      if (!(await failUnasked(attempt))) await settlement.look(attempt.id).catch(() => undefined);
    }
    return answer(order.id);
  }

  /** Before an order's customer is noted nobody asks for a payment, so this one is known to have failed. */
  function failUnasked({ id, orderId }: Attempt): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const order = await orders.lock(orderId, "awaiting-payment", trx);
      if (!order || order.customerId) return false;
      return attempts.advance(id, { event: "declined", facts: { decline: "gateway-unavailable" } }, trx);
    });
  }

  async function createCustomer(order: Order): Promise<string> {
    const { email, firstName, lastName, postcode } = order;
    const { customerId } = await gateway.createCustomer({
      key: `order-${order.id}-customer`,
      email,
      name: `${firstName} ${lastName}`,
      postcode,
      country: "GB",
    });
    reach("customer-created");
    await orders.noteCustomer(order.id, customerId);
    reach("customer-noted");
    return customerId;
  }

  function ask(order: Order, attempt: Attempt, wish: PaymentWish & { customerId: string }): Promise<GatewayPayment> {
    const common = {
      key: `order-${order.id}-attempt-${attempt.number}`,
      customerId: wish.customerId,
      orderId: order.id,
      attempt: attempt.number,
      amountInPence: attempt.amountInPence,
      currency: "GBP" as const,
      description: `${wish.productName}, ${plans[order.planType].months} months`,
      email: order.email,
      returnUrl: wish.returnUrl,
    };
    return attempt.methodId === undefined
      ? gateway.startHostedPayment({ ...common, cancelUrl: wish.cancelUrl })
      : gateway.startPayment({ ...common, methodId: attempt.methodId });
  }

  /** Makes sure that a live attempt takes no money any more. */
  async function stop(attempt: Attempt): Promise<"stopped" | "paid" | "unknown"> {
    try {
      await settlement.look(attempt.id);
      const looked = await attempts.find(attempt.id);
      if (looked?.gatewayId && isLive(looked)) {
        await settlement.note(attempt.id, await gateway.cancelPayment(looked.gatewayId));
      }
    } catch {
      return "unknown";
    }
    const now = await attempts.find(attempt.id);
    if (!now || isLive(now)) return "unknown";
    return now.state === "failed" || now.state === "cancelled" ? "stopped" : "paid";
  }

  /** Closes an order that nothing is being charged for. It is held first: no attempt can begin in between. */
  function close(orderId: number): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const held = await orders.lock(orderId, "awaiting-payment", trx);
      if (!held || (await attempts.isAnyLive(orderId, trx))) return false;
      return orders.advance(orderId, "given-up", trx);
    });
  }

  /** How paying for an order stands, by its last attempt. */
  async function answer(orderId: number): Promise<CheckoutResult> {
    const order = await orders.find(orderId);
    if (order?.state === "completed") return { state: "paid" };
    const last = (await attempts.listOfOrder(orderId)).at(-1);
    if (order?.state === "cancelled" && !last) return { state: "declined", decline: "cancelled" };
    const canBePaid = order?.state === "awaiting-payment" || order?.state === "cancelled";
    if (!last || !canBePaid) return { state: "checking" };
    if (last.state === "authenticating" && last.actionUrl) return { state: "continue", url: last.actionUrl };
    if (last.state !== "failed" && last.state !== "cancelled") return { state: "checking" };
    return { state: "declined", decline: last.decline ?? "cancelled" };
  }
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
