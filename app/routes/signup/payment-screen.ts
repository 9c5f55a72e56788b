import { redirect, redirectDocument, type RouterContextProvider } from "react-router";

import { formatPence } from "../../../server/format.ts";
import type { AccountType } from "../../../server/database/schema.ts";
import type { PlanType } from "../../../server/membership/plans.ts";
import type { CardFields } from "../../../server/payments/card-gateway.ts";
import type { Services } from "../../../server/services.ts";
import type { PaymentView } from "../../../server/payments/records.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";
import { declines, payment as words } from "../../../server/refusals.ts";
import { cardScriptContext } from "../../middleware/security-headers.ts";
import { fact, type Fact } from "./fact.ts";
import { factsOf } from "./plan-screen.ts";
import type { SignUpScreen, Verification } from "./sign-up-screen.ts";
import { stepPath } from "./steps.ts";

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
  /** Where a form that was sent without script goes on: the page of the gateway, or of the payer's bank. */
  leavesFor: string | undefined;
  /** Whether a gateway's own script has a part in the page. */
  hasCardScript: boolean;
};

export function toPaymentScreen(services: Services, draft: Draft, verification: Verification): PaymentScreen {
  const { purpose, accountType, planType, code, email, firstName, lastName } = draft;
  const plan = accountType === "individual" ? services.plans.find(({ type }) => type === planType) : undefined;
  return {
    name: "payment",
    purpose,
    accountType,
    facts: [...factsOf(draft, plan), ...(code ? [fact(`${services.product.name} code`, code)] : [])],
    plan: plan?.type,
    amount: plan && formatPence(plan.chargeInPence),
    cardFields: services.cardFields,
    postcode: draft.postcode,
    payer: { name: `${firstName} ${lastName}`, email },
    trouble: troubleOf(draft.payment),
    verification,
    leavesFor: undefined,
    hasCardScript: plan !== undefined && services.cardFields.kind === "stripe",
  };
}

/** What of an address says that the page is only passed through. */
const LEAVING = "leaving";

/** The path of the page that leads on to another host. */
export function leavingPath(to?: string): string {
  return `${stepPath(3, to)}&${LEAVING}=1`;
}

type Payer = { accountType: AccountType; to: string | undefined };

/** On to the payment step, as a document where a gateway's script has a part in it: by a navigation it would be loaded twice. */
export function redirectToPayment({ cardFields }: Services, { accountType, to }: Payer): Response {
  const hasCardScript = accountType === "individual" && cardFields.kind === "stripe";
  return (hasCardScript ? redirectDocument : redirect)(stepPath(3, to), 303);
}

type Visit = { context: Readonly<RouterContextProvider>; params: URLSearchParams };

/** Makes the payment step what its address asks for, and lets in the script that has a part in it. Other screens stay as they are. */
export function openPayment(screen: SignUpScreen, { context, params }: Visit): SignUpScreen {
  if (screen.name !== "payment") return screen;
  const leavesFor = params.has(LEAVING) ? screen.trouble?.actionUrl : undefined;
  if (leavesFor) return { ...screen, leavesFor, trouble: undefined, hasCardScript: false };
  if (screen.hasCardScript) context.set(cardScriptContext, "stripe");
  return screen;
}

/** What Stripe adds to an address that it sends a browser back to (docs.stripe.com/payments/3d-secure). */
const NOTES = ["payment_intent", "payment_intent_client_secret", "redirect_status"];

/**
 * The parameters without those, if there are any: one is a secret, which has no place in an address bar, a history or a log. How the
 * payment stands is asked of the gateway.
 */
export function withoutGatewaysNotes(params: URLSearchParams): URLSearchParams | undefined {
  if (!NOTES.some((name) => params.has(name))) return undefined;
  return new URLSearchParams([...params].filter(([name]) => !NOTES.includes(name)));
}

function troubleOf(payment: PaymentView): PaymentScreen["trouble"] {
  if (payment.state === "failed") return { sentence: declines.ours[payment.decline] };
  if (payment.state === "unfinished") return { sentence: words.ours.unfinished, actionUrl: payment.actionUrl };
  return undefined;
}
