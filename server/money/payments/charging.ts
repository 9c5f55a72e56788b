import { createHash } from "node:crypto";
import { z } from "zod";

import { after, MINUTE_IN_MS } from "../../platform/clock.ts";
import { plans, PRODUCT_ID } from "../membership/plans.ts";
import { advanceAttempt, failUnmade, findAttempt, isLive, type Attempt } from "./attempts.ts";
import { PaymentNotMadeError, type CardCharges, type GatewayPayment, type NewCustomer } from "./card-gateway.ts";
import { transact, type PaymentsContext } from "./context.ts";
import { lockOrder, noteCustomer, type NewOrder, type Order } from "./orders.ts";
import { lookUpPayment, notePayment } from "./settlement.ts";

export type CheckoutRequest = {
  order: NewOrder;
  methodId: string | undefined;
  returnUrl: string;
  cancelUrl: string;
  productName: string;
};

type Charge = { order: Order; attempt: Attempt; request: CheckoutRequest };

/** An abandoned bank page is closed, and the payment with it (GOV.UK Pay takes 90 minutes). */
export const ABANDONED_AFTER_IN_MS = 90 * MINUTE_IN_MS;
/** A payment is open until it is closed as abandoned; its page lives a little longer. */
export const PAYING_LIFE_IN_MS = ABANDONED_AFTER_IN_MS + 30 * MINUTE_IN_MS;

/** Its keys derive from the attempt: for a repeat, the gateway charges once. */
export async function charge(ctx: PaymentsContext, { order, attempt, request }: Charge): Promise<void> {
  try {
    const customerId = order.customerId ?? (await addCustomer(ctx, order));
    const current = await findAttempt(ctx, attempt.id);
    // Another request may have failed it while this one created its customer.
    if (!current || !isLive(current)) return;
    const payment = await askForPayment(ctx.gateway, { order, attempt, request: { ...request, customerId } });
    ctx.reach("payment-requested");
    await notePayment(ctx, attempt.id, payment);
    ctx.reach("payment-noted");
  } catch (error) {
    const isUnmade = error instanceof PaymentNotMadeError;
    const facts = toFaultFacts(isUnmade ? error.cause : error);
    ctx.log.warn({ order: order.id, payment: attempt.id, ...facts }, "a payment could not be requested");
    if ((await failUnstarted(ctx, attempt)) || (isUnmade && (await failUnmade(ctx, attempt)))) return;
    // No answer is not a refusal (C19): the gateway may have made the payment.
    await lookUpPayment(ctx, attempt.id).catch(() => undefined);
  }
}

/** Every payment request follows the storing of the order's customer, so without a customer the payment has failed. */
function failUnstarted(ctx: PaymentsContext, { id, orderId }: Attempt): Promise<boolean> {
  return transact(ctx, async (trx) => {
    const order = await lockOrder(trx, orderId, "awaiting-payment");
    if (!order || order.customerId) return false;
    return advanceAttempt(trx, id, { event: "declined", facts: { decline: "gateway-unavailable" } });
  });
}

async function addCustomer(ctx: PaymentsContext, order: Order): Promise<string> {
  const { email, firstName, lastName, postcode } = order;
  const details = { email, name: `${firstName} ${lastName}`.trim(), postcode, country: "GB" };
  const { customerId } = await ctx.gateway.createCustomer({ key: customerKey(order.id, details), ...details });
  ctx.reach("customer-created");
  const noted = await noteCustomer(ctx, order.id, customerId);
  ctx.reach("customer-noted");
  return noted;
}

/** Gateways refuse a repeated key with other details, which another tab may have changed, so the key includes them. */
function customerKey(orderId: number, details: Omit<NewCustomer, "key">): string {
  const digest = createHash("sha256").update(JSON.stringify(details)).digest("hex");
  return `order-${orderId}-customer-${digest.slice(0, 32)}`;
}

function askForPayment(
  gateway: CardCharges,
  { order, attempt, request }: Charge & { request: { customerId: string } },
): Promise<GatewayPayment> {
  const { periodText, variationId } = plans[order.planType];
  const common = {
    // Another installation at the same gateway, or this one before a restored backup, has the same numbers but other
    // customers.
    key: `order-${order.id}-attempt-${attempt.number}-${request.customerId}`,
    customerId: request.customerId,
    orderId: order.id,
    attempt: attempt.number,
    productId: PRODUCT_ID,
    variationId,
    amountInPence: attempt.amountInPence,
    currency: "GBP" as const,
    description: `${request.productName}, ${periodText}`,
    email: order.email,
    returnUrl: request.returnUrl,
  };
  return attempt.methodId === undefined
    ? gateway.startHostedPayment({
        ...common,
        cancelUrl: request.cancelUrl,
        expiresAt: after(attempt.createdAt, ABANDONED_AFTER_IN_MS),
      })
    : gateway.startPayment({ ...common, methodId: attempt.methodId });
}

const fault = z.object({
  type: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  statusCode: z.int().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/** For the log, without the message: it may quote the request with the payer's address. */
function toFaultFacts(error: unknown): object {
  const { type, code, statusCode, requestId } = fault.safeParse(error).data ?? {};
  return {
    type: type ?? (error instanceof Error ? error.name : typeof error),
    ...(code !== undefined && { code }),
    ...(statusCode !== undefined && { status: statusCode }),
    ...(requestId !== undefined && { requestId }),
  };
}
