import type { OwnAccount } from "./members/accounts/accounts.ts";
import type { Challenges } from "./members/challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "./platform/clock.ts";
import type { Companies } from "./money/companies/companies.ts";
import type { CompanyPage } from "./money/companies/page/company-page.ts";
import type { Catalogue } from "./content/catalogue/catalogue.ts";
import type { Outbox } from "./platform/email/outbox.ts";
import type { Tally } from "./operations/figures/tally.ts";
import type { EmptySearches } from "./operations/figures/empty-searches.ts";
import type { Figures } from "./operations/figures/figures.ts";
import type { MemberFiles } from "./operations/moving/member-files.ts";
import type { Newsletter } from "./operations/newsletter/newsletter.ts";
import type { Operators } from "./operations/operators/operators.ts";
import type { Gifts } from "./money/gifts/gifts.ts";
import type { Payments } from "./money/payments/payments.ts";
import type { PersonalData } from "./operations/personal-data/personal-data.ts";
import type { RateLimiter } from "./platform/rate-limit/rate-limit.ts";
import type { Sessions } from "./members/sessions/sessions.ts";
import type { SignUp } from "./money/sign-up/sign-up.ts";
import type { Webhooks } from "./platform/webhooks/webhooks.ts";
import type { Job } from "./platform/jobs/jobs.ts";

export type JobServices = Pick<OwnAccount, "closure" | "profile"> & {
  sessions: Sessions;
  operators: Operators;
  catalogue: Catalogue;
  outbox: Outbox;
  payments: Payments;
  gifts: Gifts;
  companies: Companies;
  companyPage: CompanyPage;
  webhooks: Webhooks;
  signUp: SignUp;
  personalData: PersonalData;
  figures: Figures;
  emptySearches: EmptySearches;
  tally: Tally;
  newsletter: Newsletter;
  memberFiles: MemberFiles;
  rateLimiter: RateLimiter;
  challenges: Challenges;
  sendEndingEmails: () => Promise<void>;
  deliverDemoWebhooks: (() => Promise<unknown>) | undefined;
};

/**
 * Every job, and how often it runs. A shared job runs once for all processes on one database. Emails and webhook events
 * are claimed one by one, so any number of processes may work on them.
 */
export function listJobs(services: JobServices): Record<string, Job> {
  const { catalogue, outbox, payments, gifts, companies, companyPage, webhooks, sendEndingEmails } = services;
  const {
    closure,
    profile,
    personalData,
    deliverDemoWebhooks,
    figures,
    emptySearches,
    tally,
    newsletter,
    memberFiles,
  } = services;
  return {
    "send-mail": { everyInMs: SECOND_IN_MS, isShared: false, overlaps: true, work: () => outbox.deliver() },
    "handle-webhooks": {
      everyInMs: SECOND_IN_MS,
      isShared: false,
      work: async () => {
        await deliverDemoWebhooks?.();
        await webhooks.handleWaiting();
      },
    },
    "catch-up-webhooks": { everyInMs: 10 * MINUTE_IN_MS, isShared: true, work: () => webhooks.catchUp() },
    "reconcile-payments": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => payments.reconcile() },
    "note-cards": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => payments.noteCards() },
    "look-after-gifts": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => gifts.lookAfter() },
    "look-after-companies": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => companies.upkeep() },
    "count-company-months": { everyInMs: HOUR_IN_MS, isShared: true, work: () => companyPage.countMonths() },
    "send-ending-emails": { everyInMs: 10 * MINUTE_IN_MS, isShared: true, work: () => sendEndingEmails() },
    "send-newsletter": { everyInMs: HOUR_IN_MS, isShared: true, work: () => newsletter.send() },
    "import-members": { everyInMs: 10 * SECOND_IN_MS, isShared: true, work: () => memberFiles.work() },
    "move-held-addresses": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => profile.moveHeldAddresses() },
    "erase-closed-accounts": { everyInMs: HOUR_IN_MS, isShared: true, work: () => closure.eraseDue(personalData) },
    "refresh-catalogue": { everyInMs: MINUTE_IN_MS, isShared: false, work: () => catalogue.refresh() },
    "count-days": { everyInMs: HOUR_IN_MS, isShared: true, work: () => figures.countDays() },
    "note-empty-searches": {
      everyInMs: MINUTE_IN_MS,
      isShared: false,
      work: async () => (await emptySearches.write()) + (await tally.write()),
    },
    "purge-expired": { everyInMs: HOUR_IN_MS, isShared: true, work: () => purge(services) },
  };
}

async function purge(services: JobServices): Promise<void> {
  const { sessions, operators, companyPage, rateLimiter, challenges, signUp } = services;
  const { payments, gifts, outbox, webhooks, emptySearches, memberFiles } = services;
  const forgetful = [
    sessions,
    operators,
    companyPage,
    rateLimiter,
    challenges,
    signUp,
    payments,
    gifts,
    outbox,
    webhooks,
    emptySearches,
    memberFiles,
  ];
  for (const module of forgetful) await module.purge();
}
