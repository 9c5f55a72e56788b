import { timingSafeEqual } from "node:crypto";

import type { Accounts } from "../accounts/accounts.ts";
import { after, type Clock, DAY_IN_MS } from "../clock.ts";
import type { Codes } from "../codes/codes.ts";
import type { Queries } from "../database/database.ts";
import type { Ending } from "../email/emails.ts";
import type { KeyedHash } from "../keyed-hash.ts";
import { type EndingSubscription, REMIND_BEFORE_IN_MS } from "../membership/endings.ts";
import type { Membership } from "../membership/membership.ts";
import type { Payments } from "../payments/payments.ts";
import type { Drafts } from "./drafts.ts";
import type { SignUp } from "./sign-up.ts";

/** Signed links that open step 2 for one account; nothing is stored of them. */
export type RenewalLinks = {
  make(memberId: number): string;
  /** The member of a link of ours that is not too old. */
  read(token: string): number | undefined;
};

/** From a week before the end of a term to some two months after it. */
export const RENEWAL_LINK_LIFE_IN_MS = 70 * DAY_IN_MS;

export function createRenewalLinks({ clock, hash }: { clock: Clock; hash: KeyedHash }): RenewalLinks {
  return {
    make(memberId) {
      const claim = `${memberId}.${after(clock(), RENEWAL_LINK_LIFE_IN_MS).getTime()}`;
      return `${claim}.${hash(claim)}`;
    },

    read(token) {
      const [, memberId = "", endsAt = "", signature = ""] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
      const expected = Buffer.from(hash(`${memberId}.${endsAt}`));
      const given = Buffer.from(signature);
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs && clock().getTime() < Number(endsAt) ? Number(memberId) : undefined;
    },
  };
}

type RenewalServices = {
  db: Queries;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  payments: Payments;
  drafts: Drafts;
  links: RenewalLinks;
};

/** A mailed link starts a draft for an account that exists; its address is proved by the mail. */
export function createRenewal(services: RenewalServices): Pick<SignUp, "findRenewal" | "startRenewal"> {
  const { db, accounts, membership, codes, payments, drafts, links } = services;

  async function findMember(linkToken: string) {
    const memberId = links.read(linkToken);
    return memberId === undefined ? undefined : accounts.findMember(memberId);
  }

  return {
    async findRenewal(linkToken) {
      const member = await findMember(linkToken);
      return member && { firstName: member.firstName, endsAt: await membership.findCoverEnd(member.id) };
    },

    async startRenewal(linkToken, { site }) {
      const member = await findMember(linkToken);
      if (!member) return undefined;
      const { email, firstName, lastName } = member;
      const code = member.accountType === "corporate" ? await findGoodCode(member.id) : undefined;
      return drafts.add(
        {
          purpose: "renew",
          memberId: member.id,
          email,
          firstName,
          lastName,
          accountType: code ? "corporate" : "individual",
          code,
          keptPassword: undefined,
          isVerified: true,
          site,
        },
        db,
      );
    },
  };

  /** The company's code while the company still pays; without one the member may renew as an individual. */
  async function findGoodCode(memberId: number): Promise<string | undefined> {
    const code = await payments.findLastCode(memberId);
    const check = code === undefined ? undefined : await codes.check(code, memberId);
    return check?.isValid ? code : undefined;
  }
}

/** Writes to members before and at the end of their membership, each with the link that renews it (design, section 4). */
export type EndingEmails = {
  /** Seven days before the end; answers how many. */
  remind(): Promise<number>;
  /** At the end. A seat at a company's code is free again from then on, or from when its company's term has ended. Answers how many. */
  tellEnded(): Promise<number>;
};

/** Who left longer ago than this has noticed; a house that was closed for long does not start by writing to them all. */
const TELL_WITHIN_IN_MS = 30 * DAY_IN_MS;
const AT_ONCE = 100;

type EndingEmailsServices = {
  db: Queries;
  clock: Clock;
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  links: RenewalLinks;
  site: string;
  emails: {
    renewalReminder(ending: Ending, trx: Queries): Promise<void>;
    membershipEnded(ending: Ending, trx: Queries): Promise<void>;
  };
};

export function createEndingEmails(services: EndingEmailsServices): EndingEmails {
  const { db, clock, accounts, membership, codes, links, emails, site } = services;
  return {
    remind: () =>
      db.transaction().execute(async (trx) => {
        const now = clock();
        const window = { from: now, to: after(now, REMIND_BEFORE_IN_MS), limit: AT_ONCE };
        const endings = await membership.claimReminders(window, trx);
        for (const subscription of endings) {
          const ending = await toEnding(subscription, trx);
          if (ending) await emails.renewalReminder(ending, trx);
        }
        return endings.length;
      }),

    async tellEnded() {
      await codes.releaseEnded();
      return db.transaction().execute(async (trx) => {
        const now = clock();
        const endings = await membership.claimEndEmails({ from: new Date(0), to: now, limit: AT_ONCE }, trx);
        for (const subscription of endings) {
          await codes.releaseSeat(subscription.memberId, trx);
          const ending = await toEnding(subscription, trx);
          const isRecent = subscription.endsAt > after(now, -TELL_WITHIN_IN_MS);
          if (ending && isRecent) await emails.membershipEnded(ending, trx);
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
