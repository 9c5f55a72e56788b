import { plans, PRODUCT_ID } from "../../membership/plans.ts";
import type { GatewayPayment } from "../../payments/card-gateway.ts";
import type { Order } from "../../payments/orders.ts";
import type { CallInput } from "../wire.ts";
import type { ProviderClient, ProviderOutcome } from "./client.ts";
import { toError } from "./line.ts";
import type { PreparedPayment } from "./prepared-payments.ts";

/** How a payment stands at the provider; `not-placed`: nothing is being charged for it, whatever was tried before. */
export type PaymentStatus =
  | { state: "succeeded" | "processing" | "cancelled" | "not-placed" }
  | { state: "requires-action"; actionUrl: string };

const ADDRESS_MAX_LENGTH = 2000;

/**
 * Asks for a payment that was prepared.
 * @throws {ProviderError} when the provider does not say.
 */
export async function findPaymentStatus(
  client: Pick<ProviderClient, "call">,
  { paymentId }: PreparedPayment,
): Promise<PaymentStatus> {
  const found = await client.call("createpaymentintent", { paymentId });
  if (!found.ok) throw toError(found);
  const { status, nextActionUrl } = found.answer;
  if (status === "requires_payment_method" || status === "requires_confirmation") return { state: "not-placed" };
  const read = readStatus(status, nextActionUrl);
  if (!read) throw toError({ ok: false, status: 200, message: "a payment stands in a way that is not known" });
  return read;
}

type Placed = Extract<ProviderOutcome<"sendcombined">, { ok: true }>["answer"];

/** What was answered to an order; `undefined` when it does not say how paying stands. */
export function readPlaced({ status, order }: Placed): PaymentStatus | undefined {
  return readStatus(order?.status ?? status, order?.payment_url);
}

/** In the words of our own API, of the card provider, and of shops. */
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

/** A browser is sent there: nothing but a page may stand behind it. */
function isWebAddress(address: string | null | undefined): address is string {
  const protocol = address && address.length <= ADDRESS_MAX_LENGTH ? URL.parse(address)?.protocol : undefined;
  return protocol === "https:" || protocol === "http:";
}

/** A payment as the payments module knows it. Its customer is the member, and its sum the one that was asked for. */
export function toGatewayPayment(payment: PreparedPayment, status: PaymentStatus): GatewayPayment {
  const { paymentId, memberId, orderId, attempt, amountInPence } = payment;
  const { state } = status;
  return {
    id: paymentId,
    // What was placed and is no more was ended there: by the payer, their bank, or time.
    state: state === "not-placed" ? "cancelled" : state,
    amountInPence,
    currency: "GBP",
    customerId: String(memberId),
    orderId,
    attempt,
    actionUrl: status.state === "requires-action" ? status.actionUrl : undefined,
    decline: undefined,
  };
}

type PlacedBy = {
  memberId: number;
  paymentId: string;
  methodId: string | undefined;
  returnUrl: string;
  cancelUrl: string;
};

/** An order as `sendcombined` takes it (spec, section 7). Drafts are paid for once their address is proved: that is vouched for. */
export function toPlanOrder(
  order: Order,
  { memberId, paymentId, methodId, ...urls }: PlacedBy,
): CallInput<"sendcombined"> {
  return {
    ...toPlaced(memberId, order),
    meta_data: [{ key: "payment_id", value: paymentId }],
    paymentId,
    ...(methodId !== undefined && { paymentMethodId: methodId }),
    returnUrl: urls.returnUrl,
    cancelUrl: urls.cancelUrl,
  };
}

/** An order for a seat of a company's code. */
export function toSeatOrder(
  memberId: number,
  order: Pick<Order, "email" | "postcode" | "planType"> & { code: string },
): CallInput<"sendcombined"> {
  return {
    ...toPlaced(memberId, order),
    coupon_lines: [{ code: order.code }],
  };
}

function toPlaced(memberId: number, { email, postcode, planType }: Pick<Order, "email" | "postcode" | "planType">) {
  const item = { product_id: PRODUCT_ID, variation_id: plans[planType].variationId, quantity: 1 };
  return { customer_id: memberId, email, billing: { postcode }, emailVerified: true, line_items: [item] };
}
