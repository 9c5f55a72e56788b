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

/** A bank's page is no longer open after so long. */
const ACTION_LIFE_IN_MS = DAY_IN_MS;

/**
 * A provider that takes its own members' payments, as a gateway; our saga stays the same. Its `sendcombined` charges,
 * once per payment method. Its API neither cancels nor refunds: a completed order is a membership.
 */
export function createProviderCardGateway(ctx: ProviderContext): CardCharges {
  const { clock, fields } = ctx;
  return {
    name: "provider",
    get fields() {
      return fields.current();
    },

    /** The payer already has an account there, so nothing is made here. */
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
        // It may still be on its way: the saga knows how long to wait.
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
            message: "The provider hasn't said how it takes cards. Does it answer, and does it take any?",
          }
        : { isWell: true, message: `The provider takes the payments; its card fields are of kind “${kind}”.` };
    },
  };
}

type Charge = Omit<NewPayment, "methodId"> & { methodId: string | undefined; cancelUrl: string };

/** Two calls with one key take the payment once. */
async function charge(ctx: ProviderContext, payment: Charge): Promise<GatewayPayment> {
  const order = await findOrder(ctx, payment.orderId);
  if (!order) throw new Error("A payment is to be made for an order that is not there");
  const ready = (await findPrepared(ctx, payment.key)) ?? (await prepare(ctx, payment, order));
  const { memberId, paymentId } = ready;
  const token = await findJoiningToken(ctx, memberId);
  if (token === undefined) return decline(ready, "gateway-unavailable");
  // A joining member has no subscription before paying: an active one was paid for by a payment that seemed lost.
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

/** As `sendcombined` takes it (docs/api.md). We vouch for the address, because a draft proves it before paying. */
export function toPlacedOrder(
  memberId: number,
  { email, postcode, planType }: Pick<Order, "email" | "postcode" | "planType">,
): CallInput<"sendcombined"> {
  const item = { product_id: PRODUCT_ID, variation_id: plans[planType].variationId, quantity: 1 };
  return { customer_id: memberId, email, billing: { postcode }, emailVerified: true, line_items: [item] };
}

export async function isActive(
  { client }: ProviderContext,
  { memberId, token }: { memberId: number; token: string },
): Promise<boolean> {
  return requireAnswer(await client.call("getsubscriptionstatus", { id: memberId }, { token }));
}

/** A refusal's reason counts only where the payment itself gives none. */
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

/** Our own codes, and those of card providers with the same meaning. */
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

async function askPayment(ctx: ProviderContext, payment: PreparedPayment): Promise<GatewayPayment> {
  return note(ctx, payment, await findPaymentStatus(ctx, payment));
}

/** Some providers activate only after this call. Ours does not need it, so it may fail. */
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

/** `not-placed`: nothing is being charged for it, whatever was tried before. */
type PaymentStatus =
  | { state: "succeeded" | "processing" | "cancelled" | "not-placed" }
  | { state: "requires-action"; actionUrl: string };

async function findPaymentStatus({ client }: ProviderContext, { paymentId }: PreparedPayment): Promise<PaymentStatus> {
  const { status, nextActionUrl } = requireAnswer(await client.call("createpaymentintent", { paymentId }));
  if (status === "requires_payment_method" || status === "requires_confirmation") return { state: "not-placed" };
  const read = readStatus(status, nextActionUrl);
  if (!read) throw strange("The provider answered a payment in a state that is not known");
  return read;
}

/** Words of our API, the card provider and shops; `undefined` for a status that does not concern the payment. */
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

/** The browser is sent there, so it must be a page. */
function isWebAddress(address: string | null | undefined): address is string {
  const protocol = address && address.length <= ADDRESS_MAX_LENGTH ? URL.parse(address)?.protocol : undefined;
  return protocol === "https:" || protocol === "http:";
}

/** Its customer is the member, its sum the requested one. */
function toGatewayPayment(payment: PreparedPayment, status: PaymentStatus): GatewayPayment {
  const { paymentId, memberId, orderId, attempt, amountInPence } = payment;
  return {
    id: paymentId,
    // A missing order was ended there: by the payer, their bank, or time.
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
