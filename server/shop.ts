import { createCodes } from "./codes/codes.ts";
import { type Companies, createCompanies } from "./codes/companies.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import type { Emails } from "./email/emails.ts";
import type { Outbox } from "./email/outbox.ts";
import type { Gateways } from "./gateways.ts";
import { createWebhooks, type WebhookGateway } from "./webhooks/webhooks.ts";
import { createPayments } from "./payments/payments.ts";
import type { People } from "./people.ts";
import { createRemoteShop } from "./provider/provider-shop.ts";
import type { Provider } from "./provider/provider.ts";
import { createCompletion, createOwnAdmission } from "./sign-up/admission.ts";
import { createDrafts } from "./sign-up/drafts.ts";
import { createEndingEmails, createRenewalLinks } from "./sign-up/renewal.ts";
import { createSignUp } from "./sign-up/sign-up.ts";

type ShopParts = { config: Config; gateways: Gateways; provider: Provider | undefined };
type ShopHouse = Context & People & { outbox: Outbox; emails: Emails };

/** The services that sell, and write emails about it. */
export function createShop(house: ShopHouse, { config, gateways, provider }: ShopParts) {
  const { product, site } = config;
  const { keyedHash } = house;
  const { outbox, emails } = house;
  const drafts = createDrafts({ ...house, hash: keyedHash("draft") });
  const remote = provider && createRemoteShop(house, { config, provider, drafts, sessions: house.sessions });
  const ownCodes = createCodes({ ...house, productName: product.name });
  const codes = remote?.takeCodes(ownCodes) ?? ownCodes;
  const companies = createCompanies({
    ...house,
    codes,
    gateway: gateways.debits,
    productName: product.name,
    emails: emails,
  });
  const renewalLinks = remote?.renewalLinks ?? createRenewalLinks({ ...house, hash: keyedHash("renewal") });
  const ownPayments = createPayments({
    ...house,
    gateway: remote?.cards ?? gateways.cards,
    fulfil: remote?.fulfil ?? createCompletion({ ...house, drafts, codes, emails }),
    emails: remote?.paymentEmails ?? emails,
  });
  const payments = remote?.takePayments(ownPayments) ?? ownPayments;
  const admission = remote?.admission ?? createOwnAdmission(house);
  const shared = { ...house, codes, emails, links: renewalLinks };
  return {
    outbox,
    emails,
    codes,
    companies,
    payments,
    renewalLinks,
    signUp: createSignUp({ ...shared, drafts, payments, admission, productName: product.name }),
    endingEmails: remote?.endingEmails ?? createEndingEmails({ ...shared, site }),
    webhooks: createWebhooks({ ...house, gateways: [payments.webhookGateway, toWebhookGateway(gateways, companies)] }),
  };
}

function toWebhookGateway({ debits }: Gateways, companies: Companies): WebhookGateway {
  return {
    name: debits.name,
    read: (body, headers) => debits.readEvents(body, headers),
    listSince: (since) => debits.listEventsSince(since),
    handle: async (webhook) => void (await companies.handleEvent(webhook)),
  };
}
