import { createHash } from "node:crypto";

import { after } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Log } from "../log.ts";
import { plans, PRODUCT_ID } from "../membership/plans.ts";
import { isLive, type Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import { PaymentNotMadeError, type CardGateway, type GatewayPayment, type NewCustomer } from "./card-gateway.ts";
import type { PaymentWish } from "./checkout.ts";
import { toFaultFacts } from "./gateway-faults.ts";
import type { Order } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import { ABANDONED_AFTER_IN_MS } from "./reconciling.ts";
import type { ReachPoint } from "./saga-points.ts";
import type { Settlement } from "./settlement.ts";

type ChargingRooms = {
  db: Queries;
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
  log: Log;
  reach: ReachPoint;
};

/** Asks the gateway for an attempt's payment. Its keys are the attempt's own: asked twice, it charges once. */
export type Charge = (order: Order, attempt: Attempt, wish: PaymentWish) => Promise<void>;

export function createCharge({ db, gateway, orders, attempts, settlement, log, reach }: ChargingRooms): Charge {
  return charge;

  async function charge(order: Order, attempt: Attempt, wish: PaymentWish): Promise<void> {
    try {
      const customerId = order.customerId ?? (await createCustomer(order));
      const current = await attempts.find(attempt.id);
      // Another press may have known it to have failed while this one's customer was made.
      if (!current || !isLive(current)) return;
      const payment = await ask(gateway, { order, attempt, wish: { ...wish, customerId } });
      reach("payment-asked");
      await settlement.note(attempt.id, payment);
      reach("payment-noted");
    } catch (error) {
      const isUnmade = error instanceof PaymentNotMadeError;
      const facts = toFaultFacts(isUnmade ? error.cause : error);
      log.warn({ order: order.id, payment: attempt.id, ...facts }, "a payment could not be asked for");
      if ((await failUnasked(attempt)) || (isUnmade && (await attempts.failUnmade(attempt)))) return;
      // No answer is not a refusal (C19): perhaps the gateway has it.
      await settlement.look(attempt.id).catch(() => undefined);
    }
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
    const details = { email, name: `${firstName} ${lastName}`, postcode, country: "GB" };
    const { customerId } = await gateway.createCustomer({ key: customerKey(order.id, details), ...details });
    reach("customer-created");
    const noted = await orders.noteCustomer(order.id, customerId);
    reach("customer-noted");
    return noted;
  }
}

/** Gateways refuse a key that comes again with other details, which another tab may have changed: so it follows from them. */
function customerKey(orderId: number, details: Omit<NewCustomer, "key">): string {
  const digest = createHash("sha256").update(JSON.stringify(details)).digest("hex");
  return `order-${orderId}-customer-${digest.slice(0, 32)}`;
}

function ask(
  gateway: CardGateway,
  { order, attempt, wish }: { order: Order; attempt: Attempt; wish: PaymentWish & { customerId: string } },
): Promise<GatewayPayment> {
  const { periodText, variationId } = plans[order.planType];
  const common = {
    // Another house at the same gateway, or this one before a restored backup, has the same numbers, and other customers.
    key: `order-${order.id}-attempt-${attempt.number}-${wish.customerId}`,
    customerId: wish.customerId,
    orderId: order.id,
    attempt: attempt.number,
    productId: PRODUCT_ID,
    variationId,
    amountInPence: attempt.amountInPence,
    currency: "GBP" as const,
    description: `${wish.productName}, ${periodText}`,
    email: order.email,
    returnUrl: wish.returnUrl,
  };
  return attempt.methodId === undefined
    ? gateway.startHostedPayment({
        ...common,
        cancelUrl: wish.cancelUrl,
        expiresAt: after(attempt.createdAt, ABANDONED_AFTER_IN_MS),
      })
    : gateway.startPayment({ ...common, methodId: attempt.methodId });
}
