import { redirect } from "react-router";

import { displayName } from "../../../../server/platform/text.ts";
import { toCodeKey } from "../../../../server/money/companies/rules.ts";
import { itemKinds, kinds } from "../../../../server/content/catalogue/kinds.ts";
import { formatChoice, formatDate, formatList, formatPence } from "../../../../server/platform/format.ts";
import type { NewsletterState } from "../../../../server/operations/newsletter/newsletter.ts";
import type { Services } from "../../../../server/services.ts";
import type { RenewalView } from "../../../../server/money/sign-up/renewal.ts";
import type { Draft } from "../../../../server/money/sign-up/sign-up.ts";
import type { PublicProduct } from "../login/auth-layout.tsx";
import { logInPath } from "../login/paths.ts";
import { listFacts, toPaymentScreen, toRenewedNote } from "./pay.ts";
import { FOR_CODE, isSettled, OWN_RENEWAL, renewPath, type SignUpAnswer, type Step } from "./steps.ts";
import type { Verification } from "./verification-box.tsx";
import { toWelcomeScreen } from "./welcome-screen.ts";

/** The state of the sign-up screen, as formatted texts: the browser computes no price and no date. */
export type SignUpScreen = ReturnType<typeof toSignUpScreen> | LinkScreen;

type Visit = {
  step: Step;
  draft: Draft | undefined;
  params: URLSearchParams;
  hasSession: boolean;
  newsletter: NewsletterState | undefined;
};

export function toSignUpScreen(services: Services, { step, draft, params, hasSession, newsletter }: Visit) {
  if (step === 0) return toWelcomeScreen(services);
  if (step === 1) {
    const typed = (draft && toTyped(draft)) ?? readPosterCode(params);
    return { name: "details" as const, typed, isForCode: params.has(FOR_CODE), isExpired: params.has("expired") };
  }
  if (!draft) return toImproveScreen(services);
  if (step === 4) return toOutcome(draft, { hasSession, newsletter });
  const verification: Verification = {
    email: draft.email,
    isVerified: draft.isVerified,
    isSent: params.has("sent"),
    canChange: draft.purpose === "join",
  };
  return step === 2 ? toPlanScreen(services, draft, verification) : toPaymentScreen(services, draft, verification);
}

/** The values that fill in the first step, never the password. A finished draft does not fill in a new sign-up. */
function toTyped(draft: Draft) {
  if (isSettled(draft)) return undefined;
  const { firstName, lastName, email, accountType, code } = draft;
  return { firstName, lastName, email, accountType, code: code ?? "" };
}

/** The code in the address that a company's poster leads to. A text that is no code is ignored. */
function readPosterCode(params: URLSearchParams) {
  const code = toCodeKey(params.get("code") ?? "");
  return code === undefined ? undefined : { accountType: "corporate" as const, code };
}

/** The props of a screen's component. */
export type ScreenProps<Name extends SignUpScreen["name"] = SignUpScreen["name"]> = {
  product: PublicProduct;
  screen: Extract<SignUpScreen, { name: Name }>;
  /** The answer to a form of this screen. */
  answer: SignUpAnswer | undefined;
  /** Where the visitor wanted to go before all this. */
  to: string | undefined;
};

/** The kinds of items, and the terms that are sold. */
function toImproveScreen({ plans }: Services) {
  return {
    name: "improve" as const,
    items: formatList(itemKinds.map((kind) => kinds[kind].one.toLowerCase())),
    terms: formatChoice(plans.map(({ periodText }) => periodText)),
  };
}

