import { isEmail, toEmailKey } from "../../../server/platform/email-address.ts";
import { findUnavailability } from "../../../server/platform/database/faults.ts";
import type { PlanType } from "../../../server/money/membership/plans.ts";
import type { PreparedPayment } from "../../../server/provider/payment-references.ts";
import type { OrderResult, OrderStatus, OrderInput } from "../../../server/provider/served-orders.ts";
import type { CallAnswer, CallInput } from "../../../server/provider/wire.ts";
import { api as messages, declines, emailCodes, payment as paying, person, signUp } from "../../../server/refusals.ts";
import { cleanText } from "../../../server/platform/text.ts";
import { waitText } from "../../../server/platform/format.ts";
import {
  answer,
  type ApiRefusal,
  type CallContext,
  type Asker,
  delicate,
  type Handler,
  NOT_YOURS,
  refuse,
  refuseWait,
  type Visit,
  toSubscriptionEnd,
} from "./answers.ts";

type Order = CallInput<"sendcombined">;
type ReadOrder = { ok: true; what: OrderInput["what"] } | ApiRefusal;

const PRODUCT_ID = 117;

/** Subject and payment; a request's price and its claim to be paid are ignored. */
function readOrder({ input, member, api, services }: CallContext<"sendcombined">): ReadOrder {
  if (input.email !== undefined && toEmailKey(input.email) !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const postcode = input.billing?.postcode ?? "";
  const [coupon, ...otherCoupons] = input.coupon_lines ?? [];
  if (otherCoupons.length > 0) return refuse(400, messages["codes-many"]);
  if (coupon) return { ok: true, what: { kind: "code", code: coupon.code, postcode } };

  const { methodId, paymentId } = readMeans(input);
  const prepared = paymentId === undefined ? undefined : api.references.readPayment(paymentId);
  if (paymentId !== undefined && !prepared) return refuse(400, messages["payment-unknown"]);
  if (prepared && prepared.emailKey !== toEmailKey(member.email)) return refuse(403, NOT_YOURS);
  const ordered = readPlan(input, services.plans);
  if (ordered === "unknown") return refuse(400, messages["plan-unknown"]);
  const planType = ordered ?? prepared?.planType;
  if (planType === undefined) return refuse(400, signUp["plan-missing"]);
  if (prepared?.planType !== undefined && prepared.planType !== planType) {
    return refuse(409, messages["plan-other"]);
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

/** By name, else from WooCommerce's `meta_data`, whose keys differ between plugins. */
function readMeans(order: Order): { methodId: string | undefined; paymentId: string | undefined } {
  const values = (order.meta_data ?? []).map(({ value }) => value).filter((value) => typeof value === "string");
  return {
    methodId: (order.paymentMethodId || undefined) ?? values.find((value) => value.startsWith("pm_")),
    paymentId: (order.paymentId || undefined) ?? values.find((value) => value.startsWith("pi_")),
  };
}

/** By the same saga as on pages: `set_paid` and amounts are ignored. */
export const sendcombined: Handler<"sendcombined"> = async (context) => {
  const { input, member, api, address, site } = context;
  const read = readOrder(context);
  if (!read.ok) return read;
  const result = await api.orders.place({
    member,
    what: read.what,
    isEmailVerified: input.emailVerified ?? false,
    address,
    site,
    toReturnUrls: (draftId) => toReturnUrls(context, draftId),
  });
  return result.ok ? answer(toWire(result)) : refuseOrder(result);
};

/** Our own page looks up how the payment ended, and then leads to the front's. */
function toReturnUrls({ api, input, site }: CallContext<"sendcombined">, draftId: number) {
  const page = (to: string | undefined) => `${site}payment-return?to=${api.returns.write({ draftId, to })}`;
  return { returnUrl: page(input.returnUrl), cancelUrl: page(input.cancelUrl ?? input.returnUrl) };
}

const statuses = { completed: "completed", checking: "processing", continue: "requires_action" } as const;

function toWire({ orderId: id, state, url }: OrderStatus): CallAnswer<"sendcombined"> {
  const status = statuses[state];
  return { id, status, order: { id, status, payment_url: url ?? null } };
}

function refuseOrder(refusal: Extract<OrderResult, { ok: false }>): ApiRefusal {
  switch (refusal.reason) {
    case "declined":
      return { ...refuse(402, declines[refusal.decline]), code: refusal.decline };
    case "code-refused":
      return refuse(400, refusal.message);
    case "unverified":
      return refuse(403, emailCodes.unverified);
    case "postcode-missing":
      return refuse(400, paying["postcode-missing"]);
    case "refunded":
      return refuse(409, messages.refunded);
    case "member-gone":
      return refuse(403, NOT_YOURS);
    case "too-many-attempts":
      return refuseWait(refusal, paying["too-many-attempts"](waitText(refusal.waitInMs)));
  }
}

const EMAIL_INVALID = person["email-invalid"];
const NO_INTENT = paying["no-intent"];

export const createstripecustomer: Handler<"createstripecustomer"> = async ({ api, input }) => {
  if (!isEmail(cleanText(input.email))) return refuse(400, EMAIL_INVALID);
  const methodId = input.paymentMethodId || undefined;
  return answer({ customerId: api.references.makeCustomer({ emailKey: toEmailKey(input.email), methodId }) });
};

/** Charges nothing: the order does, for a member with a verified address. */
export const createpaymentintent: Handler<"createpaymentintent"> = async (context) => {
  const { api, input, services } = context;
  if (input.paymentId) return findIntent(context, input.paymentId);
  const payer = readPayer(context, input);
  if (!payer.ok) return payer;
  const byAmount = services.plans.find(({ chargeInPence }) => chargeInPence === input.amount);
  const byType = services.plans.find(({ type }) => type === input.planType);
  if (input.amount !== undefined && !byAmount) return refuse(400, NO_INTENT, messages["amount-unknown"]);
  if (input.planType !== undefined && !byType) return refuse(400, NO_INTENT, messages["plan-unknown"]);
  if (byAmount && byType && byAmount !== byType) return refuse(400, NO_INTENT, messages["amount-other"]);

  const payment = { ...payer.payer, planType: (byAmount ?? byType)?.type, preparedAt: services.clock() };
  return answer(toIntent(api.references.makePayment(payment), payment));
};

type ReadPayer = { ok: true; payer: Pick<PreparedPayment, "emailKey" | "methodId"> } | ApiRefusal;

function readPayer({ api }: Visit, input: CallInput<"createpaymentintent">): ReadPayer {
  const customer = input.stripeCustomerId ? api.references.readCustomer(input.stripeCustomerId) : undefined;
  if (input.stripeCustomerId && !customer) return refuse(400, NO_INTENT, messages["customer-unknown"]);
  if (input.email !== undefined && !isEmail(cleanText(input.email))) return refuse(400, NO_INTENT, EMAIL_INVALID);
  const emailKey = customer?.emailKey ?? (input.email === undefined ? undefined : toEmailKey(input.email));
  if (emailKey === undefined) return refuse(400, NO_INTENT, messages["customer-missing"]);
  if (input.email !== undefined && toEmailKey(input.email) !== emailKey) {
    return refuse(400, NO_INTENT, messages["customer-other"]);
  }
  return { ok: true, payer: { emailKey, methodId: input.paymentMethodId || customer?.methodId } };
}

async function findIntent({ api, services }: Visit, paymentId: string) {
  const payment = api.references.readPayment(paymentId);
  if (!payment) return refuse(400, NO_INTENT, messages["payment-unknown"]);
  const member = await services.accounts.findByEmail(payment.emailKey);
  const order = await api.orders.findStatus(payment, member);
  if (!order) return answer(toIntent(paymentId, payment));
  const status = intentStatuses[order.state];
  return answer({ clientSecret: "", paymentId, status, nextActionUrl: order.url ?? null });
}

const intentStatuses = { completed: "succeeded", checking: "processing", continue: "requires_action" } as const;

function toIntent(
  paymentId: string,
  { methodId }: Pick<PreparedPayment, "methodId">,
): CallAnswer<"createpaymentintent"> {
  const status = methodId === undefined ? "requires_payment_method" : "requires_confirmation";
  return { clientSecret: "", paymentId, status, nextActionUrl: null };
}

/** Browsers give cards to the gateway itself; only the demo's cards come this way. */
export const createpaymentmethod: Handler<"createpaymentmethod"> = async ({ services, input }) => {
  const fields = services.cardFields;
  const cardFields = { kind: fields.kind, publishableKey: fields.publishableKey ?? null };
  if (!input.card) return answer({ paymentMethodId: input.paymentMethodId ?? null, cardFields });
  if (fields.kind !== "demo" || !services.demoGateways) {
    return refuse(400, messages["cards-elsewhere"]);
  }
  const made = await services.demoGateways.makeMethod(input.card);
  if (made.ok) return answer({ paymentMethodId: made.methodId, cardFields });
  const [first] = made.problems;
  return { ...refuse(400, first.sentence), code: `card-${first.field}` };
};

export const createbillingrequest: Handler<"createbillingrequest"> = delicate(async ({ services, input, site }) => {
  const company = await services.companies.find(input.company);
  if (!company) return refuse(404, messages["no-company"]);
  const links = { returnUrl: input.returnUrl ?? site, exitUrl: input.exitUrl ?? input.returnUrl ?? site };
  const flow = await services.companies.openFlow(company.id, links).catch((error: unknown) => {
    if (findUnavailability(error)) throw error;
    services.log.warn({ error, company: company.id }, "a page for a company could not be opened");
  });
  if (!flow) return refuse(502, messages["gateway-unavailable"]);
  if (!flow.ok) return refuse(409, messages["company-agreed"]);
  const opened = await services.companies.find(company.name);
  return answer({
    authorisation_url: flow.authorisationUrl,
    billing_requests_id: opened?.billingRequestId ?? "",
    expires_at: flow.expiresAt.toISOString(),
  });
});

export const checkcouponvalidity: Handler<"checkcouponvalidity"> = delicate(async ({ services, input }) => {
  const check = await services.codes.check(input.productCode);
  return answer({ valid: check.isValid, message: check.isValid ? "" : check.message });
});

export const checkcouponproducts: Handler<"checkcouponproducts"> = delicate(async ({ services, input }) => {
  const check = await services.codes.check(input.productCode);
  if (!check.isValid) return refuse(400, check.message);
  // The product includes all its variations.
  const variations = check.code.products.includes(PRODUCT_ID)
    ? services.plans.map(({ variationId }) => variationId)
    : [];
  return answer({ product_ids: [...new Set([...check.code.products, ...variations])] });
});

export const getsubscriptionstatus: Handler<"getsubscriptionstatus"> = async ({ services, member }) =>
  answer((await services.membership.findAccess(member.id)).isActive);

/** Only a payment makes a subscription active; this call can end it. */
export const managesubscriptionstatus: Handler<"managesubscriptionstatus"> = async (context) => {
  const { services, member, input } = context;
  if (input.newStatus === "active") {
    const subscription = await findSubscription(context);
    return subscription.hasActiveSubscription ? answer(subscription) : refuse(409, messages["order-wanted"]);
  }
  const seat = (await services.codes.listSeatsFor(member.id))[0]?.code ?? null;
  await services.transact(async (trx) => {
    const isEnded = await services.membership.revoke(member.id, trx);
    await services.codes.releaseSeat(member.id, trx);
    const action = { operator: "api", action: "subscription end", memberId: member.id } as const;
    if (isEnded || seat) await services.audit.record({ ...action, facts: { newStatus: input.newStatus, seat } }, trx);
  });
  return answer(await findSubscription(context));
};

export const activatesubscription: Handler<"activatesubscription"> = async (context) => {
  await context.api.orders.settle(context.member);
  return answer(await findSubscription(context));
};

async function findSubscription({ services, member }: Visit & Asker) {
  const access = await services.membership.findAccess(member.id);
  return {
    id: member.id,
    status: access.isActive ? ("active" as const) : ("inactive" as const),
    hasActiveSubscription: access.isActive,
    subscription_ends_at: toSubscriptionEnd(access),
  };
}
