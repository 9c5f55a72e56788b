import { plans, PRODUCT_ID } from "../membership/plans.ts";
import type { Order } from "../payments/orders.ts";
import type { CallInput } from "./wire.ts";

type Way = {
  memberId: number;
  paymentId: string;
  methodId: string | undefined;
  returnUrl: string;
  cancelUrl: string;
};

/** An order as `sendcombined` takes it (spec, section 7). Drafts are paid for once their address is proved: that is vouched for. */
export function toPlanOrder(order: Order, { memberId, paymentId, methodId, ...urls }: Way): CallInput<"sendcombined"> {
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
