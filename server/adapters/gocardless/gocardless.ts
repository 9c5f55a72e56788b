import { randomUUID } from "node:crypto";

import type { Clock } from "../../platform/clock.ts";
import { toAsciiEmail } from "../../platform/email-address.ts";
import type { PartCheck } from "../../platform/part-check.ts";
import type {
  BillingRequest,
  Debit,
  DebitDashboard,
  DebitGateway,
  Mandate,
  NewDebit,
  NewFlow,
} from "../../money/payments/debit-gateway.ts";
import { create, find, GoCardlessError, type GoCardlessContext, type Patience } from "./client.ts";
import { isTriedAgain, listEventsSince, readWebhook } from "./events.ts";
import {
  billingRequestAnswer,
  creditorsAnswer,
  flowAnswer,
  mandateAnswer,
  paymentAnswer,
  toBillingRequest,
  toDebit,
  toMandate,
} from "./objects.ts";

export const GOCARDLESS = "gocardless";

type Setting = {
  /** Begins with `live_` or `sandbox_`, which selects GoCardless's host. */
  accessToken: string;
  /** Without one no webhook is trusted, and changes are found by lookups alone. */
  webhookSecret: string | undefined;
  apiBase?: string | undefined;
  clock: Clock;
  patience?: Patience;
};

/** https://developer.gocardless.com/api-reference */
export function createGoCardless(setting: Setting): DebitGateway {
  const { accessToken, webhookSecret, clock, patience } = setting;
  const host = isLive(accessToken) ? "https://api.gocardless.com" : "https://api-sandbox.gocardless.com";
  const ctx = { accessToken, apiBase: setting.apiBase ?? host, clock, patience };
  return {
    name: GOCARDLESS,
    dashboard: createDashboard(isLive(accessToken)),
    createBillingRequest: (request) => createBillingRequest(ctx, request),
    openFlow: (flow) => openFlow(ctx, flow),
    findBillingRequest: (id) => findBillingRequest(ctx, id),
    findMandate: (id) => findMandate(ctx, id),
    collect: (debit) => collect(ctx, debit),
    findDebit: (id) => findDebit(ctx, id),
    readEvents: (body, headers) => readWebhook(webhookSecret, { body, headers }),
    listEventsSince: (since) => listEventsSince(ctx, since),
    check: () => check(ctx, webhookSecret),
  };
}

function createDashboard(isForMoney: boolean): DebitDashboard {
  const root = `https://manage${isForMoney ? "" : "-sandbox"}.gocardless.com`;
  const toUrl = (folder: string, id: string) => `${root}/${folder}/${encodeURIComponent(id)}`;
  return {
    title: "GoCardless",
    mandateUrl: (id) => toUrl("mandates", id),
    debitUrl: (id) => toUrl("payments", id),
  };
}

function isLive(accessToken: string): boolean {
  return accessToken.startsWith("live_");
}

async function createBillingRequest(
  ctx: GoCardlessContext,
  { key, companyId, companyName }: Parameters<DebitGateway["createBillingRequest"]>[0],
): Promise<BillingRequest> {
  const metadata = { ...toOwner(companyId), company_name: companyName.slice(0, 500) };
  const wanted = { mandate_request: { scheme: "bacs", currency: "GBP" }, metadata };
  const made = await create(ctx, { path: "/billing_requests", envelope: "billing_requests", wanted, key });
  const found = billingRequestAnswer.parse(made.body).billing_requests;
  if (made.isRepeat) requireOwn(found.id, belongsTo(companyId, found.metadata));
  return toBillingRequest(found);
}

async function openFlow(ctx: GoCardlessContext, flow: NewFlow) {
  const wanted = {
    redirect_uri: flow.returnUrl,
    exit_uri: flow.exitUrl,
    prefilled_customer: { company_name: flow.companyName, email: toAsciiEmail(flow.email) },
    links: { billing_request: flow.billingRequestId },
  };
  const made = await create(ctx, {
    path: "/billing_request_flows",
    envelope: "billing_request_flows",
    wanted,
    key: randomUUID,
  });
  const { authorisation_url, expires_at } = flowAnswer.parse(made.body).billing_request_flows;
  return { authorisationUrl: authorisation_url, expiresAt: expires_at };
}

