import { belongsTo, type Person } from "../../members/accounts/members.ts";
import type { AuditNote } from "../../platform/audit/audit.ts";
import { type Challenges, type OpenChallenge, RESEND_AFTER_IN_MS } from "../../members/challenges/challenges.ts";
import { after } from "../../platform/clock.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { AccountType } from "../../platform/database/schema.ts";
import { addMonths } from "../../platform/london-calendar.ts";
import { plans, type PlanType } from "../membership/plans.ts";
import type { PaymentView } from "../payments/records.ts";
import type { Browser, StartedSession } from "../../members/sessions/sessions.ts";
import type { SignUpContext, RequestSource } from "./context.ts";
import { type Details, saveDetails, type SaveDetailsResult } from "./details.ts";
import {
  claimDraftSession,
  type DraftRow,
  findDraft,
  findOpenDraft,
  findStarted,
  listExpiredDrafts,
  listOpenDrafts,
  type OpenDraft,
  removeDraft,
  setPlan,
  type StartedDraft,
  toDraft,
} from "./drafts.ts";
import { type DraftGift, findDraftGift, takeGiftForDraft, type TakeGiftResult } from "./taking-gift.ts";
import { CORPORATE_PLAN, payForDraft, type PaymentInput, type PayResult } from "./paying.ts";
import {
  findOwnRenewal,
  findRenewal,
  isPaidByCompany,
  findRenewed,
  type Renewed,
  type RenewalView,
  startOwnRenewal,
  startRenewal,
} from "./renewal.ts";
import {
  findVerification,
  findVerificationStart,
  PURPOSE,
  resendFor,
  type ResendResult,
  resendVerification,
  toSubject,
  verifyByCode,
  verifyByLink,
  type VerifyResult,
} from "./verification.ts";

export type { RequestSource } from "./context.ts";
export type { Details, DetailsRefusal } from "./details.ts";
export type { OpenDraft, StartedDraft } from "./drafts.ts";
export type { Missing, PaymentInput, PayResult } from "./paying.ts";

/**
 * How a visitor becomes a member: a draft, keyed by a token in the visitor's cookie, goes from details to plan to
 * payment and becomes an account with a subscription. A renewal does the same for an existing account.
 */
export type SignUp = {
  /** `undefined` once the draft has expired. */
  findDraft(token: string): Promise<Draft | undefined>;
  /** Its end: paying extends it, and the browser must know. */
  findStarted(token: string): Promise<StartedDraft | undefined>;
  /**
   * Step 1. Checks everything and answers every refusal; without any, stores the details in the draft of `token` or a
   * new one, and emails a link and a code to an unverified address.
   */
  saveDetails(details: Details): Promise<SaveDetailsResult>;
  verifyByCode(token: string, code: string): Promise<VerifyResult>;
  /** The data that the page behind the email's link may show before its button is pressed. */
  findVerification(linkToken: string): Promise<{ email: string } | undefined>;
  /** By the email's link, on any device; returns whether it was valid. */
  verifyByLink(linkToken: string): Promise<boolean>;
  /** Voids the earlier link and code. */
  resendVerification(token: string, from: RequestSource): Promise<ResendResult>;
  /** Step 2. Cancels an unfinished payment of another plan. */
  choosePlan(token: string, planType: PlanType): Promise<ChoosePlanResult>;
  /** Step 3, for both account types. Repeated clicks charge no card twice. */
  pay(token: string, payment: PaymentInput): Promise<PayResult>;
  /** In place of the payment, for a draft with a gift (`Details.giftCode`). Repeated clicks take up one gift. */
  takeGift(token: string, from: RequestSource): Promise<TakeGiftResult>;
  /** Looks up a payment under way at the gateway, and finishes what is paid for. */
  settle(token: string): Promise<void>;
  /** Logs in the browser that completed the draft, once; it may get the same session again for a quarter of an hour. */
  claimSession(token: string, browser?: Browser): Promise<StartedSession | undefined>;
  /** `undefined` when the link is not ours or too old. */
  findRenewal(linkToken: string): Promise<RenewalView | undefined>;
  /** For the next term too. */
  isPaidByCompany(memberId: number): Promise<boolean>;
  startRenewal(linkToken: string, from: RequestSource): Promise<StartedDraft | undefined>;
  /**
   * Whether a member may renew: their last term has ended or ends within a month, or a week where a company pays.
   * `undefined` also where another back end sells.
   */
  findOwnRenewal(memberId: number): Promise<RenewalView | undefined>;
  /** For a logged-in member who may renew. */
  startOwnRenewal(memberId: number, from: RequestSource): Promise<StartedDraft | undefined>;
  /** Sign-ups and renewals under way at one address, for operators. */
  listOpen(email: string): Promise<OpenDraft[]>;
  findOpen(draftId: number): Promise<OpenDraft | undefined>;
  /** Open verifications, without codes or tokens. */
  listChallenges(draftId: number): Promise<OpenChallenge[]>;
  resendFor(draftId: number, note: AuditNote): Promise<ResendResult>;
  /** The oldest first, without passwords. */
  listDraftsFor(person: Person): Promise<DraftRecord[]>;
  /** Deletes the drafts with their codes and links. */
  forgetDrafts(person: Person, trx: Queries): Promise<void>;
  /** A person has a sign-up or a renewal under way. */
  isAnyOpenFor(person: Person, trx: Queries): Promise<boolean>;
  /** Deletes ended drafts without a payment under way; returns how many. */
  purge(): Promise<number>;
};

