import { displayName } from "../../../server/accounts/rules.ts";
import type { AccountType } from "../../../server/database/schema.ts";
import { formatDate, formatPence } from "../../../server/format.ts";
import type { Plan, PlanType } from "../../../server/membership/plans.ts";
import type { Services } from "../../../server/services.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";
import type { Refusal } from "../../forms/answer.ts";
import type { PublicProduct } from "../../components/auth-layout.tsx";
import { factsOf, type PaymentScreen, todayOf, toPaymentScreen } from "./pay.ts";
import type { Fact } from "./step-bar.tsx";
import { isSettled, type Step } from "./steps.ts";
import type { Verification } from "./verification-box.tsx";

/** What the sign-up screen shows, as formatted texts: the browser computes no price and no date. */
export type SignUpScreen =
  | { name: "welcome" }
  | { name: "details"; typed: TypedDetails | undefined; isExpired: boolean }
  | PlanScreen
  | PaymentScreen
  | Outcome
  | LinkScreen;

/** What the first step was filled in with before. Never the password. */
type TypedDetails = Pick<Draft, "firstName" | "lastName" | "email"> & { accountType: AccountType; code: string };

type Visit = { step: Step; draft: Draft | undefined; params: URLSearchParams; hasSession: boolean };

export function toSignUpScreen(services: Services, { step, draft, params, hasSession }: Visit): SignUpScreen {
  const isExpired = params.has("expired");
  if (step === 0) return { name: "welcome" };
  if (step === 1) return { name: "details", typed: draft && typedOf(draft), isExpired };
  if (!draft) return { name: "improve" };
  if (step === 4) return toOutcome(draft, hasSession);
  const verification: Verification = {
    email: draft.email,
    isVerified: draft.isVerified,
    isSent: params.has("sent"),
    canChange: draft.purpose === "join",
  };
  return step === 2 ? toPlanScreen(services, draft, verification) : toPaymentScreen(services, draft, verification);
}

/** A finished draft does not fill in a new sign-up. */
function typedOf(draft: Draft): TypedDetails | undefined {
  if (isSettled(draft)) return undefined;
  const { firstName, lastName, email, accountType, code } = draft;
  return { firstName, lastName, email, accountType, code: code ?? "" };
}

/** The answer to a form of sign-up that stays open. */
export type SignUpAnswer =
  | (Refusal<"details" | "plan" | "verify" | "resend" | "pay"> & { isRegistered?: boolean })
  | { form: "verify" | "resend"; isDone: true };

/** What the component of a screen gets. */
export type ScreenProps<Name extends SignUpScreen["name"] = SignUpScreen["name"]> = {
  product: PublicProduct;
  screen: Extract<SignUpScreen, { name: Name }>;
  /** What a form of this screen was just answered with. */
  answer: SignUpAnswer | undefined;
  /** Where the visitor wanted to go before all this. */
  to: string | undefined;
};

type PlanScreen = {
  name: "plan";
  accountType: AccountType;
  /** The three plans; none for a sign-up by a company's code. */
  cards: PlanCard[];
  chosen: PlanType | undefined;
  /** What a company's members get. */
  facts: Fact[];
  verification: Verification;
};

/** One plan: its price a month, what is taken today, and when it ends. */
export type PlanCard = { type: PlanType; label: string; price: string; today: string; end: string };

export function toPlanScreen({ plans }: Services, draft: Draft, verification: Verification): PlanScreen {
  const { accountType, planType } = draft;
  const isIndividual = accountType === "individual";
  return {
    name: "plan",
    accountType,
    cards: isIndividual ? plans.map((plan) => toPlanCard(plan, draft.endsOfPlans[plan.type])) : [],
    chosen: planType,
    facts: isIndividual ? [] : factsOf(draft, undefined),
    verification,
  };
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

/** How it ended: the fourth step. */
type Outcome =
  | {
      name: "confirmation";
      accountType: AccountType;
      email: string;
      receiptNumber: string;
      amount: string;
      startsOn: string;
      endsOn: string;
      /** Whether this browser is logged in. */
      hasSession: boolean;
    }
  | { name: "checking" }
  | { name: "refunded"; amount: string }
  /** Nothing was bought. */
  | { name: "improve" };

function toOutcome({ payment, accountType, email }: Draft, hasSession: boolean): Outcome {
  switch (payment.state) {
    case "completed":
      return {
        name: "confirmation",
        accountType,
        email,
        receiptNumber: payment.receiptNumber,
        amount: formatPence(payment.amountInPence),
        startsOn: formatDate(payment.startsAt),
        endsOn: formatDate(payment.endsAt),
        hasSession,
      };
    case "refunded":
      return { name: "refunded", amount: formatPence(payment.amountInPence) };
    case "none":
    case "failed":
    case "unfinished":
    case "checking":
      return { name: "checking" };
  }
}

/** What a link of an email opens. Loading it changes nothing: mail scanners follow links (design, section 3). */
type LinkScreen =
  | { name: "verify-link"; token: string; email: string }
  | { name: "verified" }
  /** `endsOn`: of the current term, if there is one. */
  | { name: "renewal"; token: string; firstName: string; endsOn: string | undefined }
  | { name: "bad-link"; kind: "verify" | "renew" }
  /** Where a company returns to from the page of its Direct Debit. */
  | { name: "company"; hasAgreed: boolean };

/** The screen of an email's link; `undefined` for any other address. */
export async function findLinkScreen({ signUp }: Services, params: URLSearchParams): Promise<LinkScreen | undefined> {
  const verifying = params.get("verify");
  if (verifying !== null) {
    const found = await signUp.findVerification(verifying);
    return found ? { name: "verify-link", token: verifying, email: found.email } : { name: "bad-link", kind: "verify" };
  }
  const renewing = params.get("renew");
  if (renewing !== null) {
    const found = await signUp.findRenewal(renewing);
    if (!found) return { name: "bad-link", kind: "renew" };
    const endsOn = found.endsAt && formatDate(found.endsAt);
    return { name: "renewal", token: renewing, firstName: displayName(found.firstName), endsOn };
  }
  const company = params.get("company");
  if (company !== null) return { name: "company", hasAgreed: company === "agreed" };
  return params.has("verified") ? { name: "verified" } : undefined;
}

/**
 * The draft of a token. On the payment step an open payment is looked up at the gateway first: the browser may just have come back
 * from the payer's bank.
 */
export async function openDraft(
  { signUp }: Services,
  visit: { token: string; step: Step },
): Promise<Draft | undefined> {
  const draft = await signUp.findDraft(visit.token);
  const isOpen = draft?.payment.state === "unfinished" || draft?.payment.state === "checking";
  if (!isOpen || visit.step < 3) return draft;
  await signUp.settle(visit.token);
  return signUp.findDraft(visit.token);
}
