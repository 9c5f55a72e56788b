import type { Person } from "../../members/accounts/accounts.ts";
import { belongsTo } from "../../members/accounts/members.ts";
import type { AuditNote } from "../../platform/audit/audit.ts";
import { type Challenges, RESEND_AFTER_IN_MS } from "../../members/challenges/challenges.ts";
import { after } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { plans, type PlanType } from "../membership/plans.ts";
import type { PaymentView } from "../payments/records.ts";
import type { Browser, StartedSession } from "../../members/sessions/sessions.ts";
import type { SignUpContext, RequestSource } from "./context.ts";
import { type Details, saveDetails } from "./details.ts";
import {
  claimDraftSession,
  type DraftRow,
  findDraft,
  findOpenDraft,
  findStarted,
  listExpiredDrafts,
  listOpenDrafts,
  removeDraft,
  setPlan,
  toDraft,
} from "./drafts.ts";
import { type DraftGift, findDraftGift, takeGiftForDraft } from "./taking-gift.ts";
import { CORPORATE_PLAN, payForDraft, type PaymentInput } from "./paying.ts";
import {
  findOwnRenewal,
  findRenewal,
  isPaidByCompany,
  findRenewed,
  type Renewed,
  startOwnRenewal,
  startRenewal,
} from "./renewal.ts";
import {
  findVerification,
  findVerificationStart,
  PURPOSE,
  resendFor,
  resendVerification,
  toSubject,
  verifyByCode,
  verifyByLink,
} from "./verification.ts";

export type { RequestSource } from "./context.ts";
export type { Details, DetailsRefusal } from "./details.ts";
export type { OpenDraft, StartedDraft } from "./drafts.ts";
export type { Missing, PaymentInput, PayResult } from "./paying.ts";

export type ChoosePlanResult = { ok: true } | { ok: false; reason: "no-draft" | "paying" };

/**
 * How a visitor becomes a member: a draft, keyed by a token in the visitor's cookie, goes from details to plan to
 * payment and becomes an account with a subscription. A renewal does the same for an existing account.
 */
export type SignUp = ReturnType<typeof createSignUp>;

export function createSignUp(ctx: SignUpContext) {
  return {
    async findDraft(token: string): Promise<Draft | undefined> {
      const draft = await findDraft(ctx, token);
      return draft && toDraftView(ctx, draft);
    },
    /** Its end: paying extends it, and the browser must know. */
    findStarted: (token: string) => findStarted(ctx, token),
    /**
     * Step 1. Checks everything and answers every refusal; without any, stores the details in the draft of `token` or a
     * new one, and emails a link and a code to an unverified address.
     */
    saveDetails: (details: Details) => saveDetails(ctx, details),
    verifyByCode: (token: string, code: string) => verifyByCode(ctx, { token, code }),
    /** The data that the page behind the email's link may show before its button is pressed. */
    findVerification: (linkToken: string) => findVerification(ctx, linkToken),
    /** By the email's link, on any device; returns whether it was valid. */
    verifyByLink: (linkToken: string) => verifyByLink(ctx, linkToken),
    /** Voids the earlier link and code. */
    resendVerification: (token: string) => resendVerification(ctx, token),
    /** Step 2. Cancels an unfinished payment of another plan. */
    choosePlan: (token: string, planType: PlanType) => choosePlan(ctx, { token, planType }),
    /** Step 3, for both account types. Repeated clicks charge no card twice. */
    pay: (token: string, payment: PaymentInput) => payForDraft(ctx, token, payment),
    /** In place of the payment, for a draft with a gift (`Details.giftCode`). Repeated clicks take up one gift. */
    takeGift: (token: string, { address }: RequestSource) => takeGiftForDraft(ctx, token, address),
    /** Looks up a payment under way at the gateway, and finishes what is paid for. */
    async settle(token: string): Promise<void> {
      const draft = await findDraft(ctx, token);
      if (draft) await ctx.payments.settle({ draftId: draft.id });
    },
    /** Logs in the browser that completed the draft, once; it may get the same session again for a quarter of an hour. */
    claimSession: (token: string, browser?: Browser) => claimSession(ctx, token, browser),
    findRenewal: (linkToken: string) => findRenewal(ctx, linkToken),
    /** For the next term too. */
    isPaidByCompany: (memberId: number) => isPaidByCompany(ctx, memberId),
    startRenewal: (linkToken: string, { site }: RequestSource) => startRenewal(ctx, { linkToken, site }),
    /**
     * Whether a member may renew: their last term has ended or ends within a month, or a week where a company pays.
     * `undefined` also where another back end sells.
     */
    findOwnRenewal: (memberId: number) => findOwnRenewal(ctx, memberId),
    /** For a logged-in member who may renew. */
    startOwnRenewal: (memberId: number, { site }: RequestSource) => startOwnRenewal(ctx, { memberId, site }),
    /** Sign-ups and renewals under way at one address, for operators. */
    listOpen: (email: string) => listOpenDrafts(ctx, email),
    findOpen: (draftId: number) => findOpenDraft(ctx, draftId),
    /** Open verifications, without codes or tokens. */
    listChallenges: (draftId: number) => ctx.challenges.listOpen({ owner: draftId, purposes: [PURPOSE] }),
    resendFor: (draftId: number, note: AuditNote) => resendFor(ctx, draftId, note),
    /** The oldest first, without passwords. */
    listDraftsFor: (person: Person) => listDraftsFor(ctx, person),
    forgetDrafts: (person: Person, trx: Queries) => forgetDrafts({ ...ctx, db: trx }, person),
    /** A person has a sign-up or a renewal under way. */
    async isAnyOpenFor(person: Person, trx: Queries): Promise<boolean> {
      const drafts = await listDraftsFor({ db: trx }, person);
      return drafts.some(({ draft, expiresAt }) => draft.state === "open" && expiresAt > ctx.clock());
    },
    /** Deletes ended drafts without a payment under way; returns how many. */
    purge: () => purgeDrafts(ctx),
  };
}

