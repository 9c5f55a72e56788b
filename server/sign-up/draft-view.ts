import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { toEmailKey } from "../accounts/rules.ts";
import { type Challenges, RESEND_AFTER_IN_MS } from "../challenges/challenges.ts";
import { after } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { AccountType, Schema } from "../database/schema.ts";
import { addMonths, plans, type PlanType } from "../membership/plans.ts";
import type { PaymentView } from "../payments/records.ts";
import type { SignUpContext } from "./context.ts";
import { type DraftRow, toDraft } from "./drafts.ts";
import { CORPORATE_PLAN } from "./paying.ts";
import { findVerificationStart, PURPOSE, subjectOf } from "./verification.ts";

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
  /** As it was given at an earlier try. */
  postcode: string | undefined;
  payment: PaymentView;
};

/** A draft as it is kept, without the password. */
export type DraftRecord = { draft: Omit<DraftRow, "keptPassword">; createdAt: Date; expiresAt: Date };

/** What a person has filled in to join or to renew, oldest first: also what never became an account. */
export async function listDraftsFor({ db }: { db: Queries }, person: Person): Promise<DraftRecord[]> {
  const rows = await db.selectFrom("drafts").selectAll().where(isOf(person)).orderBy("id").execute();
  return rows.map((row) => {
    const { keptPassword: _, ...draft } = toDraft(row);
    return { draft, createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) };
  });
}

/** Forgets a person's drafts, and the codes and links that were emailed for them. */
export async function forgetDrafts(
  { db: trx, challenges }: { db: Queries; challenges: Challenges },
  person: Person,
): Promise<void> {
  const forgotten = await trx.deleteFrom("drafts").where(isOf(person)).returning(["id", "email"]).execute();
  for (const draft of forgotten) await challenges.void(PURPOSE, subjectOf(draft), trx);
}

/** Only a completed draft has its member's number; what was left half-way is known by the address. */
function isOf({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "drafts">();
  return where.or([
    where("member_id", "=", memberId),
    where.and([where("member_id", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}

/** A draft as its visitor may see it: with the dates it would buy, and how its payment stands. */
export async function toDraftView(ctx: SignUpContext, draft: DraftRow): Promise<Draft> {
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
    postcode: await payments.findPostcode(draft.id),
    payment: await payments.findView(draft.id),
  };
}
