import { formatPence } from "../../../server/format.ts";
import type { AccountType } from "../../../server/database/schema.ts";
import type { PlanType } from "../../../server/membership/plans.ts";
import type { CardFields } from "../../../server/payments/card-gateway.ts";
import type { Rooms } from "../../../server/rooms.ts";
import type { Draft, PaymentView } from "../../../server/sign-up/sign-up.ts";
import { declines } from "./declines.ts";
import { fact, type Fact } from "./fact.ts";
import { factsOf } from "./plan-screen.ts";
import type { Verification } from "./sign-up-screen.ts";

export type PaymentScreen = {
  name: "payment";
  purpose: Draft["purpose"];
  accountType: AccountType;
  /** What is bought. */
  facts: Fact[];
  plan: PlanType | undefined;
  /** What is taken now; nothing from who joins by a company's code. */
  amount: string | undefined;
  cardFields: CardFields;
  /** As it was given at an earlier try. */
  postcode: string | undefined;
  /** What card fields tell the gateway of whoever pays. */
  payer: { name: string; email: string };
  /** What became of the last try. */
  trouble: { sentence: string; actionUrl?: string } | undefined;
  verification: Verification;
};

export function toPaymentScreen(rooms: Rooms, draft: Draft, verification: Verification): PaymentScreen {
  const { purpose, accountType, planType, code, email, firstName, lastName } = draft;
  const plan = accountType === "individual" ? rooms.plans.find(({ type }) => type === planType) : undefined;
  return {
    name: "payment",
    purpose,
    accountType,
    facts: [...factsOf(draft, plan), ...(code ? [fact(`${rooms.product.name} code`, code)] : [])],
    plan: plan?.type,
    amount: plan && formatPence(plan.chargeInPence),
    cardFields: rooms.cardFields,
    postcode: draft.postcode,
    payer: { name: `${firstName} ${lastName}`, email },
    trouble: troubleOf(draft.payment),
    verification,
  };
}

const UNFINISHED = "This payment was begun and not finished. Nothing was taken.";

function troubleOf(payment: PaymentView): PaymentScreen["trouble"] {
  if (payment.state === "failed") return { sentence: declines[payment.decline] };
  if (payment.state === "unfinished") return { sentence: UNFINISHED, actionUrl: payment.actionUrl };
  return undefined;
}
