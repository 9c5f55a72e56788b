import { RESEND_AFTER_IN_MS } from "../challenges/challenges.ts";
import { after, type Clock } from "../clock.ts";
import type { Membership } from "../membership/membership.ts";
import { addMonths, plans, type PlanType } from "../membership/plans.ts";
import type { Payments } from "../payments/payments.ts";
import type { DraftRow } from "./draft-rows.ts";
import { CORPORATE_PLAN } from "./paying.ts";
import type { Draft } from "./sign-up.ts";
import type { Verification } from "./verification.ts";

type ViewRooms = { clock: Clock; membership: Membership; payments: Payments; verification: Verification };

/** A draft as its visitor may see it: with the dates it would buy, and how its payment stands. */
export async function toDraftView(
  draft: DraftRow,
  { clock, membership, payments, verification }: ViewRooms,
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
