import { type Expression, expressionBuilder, sql, type SqlBool } from "kysely";

import type { Person } from "../accounts/accounts.ts";
import { toEmailKey } from "../accounts/rules.ts";
import { type Challenges, RESEND_AFTER_IN_MS } from "../challenges/challenges.ts";
import { after, type Clock } from "../clock.ts";
import type { Queries } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Membership } from "../membership/membership.ts";
import { addMonths, plans, type PlanType } from "../membership/plans.ts";
import type { Payments } from "../payments/payments.ts";
import { type DraftRow, toDraft } from "./drafts.ts";
import { CORPORATE_PLAN } from "./paying.ts";
import type { Draft } from "./sign-up.ts";
import { PURPOSE, subjectOf, type Verification } from "./verification.ts";

/** What a person has filled in to join or to renew, as long as it is kept: also what never became an account. */
export type DraftRecords = {
  /** Oldest first, without the password. */
  listDraftsFor(person: Person): Promise<DraftRecord[]>;
  /** Forgets the drafts, and the codes and links that were mailed for them. */
  forgetDrafts(person: Person, trx: Queries): Promise<void>;
};

export type DraftRecord = { draft: Omit<DraftRow, "keptPassword">; createdAt: Date; expiresAt: Date };

export function createDraftRecords({ db, challenges }: { db: Queries; challenges: Challenges }): DraftRecords {
  return {
    async listDraftsFor(person) {
      const rows = await db.selectFrom("drafts").selectAll().where(isOf(person)).orderBy("id").execute();
      return rows.map((row) => {
        const { keptPassword: _, ...draft } = toDraft(row);
        return { draft, createdAt: new Date(row.created_at), expiresAt: new Date(row.expires_at) };
      });
    },

    async forgetDrafts(person, trx) {
      const forgotten = await trx.deleteFrom("drafts").where(isOf(person)).returning(["id", "email"]).execute();
      for (const draft of forgotten) await challenges.void(PURPOSE, subjectOf(draft), trx);
    },
  };
}

/** Only a completed draft has its member's number; what was left half-way is known by the address. */
function isOf({ memberId, email }: Person): Expression<SqlBool> {
  const where = expressionBuilder<Schema, "drafts">();
  return where.or([
    where("member_id", "=", memberId),
    where.and([where("member_id", "is", null), where(sql<string>`lower(email)`, "=", toEmailKey(email))]),
  ]);
}

type ViewServices = { clock: Clock; membership: Membership; payments: Payments; verification: Verification };

/** A draft as its visitor may see it: with the dates it would buy, and how its payment stands. */
export async function toDraftView(
  draft: DraftRow,
  { clock, membership, payments, verification }: ViewServices,
): Promise<Draft> {
  const { purpose, accountType, email, firstName, lastName, code, isVerified } = draft;
  const sentAt = isVerified ? undefined : await verification.findStart(draft);
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
