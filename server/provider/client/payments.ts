import { after, DAY_IN_MS } from "../../clock.ts";
import type { CardCharges, Decline, GatewayPayment, NewPayment } from "../../payments/card-gateway.ts";
import { findOrder } from "../../payments/orders.ts";
import { findJoiningToken, findMemberOfAddress, forgetJoiningTokens } from "./accounts-asked.ts";
import type { ProviderContext } from "./context.ts";
import { isAway, ProviderError, type ProviderRefusal, toError } from "./line.ts";
import { findPaymentStatus, type PaymentStatus, readPlaced, toGatewayPayment, toPlanOrder } from "./payment-orders.ts";
import {
  findPrepared,
  findPreparedById,
  isAnyOtherPrepared,
  listPrepared,
  notePrepared,
  noteProviderOrder,
  type PreparedPayment,
} from "./prepared-payments.ts";

/** A page of a bank that was left for so long is open no more, wherever it was. */
const ACTION_LIFE_IN_MS = DAY_IN_MS;

/**
 * A provider that takes payments for its own members, as a gateway: our saga stays the same. The provider's `sendcombined` is what
 * charges; it takes the same payment method once. What was prepared is written down before it is sent, so that a lost answer can be
 * asked for. Its API neither cancels nor refunds: what it has completed is a membership.
 */
