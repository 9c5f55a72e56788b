import { isEmail, toEmailKey } from "../../../server/accounts/rules.ts";
import type { PreparedPayment } from "../../../server/provider-api/api-payment-references.ts";
import type { CallAnswer, CallInput } from "../../../server/provider-api/wire.ts";
import { api as words, payment as paying, person } from "../../../server/refusals.ts";
import { answer, refuse, refuseWait, type ApiRefusal } from "./answers.ts";
import type { Handler, Visit } from "./visit.ts";

const EMAIL_INVALID = person.spec["email-invalid"];
const NO_INTENT = paying.spec["no-intent"];

export const createstripecustomer: Handler<"createstripecustomer"> = async ({ api, input }) => {
  if (!isEmail(input.email.trim())) return refuse(400, EMAIL_INVALID);
  const methodId = input.paymentMethodId || undefined;
  return answer({ customerId: api.references.makeCustomer({ emailKey: toEmailKey(input.email), methodId }) });
};

/** Nothing is charged yet: that is done when the order is placed, for a member whose address is proved. */
export const createpaymentintent: Handler<"createpaymentintent"> = async (asked) => {
  const { api, input, rooms } = asked;
  if (input.paymentId) return findIntent(asked, input.paymentId);
  const payer = readPayer(asked, input);
  if (!payer.ok) return payer;
  const byAmount = rooms.plans.find(({ chargeInPence }) => chargeInPence === input.amount);
  const byType = rooms.plans.find(({ type }) => type === input.planType);
  if (input.amount !== undefined && !byAmount) return refuse(400, NO_INTENT, words.ours["amount-unknown"]);
  if (input.planType !== undefined && !byType) return refuse(400, NO_INTENT, words.ours["plan-unknown"]);
  if (byAmount && byType && byAmount !== byType) return refuse(400, NO_INTENT, words.ours["amount-other"]);

  const payment = { ...payer.payer, planType: (byAmount ?? byType)?.type, preparedAt: rooms.clock() };
  return answer(toIntent(api.references.makePayment(payment), payment));
};

type ReadPayer = { ok: true; payer: Pick<PreparedPayment, "emailKey" | "methodId"> } | ApiRefusal;

function readPayer({ api }: Visit, input: CallInput<"createpaymentintent">): ReadPayer {
  const customer = input.stripeCustomerId ? api.references.readCustomer(input.stripeCustomerId) : undefined;
  if (input.stripeCustomerId && !customer) return refuse(400, NO_INTENT, words.ours["customer-unknown"]);
  if (input.email !== undefined && !isEmail(input.email.trim())) return refuse(400, NO_INTENT, EMAIL_INVALID);
  const emailKey = customer?.emailKey ?? (input.email === undefined ? undefined : toEmailKey(input.email));
  if (emailKey === undefined) return refuse(400, NO_INTENT, words.ours["customer-missing"]);
  if (input.email !== undefined && toEmailKey(input.email) !== emailKey) {
    return refuse(400, NO_INTENT, words.ours["customer-other"]);
  }
  return { ok: true, payer: { emailKey, methodId: input.paymentMethodId || customer?.methodId } };
}

async function findIntent({ api, rooms }: Visit, paymentId: string) {
  const payment = api.references.readPayment(paymentId);
  if (!payment) return refuse(400, NO_INTENT, words.ours["payment-unknown"]);
  const member = await rooms.accounts.findByEmail(payment.emailKey);
  const standing = await api.orders.findStanding(payment, member);
  if (!standing) return answer(toIntent(paymentId, payment));
  const status = intentStatuses[standing.state];
  return answer({ clientSecret: "", paymentId, status, nextActionUrl: standing.url ?? null });
}

const intentStatuses = { completed: "succeeded", checking: "processing", continue: "requires_action" } as const;

function toIntent(
  paymentId: string,
  { methodId }: Pick<PreparedPayment, "methodId">,
): CallAnswer<"createpaymentintent"> {
  const status = methodId === undefined ? "requires_payment_method" : "requires_confirmation";
  return { clientSecret: "", paymentId, status, nextActionUrl: null };
}

/** Cards are given to their gateway in the browser; only a demo's gateway takes its own cards from here. */
export const createpaymentmethod: Handler<"createpaymentmethod"> = async ({ rooms, input }) => {
  const fields = rooms.cardFields;
  const publishableKey = fields.kind === "stripe" ? fields.publishableKey : null;
  const cardFields = { kind: fields.kind, publishableKey };
  if (!input.card) return answer({ paymentMethodId: input.paymentMethodId ?? null, cardFields });
  if (fields.kind !== "demo" || !rooms.demoGateways) {
    return refuse(400, words.ours["cards-elsewhere"]);
  }
  const made = await rooms.demoGateways.makeMethod(input.card);
  return made.ok ? answer({ paymentMethodId: made.methodId, cardFields }) : refuse(400, made.sentence);
};

export const createbillingrequest: Handler<"createbillingrequest"> = async ({ rooms, api, input, site }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const company = await rooms.companies.find(input.company);
  if (!company) return refuse(404, words.ours["no-company"]);
  const links = { returnUrl: input.returnUrl ?? site, exitUrl: input.exitUrl ?? input.returnUrl ?? site };
  const flow = await rooms.companies.openFlow(company.id, links).catch((error: unknown) => {
    rooms.log.warn({ error, company: company.id }, "a page for a company could not be opened");
  });
  if (!flow) return refuse(502, words.ours["gateway-unreachable"]);
  if (!flow.ok) return refuse(409, words.ours["company-agreed"]);
  const opened = await rooms.companies.find(company.name);
  return answer({
    authorisation_url: flow.authorisationUrl,
    billing_requests_id: opened?.billingRequestId ?? "",
    expires_at: flow.expiresAt.toISOString(),
  });
};
