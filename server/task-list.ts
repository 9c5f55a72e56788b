import type { Closure, ErasesClosed } from "./accounts/closure.ts";
import type { Challenges } from "./challenges/challenges.ts";
import { HOUR_IN_MS, MINUTE_IN_MS, SECOND_IN_MS } from "./clock.ts";
import type { Companies } from "./codes/companies.ts";
import type { Catalogue } from "./content/catalogue.ts";
import type { Outbox } from "./email/outbox.ts";
import type { Notices } from "./notices/notices.ts";
import type { Payments } from "./payments/payments.ts";
import type { RateLimiter } from "./rate-limit/rate-limit.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { EndingLetters } from "./sign-up/renewal.ts";
import type { SignUp } from "./sign-up/sign-up.ts";
import type { Task } from "./tasks/tasks.ts";

type TaskRooms = {
  sessions: Sessions;
  rateLimiter: RateLimiter;
  challenges: Challenges;
  catalogue: Catalogue;
  outbox: Outbox;
  payments: Payments;
  companies: Companies;
  notices: Notices;
  signUp: SignUp;
  endingLetters: EndingLetters;
  closure: Closure;
  personalData: ErasesClosed;
  deliverDemoNotices: (() => Promise<unknown>) | undefined;
};

/**
 * Everything the house does by itself, and how often. A shared task is done once for all processes on one database; letters and
 * notices are claimed one by one, so any number of processes may work on them.
 */
export function listTasks(rooms: TaskRooms): Record<string, Task> {
  const { sessions, rateLimiter, challenges, catalogue, outbox, payments, companies, notices, signUp } = rooms;
  const { endingLetters, closure, personalData, deliverDemoNotices } = rooms;
  return {
    "send-mail": { everyInMs: SECOND_IN_MS, isShared: false, work: () => outbox.deliver() },
    "handle-notices": {
      everyInMs: SECOND_IN_MS,
      isShared: false,
      work: async () => {
        await deliverDemoNotices?.();
        await notices.handleWaiting();
      },
    },
    "catch-up-notices": { everyInMs: 10 * MINUTE_IN_MS, isShared: true, work: () => notices.catchUp() },
    "reconcile-payments": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => payments.reconcile() },
    "look-after-companies": { everyInMs: MINUTE_IN_MS, isShared: true, work: () => companies.upkeep() },
    "write-ending-letters": {
      everyInMs: 10 * MINUTE_IN_MS,
      isShared: true,
      work: async () => [await endingLetters.remind(), await endingLetters.tellEnded()],
    },
    "erase-closed-accounts": { everyInMs: HOUR_IN_MS, isShared: true, work: () => closure.eraseDue(personalData) },
    "refresh-catalogue": { everyInMs: MINUTE_IN_MS, isShared: false, work: () => catalogue.refresh() },
    "purge-expired": {
      everyInMs: HOUR_IN_MS,
      isShared: true,
      work: async () => {
        for (const room of [sessions, rateLimiter, challenges, signUp, payments, outbox, notices]) await room.purge();
      },
    },
  };
}
