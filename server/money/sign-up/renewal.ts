import type { Accounts, Member } from "../../members/accounts/accounts.ts";
import { after, DAY_IN_MS, HOUR_IN_MS } from "../../platform/clock.ts";
import type { CodeView } from "../companies/code.ts";
import type { Codes } from "../companies/codes.ts";
import type { Context } from "../../context.ts";
import type { Queries } from "../../platform/database/database.ts";
import { EMAILS_A_TRANSACTION } from "../../platform/email/outbox.ts";
import type { Ending } from "./emails.ts";
import { type HeldSubscription, type Membership, REMIND_BEFORE_IN_MS } from "../membership/membership.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { createSignedIds, type SignedIds } from "../../platform/seal.ts";
import type { SignUpContext } from "./context.ts";
import { addDraft, type DraftRow, type StartedDraft } from "./drafts.ts";

/** From a week before the end of a term to some two months after it. */
export const RENEWAL_LINK_LIFE_IN_MS = 70 * DAY_IN_MS;

/** Links to step 2 for one account. */
export function createRenewalLinks({ clock, keyedHash }: Context): SignedIds {
  return createSignedIds(keyedHash("renewal"), { clock, lifeInMs: RENEWAL_LINK_LIFE_IN_MS });
}

export type RenewalView = { firstName: string; endsAt: Date | undefined; company?: PayingCompany | undefined };

/** `opensAt`: until then a member with a seat cannot renew, because the company has paid for the year ahead. */
export type PayingCompany = { name: string | undefined; opensAt: Date | undefined };

export async function findRenewal(ctx: SignUpContext, linkToken: string): Promise<RenewalView | undefined> {
  const member = await findLinkMember(ctx, linkToken);
  if (!member) return undefined;
  const endsAt = await ctx.membership.findCoverEnd(member.id);
  return { firstName: member.firstName, endsAt, company: await findPayingCompany(ctx, { member, endsAt }) };
}

/** Then no renewal link is sent: the company pays for the next term too. */
export async function isPaidByCompany(ctx: SignUpContext, memberId: number): Promise<boolean> {
  const member = await ctx.accounts.findMember(memberId);
  const endsAt = await ctx.membership.findCoverEnd(memberId);
  return (
    member !== undefined && endsAt !== undefined && (await findPayingCompany(ctx, { member, endsAt })) !== undefined
  );
}

async function findPayingCompany(
  ctx: SignUpContext,
  { member, endsAt }: { member: Member; endsAt: Date | undefined },
): Promise<PayingCompany | undefined> {
  const code = member.accountType === "corporate" ? await findGoodCode(ctx, member.id) : undefined;
  if (!code) return undefined;
  const opensAt = endsAt && after(endsAt, -REMIND_BEFORE_IN_MS);
  const isEarly =
    opensAt && opensAt > ctx.clock() && (await ctx.codes.listSeatsFor(member.id)).some((seat) => !seat.endsAt);
  return { name: code.company?.name, opensAt: isEarly ? opensAt : undefined };
}

async function findLinkMember(
  { renewalLinks, accounts }: SignUpContext,
  linkToken: string,
): Promise<Member | undefined> {
  const memberId = renewalLinks.read(linkToken);
  return memberId === undefined ? undefined : accounts.findMember(memberId);
}

/** The emailed link proves the account's address. */
export async function startRenewal(
  ctx: SignUpContext,
  { linkToken, site }: { linkToken: string; site: string },
): Promise<StartedDraft | undefined> {
  const member = await findLinkMember(ctx, linkToken);
  return member && addRenewal(ctx, { member, site });
}

/** The member's own page offers a renewal so long before the end. */
const RENEW_MONTHS_BEFORE = 1;
/** The longest month, with the hour of a clock change. */
const LONGEST_MONTH_IN_MS = 31 * DAY_IN_MS + HOUR_IN_MS;

export async function findOwnRenewal(ctx: SignUpContext, memberId: number): Promise<RenewalView | undefined> {
  const endsAt = await ctx.membership.findCoverEnd(memberId);
  const now = ctx.clock();
  // Most members have longer, and need neither the calendar nor their account.
  if (endsAt && endsAt > after(now, RENEW_MONTHS_BEFORE * LONGEST_MONTH_IN_MS)) return undefined;
  const member = await ctx.joining.findRenewing(memberId);
  if (!member) return undefined;
  // A company pays for the next year in the last week of this one, and not before.
  const company = await findPayingCompany(ctx, { member, endsAt });
  const from = company ? after(now, REMIND_BEFORE_IN_MS) : addMonths(now, RENEW_MONTHS_BEFORE);
  return endsAt === undefined || endsAt <= from ? { firstName: member.firstName, endsAt, company } : undefined;
}

