import { after, DAY_IN_MS } from "../../platform/clock.ts";
import { plans, PRODUCT_ID } from "../../money/membership/plans.ts";
import type { CardCharges, Decline, GatewayPayment, NewPayment } from "../../money/payments/card-gateway.ts";
import { findOrder, type Order } from "../../money/payments/orders.ts";
import type { CallInput } from "../wire.ts";
import { catchProviderError, type ProviderRefusal, requireAnswer, strange, toError } from "./answers.ts";
import {
  findJoiningToken,
  findMemberOfAddress,
  findPrepared,
  findPreparedById,
  forgetJoiningTokens,
  hasOtherPrepared,
  listPrepared,
  notePrepared,
  noteProviderOrder,
  type PreparedPayment,
} from "./requests.ts";
import type { ProviderContext } from "./context.ts";

/** A page of a bank that was left for so long is open no more, wherever it was. */
const ACTION_LIFE_IN_MS = DAY_IN_MS;

/**
 * A provider that takes payments for its own members, as a gateway: our saga stays the same. The provider's `sendcombined` is what
 * charges; it takes the same payment method once. Its API neither cancels nor refunds: what it has completed is a membership.
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
      return payment && askPayment(ctx, payment);
    },

    async listPaymentsFor({ orderId, customerId }) {
      const listed: GatewayPayment[] = [];
      for (const payment of await listPrepared(ctx, { orderId, memberId: Number(customerId) })) {
        const status = await findPaymentStatus(ctx, payment);
        // It may still be on its way to the provider: the saga knows how long to wait for it.
        if (status.state !== "not-placed") listed.push(await note(ctx, payment, status));
      }
      return listed;
    },

    async cancelPayment(paymentId) {
      const payment = await findPreparedById(ctx, paymentId);
      if (!payment) throw new Error("A payment is to be ended that was never prepared");
      const found = await askPayment(ctx, payment);
      const isOver = clock() >= after(new Date(payment.preparedAt), ACTION_LIFE_IN_MS);
      return found.state === "requires-action" && isOver ? { ...found, state: "cancelled" } : found;
    },

    async check() {
      const { kind } = fields.current();
      return kind === "none"
        ? {
            isWell: false,
            message: "The provider has not told how it takes cards. Does it answer, and does it take any?",
          }
        : { isWell: true, message: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };
}

type Charge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/** Has the provider take a payment. Asked twice with one key, it takes it once. */
async function charge(ctx: ProviderContext, payment: Charge): Promise<GatewayPayment> {
  const order = await findOrder(ctx, payment.orderId);
  if (!order) throw new Error("A payment is to be made for an order that is not there");
  const ready = (await findPrepared(ctx, payment.key)) ?? (await prepare(ctx, payment, order));
  const { memberId, paymentId } = ready;
  const token = await findJoiningToken(ctx, memberId);
  if (token === undefined) return decline(ready, "gateway-unavailable");
  // Members who join have no subscription before they have paid: an active one was paid for by what seemed lost.
  if ((await hasOtherPrepared(ctx, ready)) && (await isActive(ctx, { memberId, token }))) {
    return note(ctx, ready, { state: "succeeded" });
  }
  const { methodId, returnUrl, cancelUrl } = payment;
  const placed = await ctx.client.call(
    "sendcombined",
    {
      ...toPlacedOrder(memberId, order),
      meta_data: [{ key: "payment_id", value: paymentId }],
      paymentId,
      ...(methodId !== undefined && { paymentMethodId: methodId }),
      returnUrl,
      cancelUrl,
    },
    { token },
  );
  if (!placed.ok) return answerRefusal(ctx, ready, placed);
  const { id, status, order: details } = placed.answer;
  if (id !== undefined) await noteProviderOrder(ctx, ready.key, id);
  const known = readStatus(details?.status ?? status, details?.payment_url);
  return note(ctx, ready, known ?? (await findPaymentStatus(ctx, ready)));
}

async function prepare(
  ctx: ProviderContext,
  { key, email, orderId, attempt, methodId, customerId, amountInPence }: Charge,
  { firstName, lastName, planType }: Order,
): Promise<PreparedPayment> {
  const method = methodId === undefined ? {} : { paymentMethodId: methodId };
  const payer = { email, ...method, name: `${firstName} ${lastName}` };
  const customer = requireAnswer(await ctx.client.call("createstripecustomer", payer));
  // The provider refuses an amount that is not its own price.
  const wanted = { email, ...method, stripeCustomerId: customer.customerId, amount: amountInPence, planType };
  const { paymentId } = requireAnswer(await ctx.client.call("createpaymentintent", wanted));
  return notePrepared(ctx, { key, orderId, attempt, memberId: Number(customerId), paymentId, amountInPence });
}

