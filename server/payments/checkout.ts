import { after, SECOND_IN_MS, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import { plans } from "../membership/plans.ts";
import { isLive, type Attempt, type Attempts } from "./attempts.ts";
import type { CardGateway, Decline, GatewayPayment } from "./card-gateway.ts";
import type { NewOrder, Order, Orders } from "./orders.ts";
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
  giveUp(draftId: number): Promise<"given-up" | "paid" | "unknown">;
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
  /** Not known yet. */
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
      const order = await db.transaction().execute(async (trx) => {
        const opened = await orders.open(wish.order, trx);
        reach("order-opening");
        return opened;
      });
      reach("order-opened");

      const before = await findLive(order.id);
      const isRepeat = before && (await isSameWish(before));
      if (isRepeat) return charge(order, before, wish);
      if (before && (await stop(before)) !== "stopped") return answer(before.id);

      const attempt = await begin(order, wish);
      if (attempt) return charge(order, attempt, wish);
      // Another tab was faster: its attempt is this one.
      const rival = await findLive(order.id);
      return rival ? charge(order, rival, wish) : answerOrder(order.id);
    },

    async giveUp(draftId) {
      const drafted = await orders.listOfDraft(draftId);
      const open = drafted.find(({ state }) => state === "awaiting-payment");
      if (!open) return drafted.some(({ state }) => state !== "cancelled") ? "paid" : "given-up";
      const live = await findLive(open.id);
      const stopped = live ? await stop(live) : "stopped";
      if (stopped !== "stopped") return stopped;
      return (await close(open.id)) ? "given-up" : "unknown";
    },
  };

  async function findLive(orderId: number): Promise<Attempt | undefined> {
    return (await attempts.listOfOrder(orderId)).find(isLive);
  }

  /** Pressed twice, or in two tabs, while the first press is on its way; later a press means "another card". */
  async function isSameWish(attempt: Attempt): Promise<boolean> {
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
    let customerId: string;
    try {
      customerId = order.customerId ?? (await createCustomer(order));
    } catch {
      // Without a customer no payment was asked for, so this one is known to have failed.
      await attempts.advance(attempt.id, { event: "declined", facts: { decline: "gateway-unavailable" } }, db);
      return answer(attempt.id);
    }
    try {
      const payment = await ask(order, { ...attempt }, { ...wish, customerId });
      reach("payment-asked");
      await settlement.note(attempt.id, payment);
      reach("payment-noted");
    } catch {
      // No answer is not a refusal (C19): perhaps the gateway has it.
      await settlement.look(attempt.id).catch(() => undefined);
    }
    return answer(attempt.id);
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
      const isOpen = await orders.lock(orderId, "awaiting-payment", trx);
      if (!isOpen || (await attempts.isAnyLive(orderId, trx))) return false;
      return orders.advance(orderId, "given-up", trx);
    });
  }

  async function answer(attemptId: number): Promise<CheckoutResult> {
    const attempt = await attempts.find(attemptId);
    if (!attempt) throw new Error("An attempt has disappeared");
    if (attempt.state === "authenticating" && attempt.actionUrl) return { state: "continue", url: attempt.actionUrl };
    if (isLive(attempt)) return { state: "checking" };
    if (attempt.state === "failed" || attempt.state === "cancelled") {
      return { state: "declined", decline: attempt.decline ?? "cancelled" };
    }
    return { state: "paid" };
  }

  async function answerOrder(orderId: number): Promise<CheckoutResult> {
    const [last] = (await attempts.listOfOrder(orderId)).toReversed();
    return last ? answer(last.id) : { state: "checking" };
  }
}
