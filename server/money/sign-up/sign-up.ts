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
 * How a visitor becomes a member: a draft in the database, keyed by a token in the visitor's cookie, that goes from details to
 * plan to payment and ends as an account with a subscription. Renewing is the same for a person who has an account already.
 */
export type SignUp = {
  /** The living draft behind a token. */
  findDraft(token: string): Promise<Draft | undefined>;
  /** How long it lives: paying lets it live on, and its browser must know. */
  findStarted(token: string): Promise<StartedDraft | undefined>;
  /**
   * Step 1. Checks everything at once and answers every refusal; if there is none, keeps the details in the draft behind
   * `token` or in a new one, and emails a link and a code to an address that is not verified yet.
   */
  saveDetails(details: Details): Promise<SaveDetailsResult>;
  /** The six-digit code of the email. */
  verifyByCode(token: string, code: string): Promise<VerifyResult>;
  /** The facts that the page behind the email's link may show before its button is pressed. */
  findVerification(linkToken: string): Promise<{ email: string } | undefined>;
  /** The email's link, on whatever device: answers whether it was good. */
  verifyByLink(linkToken: string): Promise<boolean>;
  /** Emails a new link and code; the ones before are void. */
  resendVerification(token: string, from: RequestSource): Promise<ResendResult>;
  /** Step 2. Cancels a payment of another plan that was begun and not finished. */
  choosePlan(token: string, planType: PlanType): Promise<ChoosePlanResult>;
  /** Step 3, for both account types: no card is charged twice, whatever is pressed twice. */
  pay(token: string, payment: PaymentInput): Promise<PayResult>;
  /** Looks at the gateway for how a payment that was begun has ended, and finishes what is paid for. A no-op otherwise. */
  settle(token: string): Promise<void>;
  /**
   * Logs in the browser that has completed the draft, once; for a quarter of an hour it may ask for the same session again. The claim and
   * the session are one transaction.
   */
  claimSession(token: string, browser?: Browser): Promise<StartedSession | undefined>;
  /** Whom a renewal link is for; `undefined` when it is not one of ours or too old. */
  findRenewal(linkToken: string): Promise<RenewalView | undefined>;
  /** Whether a company pays for a member now, and for the next term too. */
  isPaidByCompany(memberId: number): Promise<boolean>;
  /** Starts a draft that renews the account of a renewal link. */
  startRenewal(linkToken: string, from: RequestSource): Promise<StartedDraft | undefined>;
  /**
   * Whether a member may renew by themselves: their last term has ended or ends within a month, within a week where a company pays.
   * `undefined` if not, and where another back end sells.
   */
  findOwnRenewal(memberId: number): Promise<RenewalView | undefined>;
  /** Starts a draft that renews the account of a member who is logged in and may renew. */
  startOwnRenewal(memberId: number, from: RequestSource): Promise<StartedDraft | undefined>;
  /** The sign-ups and renewals under way of one address, for an operator who is asked for help. */
  listOpen(email: string): Promise<OpenDraft[]>;
  findOpen(draftId: number): Promise<OpenDraft | undefined>;
  /** The verifications of a draft that wait for an answer: never a code or a token. */
  listChallenges(draftId: number): Promise<OpenChallenge[]>;
  /** `resendVerification` for a draft that an operator has found. */
  resendFor(draftId: number, note: AuditNote): Promise<ResendResult>;
  /** A person's drafts, oldest first, without the password. */
  listDraftsFor(person: Person): Promise<DraftRecord[]>;
  /** Forgets the drafts, and the codes and links that were emailed for them. */
  forgetDrafts(person: Person, trx: Queries): Promise<void>;
  /** Whether a person has a sign-up or a renewal under way. */
  isAnyOpenFor(person: Person, trx: Queries): Promise<boolean>;
  /** Forgets drafts that are over and have no payment under way; answers how many. */
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
    async settle(token) {
      const draft = await findDraft(ctx, token);
      if (draft) await ctx.payments.settle(draft.id);
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
  if (isOther && (await ctx.payments.giveUp(draft.id)) !== "given-up") return { ok: false, reason: "paying" };
  await setPlan(ctx, { id: draft.id, planType });
  return { ok: true };
}

const PURGED_AT_ONCE = 500;

async function purgeDrafts(ctx: SignUpContext): Promise<number> {
  let count = 0;
  for (const id of await listExpiredDrafts(ctx, PURGED_AT_ONCE)) {
    if (await ctx.payments.isAnyUnsettled(id)) {
      await ctx.joining.forgetEndedPassword(id);
      continue;
    }
    await removeDraft(ctx, id);
    count += 1;
  }
  return count;
}

/** A draft as its visitor may see it. */
export type Draft = {
  purpose: "join" | "renew";
  accountType: AccountType;
  email: string;
  firstName: string;
  lastName: string;
  code: string | undefined;
  isVerified: boolean;
  /** When a new verification email may be asked for; in the past when it may be now. */
  mayResendAt: Date;
  planType: PlanType | undefined;
  /** The term that paying now would buy: from today, or from the end of what is paid already. */
  startsAt: Date;
  endsAt: Date | undefined;
  /** Where each plan would end. */
  endsOfPlans: Record<PlanType, Date>;
  /** A renewal that was paid elsewhere after this one was begun: on another device, say. */
  renewed: Renewed | undefined;
  /** As it was given at an earlier try. */
  postcode: string | undefined;
  payment: PaymentView;
};

/** A draft as it is kept, without the password. */
export type DraftRecord = {
  draft: Omit<DraftRow, "protectedPassword" | "createdAt">;
  createdAt: Date;
  expiresAt: Date;
};

/** A person's drafts to join or to renew, oldest first: also those that never became an account. */
export async function listDraftsFor({ db }: { db: Queries }, person: Person): Promise<DraftRecord[]> {
  const rows = await db.selectFrom("drafts").selectAll().where(belongsTo(person)).orderBy("id").execute();
  return rows.map((row) => {
    const { protectedPassword: _, createdAt, ...draft } = toDraft(row);
    return { draft, createdAt, expiresAt: row.expiresAt };
  });
}

/** Forgets a person's drafts, and the codes and links that were emailed for them. */
async function forgetDrafts(
  { db: trx, challenges }: { db: Queries; challenges: Challenges },
  person: Person,
): Promise<void> {
  const forgotten = await trx.deleteFrom("drafts").where(belongsTo(person)).returning(["id", "email"]).execute();
  for (const draft of forgotten) await challenges.void(PURPOSE, toSubject(draft), trx);
}

/** A draft as its visitor may see it: with the dates it would buy, and the state of its payment. */
async function toDraftView(ctx: SignUpContext, draft: DraftRow): Promise<Draft> {
  const { clock, membership, payments } = ctx;
  const { purpose, accountType, email, firstName, lastName, code, isVerified } = draft;
  const sentAt = isVerified ? undefined : await findVerificationStart(ctx, draft);
  const planType = accountType === "corporate" ? CORPORATE_PLAN : draft.planType;
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
    code,
    isVerified,
    mayResendAt: sentAt ? after(sentAt, RESEND_AFTER_IN_MS) : clock(),
    planType,
    startsAt,
    endsAt: planType && endsOfPlans[planType],
    endsOfPlans,
    renewed: await findRenewed(ctx, draft),
    postcode: await payments.findPostcode(draft.id),
    payment: await payments.findView(draft.id),
  };
}
