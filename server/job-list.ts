import type { Closure, ErasesClosed } from "./accounts/closure.ts";
import type { Challenges } from "./challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "./clock.ts";
import type { Companies } from "./codes/companies.ts";
import type { Catalogue } from "./content/catalogue.ts";
import type { Outbox } from "./email/outbox.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";
import type { Payments } from "./payments/payments.ts";
import type { RateLimiter } from "./rate-limit/rate-limit.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { EndingEmails } from "./sign-up/renewal.ts";
import type { SignUp } from "./sign-up/sign-up.ts";
import type { Job } from "./jobs/jobs.ts";

type JobServices = {
  sessions: Sessions;
  rateLimiter: RateLimiter;
  challenges: Challenges;
  catalogue: Catalogue;
  outbox: Outbox;
  payments: Payments;
  companies: Companies;
  webhooks: Webhooks;
  signUp: SignUp;
  endingEmails: EndingEmails;
  closure: Closure;
  personalData: ErasesClosed;
  deliverDemoWebhooks: (() => Promise<unknown>) | undefined;
};

/**
 * Everything the house does by itself, and how often. A shared job is done once for all processes on one database; emails and
 * webhook events are claimed one by one, so any number of processes may work on them.
 */
export function listJobs(services: JobServices): Record<string, Job> {
  const { sessions, rateLimiter, challenges, catalogue, outbox, payments, companies, webhooks, signUp } = services;
  const { endingEmails, closure, personalData, deliverDemoWebhooks } = services;
  return {
    "send-mail": { everyInMs: SECOND_IN_MS, isShared: false, work: () => outbox.deliver() },
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
    "look-after-companies": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => companies.upkeep() },
    "send-ending-emails": {
      everyInMs: 10 * MINUTE_IN_MS,
      isShared: true,
      work: async () => [await endingEmails.remind(), await endingEmails.tellEnded()],
    },
    "erase-closed-accounts": { everyInMs: HOUR_IN_MS, isShared: true, work: () => closure.eraseDue(personalData) },
    "refresh-catalogue": { everyInMs: MINUTE_IN_MS, isShared: false, work: () => catalogue.refresh() },
    "purge-expired": {
      everyInMs: HOUR_IN_MS,
      isShared: true,
      work: async () => {
        for (const room of [sessions, rateLimiter, challenges, signUp, payments, outbox, webhooks]) await room.purge();
      },
    },
  };
}