/** An order as `sendcombined` takes it (docs/api.md). Drafts are paid for once their address is proved: that is vouched for. */
export function toPlacedOrder(
  memberId: number,
  { email, postcode, planType }: Pick<Order, "email" | "postcode" | "planType">,
): CallInput<"sendcombined"> {
  const item = { product_id: PRODUCT_ID, variation_id: plans[planType].variationId, quantity: 1 };
  return { customer_id: memberId, email, billing: { postcode }, emailVerified: true, line_items: [item] };
}

/** @throws {ProviderError} when the provider does not say. */
export async function isActive(
  { client }: ProviderContext,
  { memberId, token }: { memberId: number; token: string },
): Promise<boolean> {
  return requireAnswer(await client.call("getsubscriptionstatus", { id: memberId }, { token }));
}

/** A refusal's word about money counts only where the payment itself says nothing else. */
async function answerRefusal(
  ctx: ProviderContext,
  payment: PreparedPayment,
  refusal: ProviderRefusal,
): Promise<GatewayPayment> {
  const { status: answered, code = "", message } = refusal;
  if (answered >= 500) throw toError(refusal);
  if (answered === 401) await forgetJoiningTokens(ctx, payment.memberId);
  if (answered === 402) return decline(payment, declines[code] ?? "declined");
  const status = await findPaymentStatus(ctx, payment);
  if (status.state !== "not-placed") return note(ctx, payment, status);
  if (answered !== 429) ctx.log.warn({ order: payment.orderId, message }, "an order was refused");
  return decline(payment, "gateway-unavailable");
}

function decline(payment: PreparedPayment, reason: Decline): GatewayPayment {
  return { ...toGatewayPayment(payment, { state: "cancelled" }), state: "requires-method", decline: reason };
}

/** Why a card was declined: our own codes, and those of card providers that mean the same. */
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
async function askPayment(ctx: ProviderContext, payment: PreparedPayment): Promise<GatewayPayment> {
  return note(ctx, payment, await findPaymentStatus(ctx, payment));
}

/** A provider may wait for a word before it makes active what is paid for. Ours does not, so this one may fail. */
async function note(ctx: ProviderContext, payment: PreparedPayment, status: PaymentStatus): Promise<GatewayPayment> {
  const { memberId, orderId } = payment;
  const token = status.state === "succeeded" ? await findJoiningToken(ctx, memberId) : undefined;
  if (token !== undefined) {
    await catchProviderError(ctx.client.call("activatesubscription", { id: memberId }, { token }), (error) =>
      ctx.log.warn({ error, order: orderId }, "a subscription could not be activated"),
    );
  }
  return toGatewayPayment(payment, status);
}

/** A payment at the provider; `not-placed`: nothing is being charged for it, whatever was tried before. */
type PaymentStatus =
  | { state: "succeeded" | "processing" | "cancelled" | "not-placed" }
  | { state: "requires-action"; actionUrl: string };

/**
 * Asks for a payment that was prepared.
 * @throws {ProviderError} when the provider does not say.
 */
async function findPaymentStatus({ client }: ProviderContext, { paymentId }: PreparedPayment): Promise<PaymentStatus> {
  const { status, nextActionUrl } = requireAnswer(await client.call("createpaymentintent", { paymentId }));
  if (status === "requires_payment_method" || status === "requires_confirmation") return { state: "not-placed" };
  const read = readStatus(status, nextActionUrl);
  if (!read) throw strange("The provider answered a payment in a state that is not known");
  return read;
}

/** In the words of our own API, of the card provider, and of shops; `undefined` for a status that does not concern the payment. */
function readStatus(status: string | null | undefined, url: string | null | undefined): PaymentStatus | undefined {
  switch (status ?? "") {
    case "succeeded":
    case "completed":
      return { state: "succeeded" };
    case "canceled":
    case "cancelled":
      return { state: "cancelled" };
    case "requires_action":
      return isWebAddress(url) ? { state: "requires-action", actionUrl: url } : { state: "processing" };
    case "processing":
      return { state: "processing" };
    default:
      return undefined;
  }
}

const ADDRESS_MAX_LENGTH = 2000;

/** A browser is sent there: it must be a page. */
function isWebAddress(address: string | null | undefined): address is string {
  const protocol = address && address.length <= ADDRESS_MAX_LENGTH ? URL.parse(address)?.protocol : undefined;
  return protocol === "https:" || protocol === "http:";
}

/** A payment as the payments module knows it. Its customer is the member, and its sum the one that was asked for. */
function toGatewayPayment(payment: PreparedPayment, status: PaymentStatus): GatewayPayment {
  const { paymentId, memberId, orderId, attempt, amountInPence } = payment;
  return {
    id: paymentId,
    // An order that is gone was ended there: by the payer, their bank, or time.
    state: status.state === "not-placed" ? "cancelled" : status.state,
    amountInPence,
    currency: "GBP",
    customerId: String(memberId),
    orderId,
    attempt,
    actionUrl: status.state === "requires-action" ? status.actionUrl : undefined,
    decline: undefined,
  };
}