async function findBillingRequest(ctx: GoCardlessContext, id: string): Promise<BillingRequest | undefined> {
  const found = await find(ctx, `/billing_requests/${encodeURIComponent(id)}`);
  return found === undefined ? undefined : toBillingRequest(billingRequestAnswer.parse(found).billing_requests);
}

async function findMandate(ctx: GoCardlessContext, id: string): Promise<Mandate | undefined> {
  const found = await find(ctx, `/mandates/${encodeURIComponent(id)}`);
  return found === undefined ? undefined : toMandate(mandateAnswer.parse(found).mandates);
}

async function collect(ctx: GoCardlessContext, debit: NewDebit): Promise<Debit> {
  const { key, mandateId, amountInPence, currency, description, companyId } = debit;
  // A failed debit is retried where the account has Success+; elsewhere this changes nothing.
  const manner = { description, metadata: toOwner(companyId), retry_if_possible: true };
  const wanted = { amount: amountInPence, currency, ...manner, links: { mandate: mandateId } };
  const made = await create(ctx, { path: "/payments", envelope: "payments", wanted, key });
  const { id, ...found } = paymentAnswer.parse(made.body).payments;
  // Not by the mandate: the bank may have replaced it since.
  const isOwn = found.amount === amountInPence && found.currency === currency && belongsTo(companyId, found.metadata);
  if (made.isRepeat) requireOwn(id, isOwn);
  return readDebit(ctx, made.body);
}

async function findDebit(ctx: GoCardlessContext, id: string): Promise<Debit | undefined> {
  const found = await find(ctx, `/payments/${encodeURIComponent(id)}`);
  return found === undefined ? undefined : readDebit(ctx, found);
}

async function readDebit(ctx: GoCardlessContext, answer: unknown): Promise<Debit> {
  const payment = paymentAnswer.parse(answer).payments;
  const triedAgain = payment.status === "failed" && (await isTriedAgain(ctx, payment.id));
  return toDebit(payment, { isTriedAgain: triedAgain });
}

/** GoCardless stores up to three entries of metadata, with keys of 50 characters and values of 500. */
function toOwner(companyId: number): { company_id: string } {
  return { company_id: String(companyId) };
}

function belongsTo(companyId: number, metadata: Record<string, unknown>): boolean {
  return metadata["company_id"] === toOwner(companyId).company_id;
}

/** Two installations on one account may use the same key; an object of the other is never ours. */
function requireOwn(id: string, isOwn: boolean): void {
  if (!isOwn) throw new Error(`GoCardless made ${id} under the same key for something else: use an account of its own`);
}

async function check(ctx: GoCardlessContext, webhookSecret: string | undefined): Promise<PartCheck> {
  const { accessToken } = ctx;
  const name = isLive(accessToken) ? "GoCardless" : "GoCardless (sandbox)";
  try {
    const { creditors } = creditorsAnswer.parse(await find(ctx, "/creditors"));
    const [creditor, ...others] = creditors;
    if (!creditor)
      return { isWell: false, message: `${name} has no creditor yet: finish setting up the account there` };
    const who = `${name} collects for ${creditor.name ?? "a creditor without a name"}`;
    if (others.length > 0) return { isWell: false, message: `${who} and others: use an account with one creditor` };
    if (isLive(accessToken) && creditor.verification_status === "action_required") {
      return { isWell: false, message: `${who}, who isn't verified: GoCardless's dashboard says what's missing` };
    }
    if (!webhookSecret) {
      return { isWell: false, message: `${who}, but we can't verify its webhooks: set GOCARDLESS_WEBHOOK_SECRET` };
    }
    return { isWell: true, message: `${who} (verification: ${creditor.verification_status ?? "unknown"})` };
  } catch (error) {
    return { isWell: false, message: faultText(name, error) };
  }
}

function faultText(name: string, error: unknown): string {
  const status = error instanceof GoCardlessError ? error.refusal.status : undefined;
  if (status === 401) return `${name} does not know the token: make one in its dashboard for GOCARDLESS_ACCESS_TOKEN`;
  if (status === 403) return `${name} refuses the token: GOCARDLESS_ACCESS_TOKEN must be allowed to read and write`;
  return error instanceof GoCardlessError
    ? `${name} gives an unexpected answer: ${error.message}`
    : `${name} can't be reached: check the network and GOCARDLESS_API_BASE`;
}
