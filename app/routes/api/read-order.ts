import { toEmailKey } from "../../../server/accounts/rules.ts";
import type { PlanType } from "../../../server/membership/plans.ts";
import type { OrderWish } from "../../../server/provider-api/api-orders.ts";
import type { CallInput } from "../../../server/provider-api/wire.ts";
import { api as words, signUp } from "../../../server/refusals.ts";
import { NOT_YOURS, refuse, type ApiRefusal } from "./answers.ts";
import type { Asked } from "./visit.ts";

type Order = CallInput<"sendcombined">;
type ReadOrder = { ok: true; what: OrderWish["what"] } | ApiRefusal;

const PRODUCT_ID = 117;

/** What an order is for and how it is to be paid. What it costs and whether it is paid is not read from it. */
export function readOrder({ input, member, api, rooms }: Asked<"sendcombined">): ReadOrder {
  if (input.email !== undefined && toEmailKey(input.email) !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const postcode = input.billing?.postcode ?? "";
  const [coupon, ...otherCoupons] = input.coupon_lines ?? [];
  if (otherCoupons.length > 0) return refuse(400, words.ours["codes-many"]);
  if (coupon) return { ok: true, what: { kind: "code", code: coupon.code, postcode } };

  const { methodId, paymentId } = readMeans(input);
  const prepared = paymentId === undefined ? undefined : api.references.readPayment(paymentId);
  if (paymentId !== undefined && !prepared) return refuse(400, words.ours["payment-unknown"]);
  if (prepared && prepared.emailKey !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const ordered = readPlan(input, rooms.plans);
  if (ordered === "unknown") return refuse(400, words.ours["plan-unknown"]);
  const planType = ordered ?? prepared?.planType;
  if (planType === undefined) return refuse(400, signUp.ours["plan-missing"]);
  if (prepared?.planType !== undefined && prepared.planType !== planType) {
    return refuse(409, words.ours["plan-other"]);
  }
  return { ok: true, what: { kind: "plan", planType, methodId: methodId ?? prepared?.methodId, postcode } };
}

/** One plan, once; `undefined` when the lines name only the product. */
function readPlan(
  { line_items: lines = [] }: Order,
  plans: { type: PlanType; variationId: number }[],
): PlanType | "unknown" | undefined {
  const [line, ...others] = lines;
  if (!line) return undefined;
  const { product_id: product = 0, variation_id: variation, quantity = 1 } = line;
  const isOne = others.length === 0 && quantity === 1;
  const wanted = variation || (product === PRODUCT_ID ? 0 : product);
  if (!isOne || (variation && product !== 0 && product !== PRODUCT_ID)) return "unknown";
  if (!wanted) return undefined;
  return plans.find(({ variationId }) => variationId === wanted)?.type ?? "unknown";
}

/** By name where they are given so, else from the shop's `meta_data`, whose keys differ from plugin to plugin. */
function readMeans(order: Order): { methodId: string | undefined; paymentId: string | undefined } {
  const values = (order.meta_data ?? []).map(({ value }) => value).filter((value) => typeof value === "string");
  return {
    methodId: (order.paymentMethodId || undefined) ?? values.find((value) => value.startsWith("pm_")),
    paymentId: (order.paymentId || undefined) ?? values.find((value) => value.startsWith("pi_")),
  };
}