/** The plans, or none and what a company's members get for a sign-up by its code. */
export function toPlanScreen(services: Services, draft: Draft, verification: Verification) {
  const { accountType, planType, endsOfPlans } = draft;
  const isIndividual = accountType === "individual";
  const cards = services.plans.map((plan) => ({
    type: plan.type,
    label: plan.label,
    /** The sum that is taken, and for how long it is. */
    sum: formatPence(plan.chargeInPence),
    term: `today for ${plan.periodText}`,
    price: plan.priceText,
    end: `Ends on ${formatDate(endsOfPlans[plan.type])}, nothing more is taken`,
  }));
  return {
    name: "plan" as const,
    accountType,
    cards: isIndividual ? cards : [],
    chosen: planType,
    renewed: toRenewedNote(draft, services),
    facts: isIndividual ? [] : listFacts(draft, undefined),
    verification,
  };
}

/** Whether a member gets "New this month", where it can be asked for at all. */
export async function findNewsletter(
  { newsletter, capabilities }: Services,
  memberId: number | undefined,
): Promise<NewsletterState | undefined> {
  return memberId === undefined || !capabilities.canGetNewsletter ? undefined : newsletter.find(memberId);
}

/** How it ended: the fourth step. */
function toOutcome(
  { payment, accountType, email }: Draft,
  { hasSession, newsletter }: Pick<Visit, "hasSession" | "newsletter">,
) {
  switch (payment.state) {
    case "completed":
      return {
        name: "confirmation" as const,
        accountType,
        email,
        receiptNumber: payment.receiptNumber,
        amount: formatPence(payment.amountInPence),
        startsOn: formatDate(payment.startsAt),
        endsOn: formatDate(payment.endsAt),
        /** Whether this browser is logged in. */
        hasSession,
        newsletter,
      };
    case "refunded":
      return { name: "refunded" as const, amount: formatPence(payment.amountInPence) };
    case "none":
    case "failed":
    case "unfinished":
    case "checking":
      return { name: "checking" as const };
  }
}

export type LinkScreen =
  | { name: "verify-link"; token: string; email: string }
  | { name: "verified" }
  /** `endsOn`: of the current term, if there is one. */
  | {
      name: "renewal";
      token: string;
      firstName: string;
      endsOn: string | undefined;
      company?: PayingCompany | undefined;
    }
  | { name: "bad-link"; kind: "verify" | "renew" }
  /** Where a company returns to from the page of its Direct Debit. */
  | { name: "company"; hasAgreed: boolean };

export async function findLinkScreen({ signUp }: Services, params: URLSearchParams): Promise<LinkScreen | undefined> {
  const verifying = params.get("verify");
  if (verifying !== null) {
    const found = await signUp.findVerification(verifying);
    return found ? { name: "verify-link", token: verifying, email: found.email } : { name: "bad-link", kind: "verify" };
  }
  const renewing = params.get("renew");
  if (renewing !== null) {
    const found = await signUp.findRenewal(renewing);
    return found ? toRenewalScreen(found, renewing) : { name: "bad-link", kind: "renew" };
  }
  const company = params.get("company");
  if (company !== null) return { name: "company", hasAgreed: company === "agreed" };
  return params.has("verified") ? { name: "verified" } : undefined;
}

/** The same of a member who is logged in; a visitor logs in first, and a member who has paid far ahead goes on to `to`. */
export async function findOwnRenewal(
  { signUp }: Services,
  { memberId, to }: { memberId: number | undefined; to: string | undefined },
): Promise<LinkScreen> {
  if (memberId === undefined) throw redirect(logInPath(renewPath(to)));
  const found = await signUp.findOwnRenewal(memberId);
  if (!found) throw redirect(to ?? "/");
  return toRenewalScreen(found, OWN_RENEWAL);
}

/** `opensOn`: the first day on which the member may renew, where that is still to come. */
type PayingCompany = { name: string; opensOn: string | undefined };

function toRenewalScreen({ firstName, endsAt, company }: RenewalView, token: string): LinkScreen {
  return {
    name: "renewal",
    token,
    firstName: displayName(firstName),
    endsOn: endsAt && formatDate(endsAt),
    company: company && {
      name: company.name ?? "Your company",
      opensOn: company.opensAt && formatDate(company.opensAt),
    },
  };
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