export function createProviderCards(ctx: ProviderContext): CardCharges {
  const { clock, fields } = ctx;
  return {
    name: "provider",
    get fields() {
      return fields.current();
    },

    /** The payer has an account there since before the order: nothing is made here. */
    async createCustomer({ email }) {
      const memberId = await findMemberOfAddress(ctx, email);
      if (memberId === undefined) throw new Error("No account was opened with the address of an order");
      return { customerId: String(memberId) };
    },

    startPayment: (payment) => charge(ctx, { ...payment, cancelUrl: payment.returnUrl }),
    startHostedPayment: (payment) => charge(ctx, { ...payment, methodId: undefined }),

    async findPayment(paymentId) {
      const payment = await findPreparedById(ctx, paymentId);
      return payment && look(ctx, payment);
    },

    async listPaymentsOf({ orderId, customerId }) {
      const listed: GatewayPayment[] = [];
      for (const payment of await listPrepared(ctx, { orderId, memberId: Number(customerId) })) {
        const status = await findPaymentStatus(ctx.client, payment);
        // It may still be on its way to the provider: the saga knows how long to wait for it.
        if (status.state !== "not-placed") listed.push(await note(ctx, payment, status));
      }
      return listed;
    },

    async cancelPayment(paymentId) {
      const payment = await findPreparedById(ctx, paymentId);
      if (!payment) throw new Error("A payment is to be ended that was never prepared");
      const found = await look(ctx, payment);
      const isOver = clock() >= after(payment.preparedAt, ACTION_LIFE_IN_MS);
      return found.state === "requires-action" && isOver ? { ...found, state: "cancelled" } : found;
    },

    async check() {
      const { kind } = fields.current();
      return kind === "none"
        ? { isWell: false, says: "The provider has not told how it takes cards. Does it answer, and does it take any?" }
        : { isWell: true, says: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };
}

type Charge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/** Has the provider take a payment. Asked twice with one key, it takes it once. */
async function charge(ctx: ProviderContext, payment: Charge): Promise<GatewayPayment> {
  const ready = (await findPrepared(ctx, payment.key)) ?? (await prepare(ctx, payment));
  const order = await findOrder(ctx, payment.orderId);
  const token = await findJoiningToken(ctx, ready.memberId);
  if (!order) throw new Error("A payment is to be made for an order that is not there");
  if (token === undefined) return decline(ready, "gateway-unavailable");
  // Members who join have no subscription before they have paid: an active one was paid for by what seemed lost.
  if ((await isAnyOtherPrepared(ctx, ready)) && (await isActive(ctx, { id: ready.memberId, token }))) {
    return note(ctx, ready, { state: "succeeded" });
  }
  const placed = await ctx.client.call("sendcombined", toPlanOrder(order, { ...payment, ...ready }), { token });
  if (!placed.ok) return answerRefusal(ctx, ready, placed);
  const { id } = placed.answer;
  if (id !== undefined) await noteProviderOrder(ctx, { key: ready.key, providerOrderId: id });
  return note(ctx, ready, readPlaced(placed.answer) ?? (await findPaymentStatus(ctx.client, ready)));
}

async function prepare(
  ctx: ProviderContext,
  { key, email, orderId, attempt, methodId, customerId, amountInPence }: Charge,
): Promise<PreparedPayment> {
  const order = await findOrder(ctx, orderId);
  const name = order && `${order.firstName} ${order.lastName}`;
  const method = methodId === undefined ? {} : { paymentMethodId: methodId };
  const customer = await ctx.client.call("createstripecustomer", { email, ...method, ...(name && { name }) });
  if (!customer.ok) throw toError(customer);
  const intent = await ctx.client.call("createpaymentintent", {
    email,
    ...method,
    stripeCustomerId: customer.answer.customerId,
    // The provider refuses what is not its own price.
    amount: amountInPence,
    planType: order?.planType,
  });
  if (!intent.ok) throw toError(intent);
  const { paymentId } = intent.answer;
  return notePrepared(ctx, { key, orderId, attempt, memberId: Number(customerId), paymentId, amountInPence });
}

async function isActive({ client }: ProviderContext, { id, token }: { id: number; token: string }): Promise<boolean> {
  const status = await client.call("getsubscriptionstatus", { id }, { token });
  if (!status.ok) throw toError(status);
  return status.answer;
}

/** What a refusal says of money is believed only where the payment itself says nothing else. */
async function answerRefusal(
  ctx: ProviderContext,
  payment: PreparedPayment,
  refusal: ProviderRefusal,
): Promise<GatewayPayment> {
  if (refusal.status >= 500) throw toError(refusal);
  if (refusal.status === 401) await forgetJoiningTokens(ctx, payment.memberId);
  if (refusal.status === 402) return decline(payment, declines[refusal.code ?? ""] ?? "declined");
  const status = await findPaymentStatus(ctx.client, payment);
  if (status.state !== "not-placed") return note(ctx, payment, status);
  if (!isAway(refusal)) ctx.log.warn({ order: payment.orderId, message: refusal.message }, "an order was refused");
  return decline(payment, "gateway-unavailable");
}

function decline(payment: PreparedPayment, reason: GatewayPayment["decline"]): GatewayPayment {
  return { ...toGatewayPayment(payment, { state: "cancelled" }), state: "requires-method", decline: reason };
}

/** Why a card was declined: our own codes, and those of card providers that stand for the same. */
const declines: Record<string, Decline> = {
  "insufficient-funds": "insufficient-funds",
  "expired-card": "expired-card",
  "wrong-number": "wrong-number",
  "incorrect-number": "wrong-number",
  "invalid-number": "wrong-number",
  "wrong-cvc": "wrong-cvc",
  "incorrect-cvc": "wrong-cvc",
  "invalid-cvc": "wrong-cvc",
  "authentication-failed": "authentication-failed",
  "authentication-required": "authentication-failed",
  cancelled: "cancelled",
  "gateway-unavailable": "gateway-unavailable",
};

/** @throws {ProviderError} when the provider does not say. */
async function look(ctx: ProviderContext, payment: PreparedPayment): Promise<GatewayPayment> {
  return note(ctx, payment, await findPaymentStatus(ctx.client, payment));
}

/** A provider may wait for a word before it makes active what is paid for. Ours does not, so this one may fail. */
async function note(ctx: ProviderContext, payment: PreparedPayment, status: PaymentStatus): Promise<GatewayPayment> {
  const { memberId, orderId } = payment;
  const token = status.state === "succeeded" ? await findJoiningToken(ctx, memberId) : undefined;
  if (token !== undefined) {
    await ctx.client.call("activatesubscription", { id: memberId }, { token }).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      ctx.log.warn({ error, order: orderId }, "a subscription could not be asked for");
    });
  }
  return toGatewayPayment(payment, status);
}
