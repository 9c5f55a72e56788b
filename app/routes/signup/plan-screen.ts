import { formatDate, formatPence } from "../../../server/format.ts";
import type { Plan, PlanType } from "../../../server/membership/plans.ts";
import { CORPORATE_PLAN_LABEL } from "../../../server/membership/rules.ts";
import type { AccountType } from "../../../server/database/schema.ts";
import type { Services } from "../../../server/services.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";
import { fact, type Fact } from "./fact.ts";
import type { Verification } from "./sign-up-screen.ts";

export type PlanScreen = {
  name: "plan";
  purpose: Draft["purpose"];
  accountType: AccountType;
  /** The three plans; none for who joins by a company's code. */
  cards: PlanCard[];
  chosen: PlanType | undefined;
  /** What a company's members get. */
  facts: Fact[];
  verification: Verification;
};

/** One plan: what it costs a month, what is taken today, and when it is over. */
export type PlanCard = { type: PlanType; label: string; price: string; today: string; end: string };

export function toPlanScreen({ plans }: Services, draft: Draft, verification: Verification): PlanScreen {
  const { purpose, accountType, planType } = draft;
  const isIndividual = accountType === "individual";
  return {
    name: "plan",
    purpose,
    accountType,
    cards: isIndividual ? plans.map((plan) => toPlanCard(plan, draft.endsOfPlans[plan.type])) : [],
    chosen: planType,
    facts: isIndividual ? [] : factsOf(draft, undefined),
    verification,
  };
}

/** What is bought, and for how long. Without a plan it is a company's. */
export function factsOf({ startsAt, endsAt }: Draft, plan: Plan | undefined): Fact[] {
  const bought = plan
    ? [fact("Plan", plan.label), fact("Price", plan.priceText), fact("Taken now", todayOf(plan))]
    : [fact("Plan", CORPORATE_PLAN_LABEL)];
  const end = endsAt ? [fact("Membership ends", formatDate(endsAt))] : [];
  return [...bought, fact("Membership starts", formatDate(startsAt)), ...end];
}

function toPlanCard(plan: Plan, endsAt: Date): PlanCard {
  return {
    type: plan.type,
    label: plan.label,
    price: plan.priceText,
    today: todayOf(plan),
    end: `Ends on ${formatDate(endsAt)}, nothing more is taken`,
  };
}

function todayOf({ chargeInPence, periodText }: Plan): string {
  return `${formatPence(chargeInPence)} today for ${periodText}`;
}