export async function startOwnRenewal(
  ctx: SignUpContext,
  { memberId, site }: { memberId: number; site: string },
): Promise<StartedDraft | undefined> {
  const member = (await findOwnRenewal(ctx, memberId)) && (await ctx.accounts.findMember(memberId));
  return member && addRenewal(ctx, { member, site });
}

/** A term bought elsewhere since a draft was begun; a page that knows it sends the receipt number. */
export type Renewed = { receiptNumber: string; at: Date; endsAt: Date };

/** For an open renewal draft: its page may show outdated dates, and paying would buy a second term. */
export async function findRenewed(
  { payments, membership }: SignUpContext,
  { id, purpose, state, memberId, createdAt }: DraftRow,
): Promise<Renewed | undefined> {
  if (purpose !== "renew" || state !== "open" || memberId === undefined) return undefined;
  const bought = await payments.findCompletedSince(memberId, { since: createdAt, besides: id });
  const endsAt = bought && (await membership.findCoverEnd(memberId));
  return bought && endsAt && { receiptNumber: bought.receiptNumber, at: bought.paidAt, endsAt };
}

async function addRenewal(
  ctx: SignUpContext,
  { member, site }: { member: Member; site: string },
): Promise<StartedDraft> {
  const { email, firstName, lastName } = member;
  const code = member.accountType === "corporate" ? await findGoodCode(ctx, member.id) : undefined;
  return addDraft(ctx, {
    purpose: "renew",
    memberId: member.id,
    email,
    firstName,
    lastName,
    accountType: code ? "corporate" : "individual",
    code: code?.code,
    protectedPassword: undefined,
    isVerified: true,
    site,
  });
}

/** The company's code while the company pays; without one the member may renew as an individual. */
async function findGoodCode({ payments, codes }: SignUpContext, memberId: number): Promise<CodeView | undefined> {
  const code = await payments.findLastCode(memberId);
  const check = code === undefined ? undefined : await codes.check(code, memberId);
  return check?.isValid ? check.code : undefined;
}

/** Members who left longer ago have noticed; after a long outage a server must not email them all. */
const EMAIL_WITHIN_IN_MS = 30 * DAY_IN_MS;
export type EndingsContext = Context & {
  accounts: Accounts;
  membership: Membership;
  codes: Codes;
  renewalLinks: SignedIds;
  site: string;
  emails: {
    renewalReminder(ending: Ending, trx: Queries): Promise<void>;
    membershipEnded(ending: Ending, trx: Queries): Promise<void>;
  };
};

/** Emails members before and at the end of their membership, with a renewal link (docs/behaviour.md, Plans). */
export async function sendEndingEmails(ctx: EndingsContext): Promise<void> {
  while (await remindSome(ctx));
  // The term of a seat's company has ended, so the seat is free again.
  await ctx.codes.releaseEnded();
  while (await emailSomeEnded(ctx));
}

function remindSome(ctx: EndingsContext): Promise<boolean> {
  return ctx.db.transaction().execute(async (trx) => {
    const now = ctx.clock();
    const window = { from: now, to: after(now, REMIND_BEFORE_IN_MS), limit: EMAILS_A_TRANSACTION };
    const { endings, hasMore } = await ctx.membership.claimReminders(window, trx);
    for (const subscription of endings) {
      const ending = await toEnding({ ...ctx, db: trx }, subscription);
      if (ending) await ctx.emails.renewalReminder(ending, trx);
    }
    return hasMore;
  });
}

function emailSomeEnded(ctx: EndingsContext): Promise<boolean> {
  const { db, clock, membership, codes, emails } = ctx;
  return db.transaction().execute(async (trx) => {
    const now = clock();
    const window = { from: new Date(0), to: now, limit: EMAILS_A_TRANSACTION };
    const { endings, hasMore } = await membership.claimEndEmails(window, trx);
    for (const subscription of endings) {
      const ending = await toEnding({ ...ctx, db: trx }, subscription);
      await codes.releaseSeat(subscription.memberId, trx);
      const isRecent = subscription.endsAt > after(now, -EMAIL_WITHIN_IN_MS);
      if (ending && isRecent) await emails.membershipEnded(ending, trx);
    }
    return hasMore;
  });
}

async function toEnding(
  { db, accounts, codes, renewalLinks, site }: EndingsContext,
  subscription: HeldSubscription,
): Promise<Ending | undefined> {
  const member = await accounts.findMember(subscription.memberId, db);
  if (!member) return undefined;
  const link = `${site}signup?renew=${renewalLinks.make(member.id)}`;
  const [seat] = await codes.listSeatsFor(member.id, db);
  const code = seat && !seat.endsAt ? await codes.findView(seat.code, db) : undefined;
  // The member's own seat may make the code full.
  const isCompanys = code !== undefined && (code.fault === undefined || code.fault === "full");
  return { subscriptionId: subscription.id, member, endsAt: subscription.endsAt, link, site, isCompanys };
}
