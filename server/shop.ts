import { createCodes } from "./codes/codes.ts";
import { createCompanies, type Companies } from "./codes/companies.ts";
import type { Config } from "./config.ts";
import type { Gateways } from "./gateways.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createOutbox } from "./mail/outbox.ts";
import { createPost } from "./mail/post.ts";
import { createNotices, type NoticeGateway } from "./notices/notices.ts";
import { createPayments } from "./payments/payments.ts";
import { createSeal } from "./seal.ts";
import { createCompletion } from "./sign-up/completion.ts";
import { createDrafts } from "./sign-up/drafts.ts";
import { createEndingLetters } from "./sign-up/ending-letters.ts";
import { createRenewalLinks } from "./sign-up/renewal-links.ts";
import { createSignUp } from "./sign-up/sign-up.ts";
import type { Ground, People } from "./people.ts";

type ShopParts = { config: Config; gateways: Gateways; mailer: Mailer };

/** The rooms that sell, and write letters about it. */
export function createShop(house: Ground & People, { config, gateways, mailer }: ShopParts) {
  const { product, site } = config;
  const { keyedHash } = house;
  const outbox = createOutbox({ ...house, mailer, seal: createSeal(config.sessionSecret, "letters") });
  const letters = createPost({ outbox, product, site });
  const codes = createCodes({ ...house, productName: product.name });
  const companies = createCompanies({
    ...house,
    codes,
    gateway: gateways.debits,
    productName: product.name,
    tell: letters,
  });
  const drafts = createDrafts({ ...house, hash: keyedHash("draft") });
  const renewalLinks = createRenewalLinks({ ...house, hash: keyedHash("renewal") });
  const fulfil = createCompletion({ ...house, drafts, codes, letters });
  const payments = createPayments({ ...house, gateway: gateways.cards, fulfil, letters });
  const shared = { ...house, codes, letters, links: renewalLinks };
  return {
    outbox,
    letters,
    codes,
    companies,
    payments,
    renewalLinks,
    signUp: createSignUp({ ...shared, drafts, payments, productName: product.name }),
    endingLetters: createEndingLetters({ ...shared, site }),
    notices: createNotices({ ...house, gateways: [payments.noticeGateway, toNoticeGateway(gateways, companies)] }),
  };
}

function toNoticeGateway({ debits }: Gateways, companies: Companies): NoticeGateway {
  return {
    name: debits.name,
    read: (body, headers) => debits.readNotices(body, headers),
    listSince: (since) => debits.listNoticesSince(since),
    handle: async (notice) => void (await companies.handleNotice(notice)),
  };
}
