import type { Queries } from "../database/database.ts";
import { plans } from "../membership/plans.ts";
import { isLive, type Attempt } from "./attempt-rows.ts";
import type { Attempts } from "./attempts.ts";
import type { CardGateway, GatewayPayment } from "./card-gateway.ts";
import type { PaymentWish } from "./checkout.ts";
import type { Order } from "./order-rows.ts";
import type { Orders } from "./orders.ts";
import type { ReachPoint } from "./saga-points.ts";
import type { Settlement } from "./settlement.ts";

type ChargingRooms = {
  db: Queries;
  gateway: CardGateway;
  orders: Orders;
  attempts: Attempts;
  settlement: Settlement;
  reach: ReachPoint;
};

/** Asks the gateway for an attempt's payment. Its keys are the attempt's own: asked twice, it charges once. */
export type Charge = (order: Order, attempt: Attempt, wish: PaymentWish) => Promise<void>;

export function createCharge({ db, gateway, orders, attempts, settlement, reach }: ChargingRooms): Charge {
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
    } catch {
      // No answer is not a refusal (C19): perhaps the gateway has it.
      if (!(await failUnasked(attempt))) await settlement.look(attempt.id).catch(() => undefined);
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
}

function ask(
  gateway: CardGateway,
  { order, attempt, wish }: { order: Order; attempt: Attempt; wish: PaymentWish & { customerId: string } },
): Promise<GatewayPayment> {
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