export type ChoosePlanResult = { ok: true } | { ok: false; reason: "no-draft" | "paying" };

export function createSignUp(ctx: SignUpContext): SignUp {
  return {
    async findDraft(token) {
      const draft = await findDraft(ctx, token);
      return draft && toDraftView(ctx, draft);
    },
    findStarted: (token) => findStarted(ctx, token),
    saveDetails: (details) => saveDetails(ctx, details),
    verifyByCode: (token, code) => verifyByCode(ctx, { token, code }),
    findVerification: (linkToken) => findVerification(ctx, linkToken),
    verifyByLink: (linkToken) => verifyByLink(ctx, linkToken),
    resendVerification: (token) => resendVerification(ctx, token),
    choosePlan: (token, planType) => choosePlan(ctx, { token, planType }),
    pay: (token, payment) => payForDraft(ctx, token, payment),
    takeGift: (token, { address }) => takeGiftForDraft(ctx, token, address),
    async settle(token) {
      const draft = await findDraft(ctx, token);
      if (draft) await ctx.payments.settle({ draftId: draft.id });
    },
    claimSession: (token, browser) => claimSession(ctx, token, browser),
    findRenewal: (linkToken) => findRenewal(ctx, linkToken),
    isPaidByCompany: (memberId) => isPaidByCompany(ctx, memberId),
    startRenewal: (linkToken, { site }) => startRenewal(ctx, { linkToken, site }),
    findOwnRenewal: (memberId) => findOwnRenewal(ctx, memberId),
    startOwnRenewal: (memberId, { site }) => startOwnRenewal(ctx, { memberId, site }),
    listOpen: (email) => listOpenDrafts(ctx, email),
    findOpen: (draftId) => findOpenDraft(ctx, draftId),
    listChallenges: (draftId) => ctx.challenges.listOpen({ owner: draftId, purposes: [PURPOSE] }),
    resendFor: (draftId, note) => resendFor(ctx, draftId, note),
    listDraftsFor: (person) => listDraftsFor(ctx, person),
    forgetDrafts: (person, trx) => forgetDrafts({ ...ctx, db: trx }, person),
    async isAnyOpenFor(person, trx) {
      const drafts = await listDraftsFor({ db: trx }, person);
      return drafts.some(({ draft, expiresAt }) => draft.state === "open" && expiresAt > ctx.clock());
    },
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
  /** The gift that pays for it. */
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
  /** From an earlier try. */
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