async function claimSession(
  ctx: SignUpContext,
  token: string,
  browser: Browser | undefined,
): Promise<StartedSession | undefined> {
  const started = await ctx.db.transaction().execute(async (trx) => {
    const memberId = await claimDraftSession({ ...ctx, db: trx }, token);
    if (memberId === undefined) return undefined;
    ctx.reach("session-claimed");
    return ctx.joining.startSession(memberId, browser, { secret: token, trx });
  });
  if (!started) return (await ctx.sessions.findClaimed(token, browser))?.session;
  await ctx.joining.welcome();
  return started;
}

async function choosePlan(
  ctx: SignUpContext,
  { token, planType }: { token: string; planType: PlanType },
): Promise<ChoosePlanResult> {
  const draft = await findDraft(ctx, token);
  if (!draft) return { ok: false, reason: "no-draft" };
  if (draft.state !== "open") return { ok: false, reason: "paying" };
  const isOther = draft.planType !== planType;
  if (isOther && (await ctx.payments.giveUp({ draftId: draft.id })) !== "given-up")
    return { ok: false, reason: "paying" };
  await setPlan(ctx, { id: draft.id, planType });
  return { ok: true };
}

const PURGED_AT_ONCE = 500;

async function purgeDrafts(ctx: SignUpContext): Promise<number> {
  let count = 0;
  for (const id of await listExpiredDrafts(ctx, PURGED_AT_ONCE)) {
    if (await ctx.payments.isAnyUnsettled({ draftId: id })) {
      await ctx.joining.forgetEndedPassword(id);
      continue;
    }
    await removeDraft(ctx, id);
    count += 1;
  }
  return count;
}

export type Draft = {
  purpose: "join" | "renew";
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  code: string | undefined;
  gift: DraftGift | undefined;
  isVerified: boolean;
  /** Past: a new verification email may be requested now. */
  mayResendAt: Date;
  planType: PlanType | undefined;
  /** The term that paying now would buy, from today or from the end of the paid term. */
  startsAt: Date;
  endsAt: Date | undefined;
  endsOfPlans: Record<PlanType, Date>;
  /** Paid elsewhere since this renewal was begun. */
  renewed: Renewed | undefined;
  postcode: string | undefined;
  payment: PaymentView;
};

export type DraftRecord = {
  draft: Omit<DraftRow, "protectedPassword" | "createdAt">;
  createdAt: Date;
  expiresAt: Date;
};

export async function listDraftsFor({ db }: { db: Queries }, person: Person): Promise<DraftRecord[]> {
  const rows = await db.selectFrom("drafts").selectAll().where(belongsTo(person)).orderBy("id").execute();
  return rows.map((row) => {
    const { protectedPassword: _, createdAt, ...draft } = toDraft(row);
    return { draft, createdAt, expiresAt: row.expiresAt };
  });
}

async function forgetDrafts(
  { db: trx, challenges }: { db: Queries; challenges: Challenges },
  person: Person,
): Promise<void> {
  const forgotten = await trx.deleteFrom("drafts").where(belongsTo(person)).returning(["id", "email"]).execute();
  for (const draft of forgotten) await challenges.void(PURPOSE, toSubject(draft), trx);
}

async function toDraftView(ctx: SignUpContext, draft: DraftRow): Promise<Draft> {
  const { clock, membership, payments } = ctx;
  const { purpose, accountType, email, firstName, lastName, code, isVerified } = draft;
  const sentAt = isVerified ? undefined : await findVerificationStart(ctx, draft);
  const gift = await findDraftGift(ctx, draft);
  const planType = accountType === "corporate" ? CORPORATE_PLAN : (gift?.offer?.planType ?? draft.planType);
  const coverEndsAt = draft.memberId === undefined ? undefined : await membership.findCoverEnd(draft.memberId);
  const startsAt = coverEndsAt ?? clock();
  const ends = Object.values(plans).map(({ type, months }) => [type, addMonths(startsAt, months)]);
  const endsOfPlans = Object.fromEntries(ends) as Record<PlanType, Date>;
  return {
    purpose,
    accountType,
    email,
    firstName,
    lastName,
    code: gift ? undefined : code,
    gift,
    isVerified,
    mayResendAt: sentAt ? after(sentAt, RESEND_AFTER_IN_MS) : clock(),
    planType,
    startsAt,
    endsAt: planType && endsOfPlans[planType],
    endsOfPlans,
    renewed: await findRenewed(ctx, draft),
    postcode: await payments.findPostcode({ draftId: draft.id }),
    payment: await payments.findView({ draftId: draft.id }),
  };
}
