import { randomUUID } from "node:crypto";

import type { Clock } from "../../clock.ts";
import type { PartCheck } from "../../part-check.ts";
import type { DebitGateway } from "../../payments/debit-gateway.ts";
import { createGoCardlessClient, type GoCardlessClient, type Patience } from "./client.ts";
import { GoCardlessError } from "./error.ts";
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

/** The door that GoCardless's webhooks come through is named so. */
export const GOCARDLESS = "gocardless";

type Setting = {
  /** Begins with `live_` or `sandbox_`, and so says which GoCardless it is for. */
  accessToken: string;
  /** Without one no webhook is believed; what happens is learnt by asking alone. */
  webhookSecret: string | undefined;
  /** GoCardless's own when not given. */
  apiBase?: string | undefined;
  clock: Clock;
  patience?: Patience;
};

/** Bacs Direct Debits by GoCardless (https://developer.gocardless.com/api-reference). */
export function createGoCardless(setting: Setting): DebitGateway {
  const { accessToken, webhookSecret, clock, patience } = setting;
  const host = isLive(accessToken) ? "https://api.gocardless.com" : "https://api-sandbox.gocardless.com";
  const client = createGoCardlessClient({ accessToken, apiBase: setting.apiBase ?? host, clock, patience });
  return {
    name: GOCARDLESS,
    ...createAgreements(client),
    ...createCollections(client),
    readNotices: (body, headers) => readWebhook(webhookSecret, { body, headers }),
    listNoticesSince: (since) => listEventsSince(since, client),
    check: () => check(setting, client),
  };
}

function isLive(accessToken: string): boolean {
  return accessToken.startsWith("live_");
}

type Agreements = Pick<DebitGateway, "createBillingRequest" | "openFlow" | "findBillingRequest" | "findMandate">;

function createAgreements(client: GoCardlessClient): Agreements {
  return {
    async createBillingRequest({ key, companyId, companyName }) {
      const metadata = { ...ownerOf(companyId), company_name: companyName.slice(0, 500) };
      const wanted = { mandate_request: { scheme: "bacs", currency: "GBP" }, metadata };
      const made = await client.create({ path: "/billing_requests", envelope: "billing_requests", wanted, key });
      const found = billingRequestAnswer.parse(made.body).billing_requests;
      if (made.isRepeat) requireOwn(found.id, isOf(companyId, found.metadata));
      return toBillingRequest(found);
    },

    async openFlow({ billingRequestId, companyName, email, returnUrl, exitUrl }) {
      const wanted = {
        redirect_uri: returnUrl,
        exit_uri: exitUrl,
        prefilled_customer: { company_name: companyName, email },
        links: { billing_request: billingRequestId },
      };
      const made = await client.create({
        path: "/billing_request_flows",
        envelope: "billing_request_flows",
        wanted,
        key: randomUUID,
      });
      const { authorisation_url, expires_at } = flowAnswer.parse(made.body).billing_request_flows;
      return { authorisationUrl: authorisation_url, expiresAt: expires_at };
    },

    async findBillingRequest(id) {
      const found = await client.find(`/billing_requests/${encodeURIComponent(id)}`);
      return found === undefined ? undefined : toBillingRequest(billingRequestAnswer.parse(found).billing_requests);
    },

    async findMandate(id) {
      const found = await client.find(`/mandates/${encodeURIComponent(id)}`);
      return found === undefined ? undefined : toMandate(mandateAnswer.parse(found).mandates);
    },
  };
}

function createCollections(client: GoCardlessClient): Pick<DebitGateway, "collect" | "findDebit"> {
  async function readDebit(answer: unknown) {
    const payment = paymentAnswer.parse(answer).payments;
    const triedAgain = payment.status === "failed" && (await isTriedAgain(payment.id, client));
    return toDebit(payment, { isTriedAgain: triedAgain });
  }

  return {
    async collect({ key, mandateId, amountInPence, currency, description, companyId }) {
      // An empty account is tried again where the provider has that switched on (Success+); elsewhere this changes nothing.
      const manner = { description, metadata: ownerOf(companyId), retry_if_possible: true };
      const wanted = { amount: amountInPence, currency, ...manner, links: { mandate: mandateId } };
      const made = await client.create({ path: "/payments", envelope: "payments", wanted, key });
      const { id, ...found } = paymentAnswer.parse(made.body).payments;
      // Not by the mandate: the bank may have replaced it since.
      const isOwn = found.amount === amountInPence && found.currency === currency && isOf(companyId, found.metadata);
      if (made.isRepeat) requireOwn(id, isOwn);
      return readDebit(made.body);
    },

    async findDebit(id) {
      const found = await client.find(`/payments/${encodeURIComponent(id)}`);
      return found === undefined ? undefined : readDebit(found);
    },
  };
}

/** GoCardless keeps up to three words with a thing, of 50 characters and 500. */
function ownerOf(companyId: number): { company_id: string } {
  return { company_id: String(companyId) };
}

function isOf(companyId: number, metadata: Record<string, unknown>): boolean {
  return metadata["company_id"] === ownerOf(companyId).company_id;
}

/** Two installations on one account may use one key: what the other has made is never taken for ours. */
function requireOwn(id: string, isOwn: boolean): void {
  if (!isOwn) throw new Error(`GoCardless made ${id} under the same key for something else: use an account of its own`);
}

async function check({ accessToken, webhookSecret }: Setting, client: GoCardlessClient): Promise<PartCheck> {
  const place = isLive(accessToken) ? "GoCardless" : "GoCardless (sandbox)";
  try {
    const { creditors } = creditorsAnswer.parse(await client.find("/creditors"));
    const [creditor, ...others] = creditors;
    if (!creditor) return { isWell: false, says: `${place} has no creditor yet: finish setting up the account there` };
    const who = `${place} collects for ${creditor.name ?? "a creditor without a name"}`;
    if (others.length > 0) return { isWell: false, says: `${who} and others: use an account with one creditor` };
    if (isLive(accessToken) && creditor.verification_status === "action_required") {
      return { isWell: false, says: `${who}, who is not verified: GoCardless's dashboard says what it needs` };
    }
    if (!webhookSecret) {
      return { isWell: false, says: `${who}, but no webhook is believed: set GOCARDLESS_WEBHOOK_SECRET` };
    }
    return { isWell: true, says: `${who} (verification: ${creditor.verification_status ?? "unknown"})` };
  } catch (error) {
    return { isWell: false, says: faultOf(place, error) };
  }
}

function faultOf(place: string, error: unknown): string {
  const status = error instanceof GoCardlessError ? error.refusal.status : undefined;
  if (status === 401) return `${place} does not know the token: make one in its dashboard for GOCARDLESS_ACCESS_TOKEN`;
  if (status === 403) return `${place} refuses the token: GOCARDLESS_ACCESS_TOKEN must be allowed to read and write`;
  return error instanceof GoCardlessError
    ? `${place} answers, but not as it should: ${error.message}`
    : `${place} cannot be asked: look at the network and at GOCARDLESS_API_BASE`;
}
