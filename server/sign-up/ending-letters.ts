import type { Accounts } from "../accounts/accounts.ts";
import { after, type Clock, DAY_IN_MS } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { Ending } from "../email/emails.ts";
import { type EndingSubscription, REMIND_BEFORE_IN_MS } from "../membership/endings.ts";
import type { Membership } from "../membership/membership.ts";
import type { RenewalLinks } from "./renewal-links.ts";

/** Writes to members before and at the end of their membership, each with the link that renews it (design, section 4). */
export type EndingLetters = {
  /** Seven days before the end; answers how many. */
  remind(): Promise<number>;
  /** At the end. A seat at a company's code is free again from then on, or from when its company's term has ended. Answers how many. */
  tellEnded(): Promise<number>;
};

/** Who left longer ago than this has noticed; a house that was closed for long does not start by writing to them all. */
const TELL_WITHIN_IN_MS = 30 * DAY_IN_MS;
const AT_ONCE = 100;

type EndingLettersRooms = {
  db: Queries;
  clock: Clock;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  links: RenewalLinks;
  site: string;
  letters: {
    renewalReminder(ending: Ending, trx: Queries): Promise<void>;
    membershipEnded(ending: Ending, trx: Queries): Promise<void>;
  };
};

export function createEndingLetters(rooms: EndingLettersRooms): EndingLetters {
  const { db, clock, accounts, membership, codes, links, letters, site } = rooms;
  return {
    remind: () =>
      db.transaction().execute(async (trx) => {
        const now = clock();
        const window = { from: now, to: after(now, REMIND_BEFORE_IN_MS), limit: AT_ONCE };
        const endings = await membership.claimReminders(window, trx);
        for (const subscription of endings) {
          const ending = await toEnding(subscription, trx);
          if (ending) await letters.renewalReminder(ending, trx);
        }
        return endings.length;
      }),

    async tellEnded() {
      await codes.releaseEnded();
      return db.transaction().execute(async (trx) => {
        const now = clock();
        const endings = await membership.claimEndLetters({ from: new Date(0), to: now, limit: AT_ONCE }, trx);
        for (const subscription of endings) {
          await codes.releaseSeat(subscription.memberId, trx);
          const ending = await toEnding(subscription, trx);
          const isRecent = subscription.endsAt > after(now, -TELL_WITHIN_IN_MS);
          if (ending && isRecent) await letters.membershipEnded(ending, trx);
        }
        return endings.length;
      });
    },
  };

  async function toEnding(subscription: EndingSubscription, trx: Queries): Promise<Ending | undefined> {
    const member = await accounts.findMember(subscription.memberId, trx);
    if (!member) return undefined;
    const link = `${site}signup?renew=${links.make(member.id)}`;
    return { subscriptionId: subscription.id, member, endsAt: subscription.endsAt, link, site };
  }
}
