import { redirect } from "react-router";

import { displayName } from "../../../../server/platform/text.ts";
import { toCodeKey } from "../../../../server/money/companies/labels.ts";
import { itemKinds, kinds } from "../../../../server/content/items/kinds.ts";
import { formatChoice, formatDate, formatDay, formatList, formatPence } from "../../../../server/platform/format.ts";
import type { NewsletterState } from "../../../../server/operations/newsletter/newsletter.ts";
import type { Services } from "../../../../server/services.ts";
import type { RenewalView } from "../../../../server/money/sign-up/renewal.ts";
import type { GiftCheck, GiftOffer } from "../../../../server/money/gifts/taking-up.ts";
import type { Draft } from "../../../../server/money/sign-up/sign-up.ts";
import type { PublicProduct } from "../login/auth-layout.tsx";
import { logInPath } from "../login/paths.ts";
import { listFacts, toPaymentScreen, toRenewedNote } from "./pay.ts";
import { periodLabel, periodWords } from "../give/gift-texts.ts";
import { FOR_CODE, GIFT, isSettled, isTakenUp, OWN_RENEWAL, renewPath, type SignUpAnswer, type Step } from "./steps.ts";
import { fact } from "./step-bar.tsx";
import type { Verification } from "./verification-box.tsx";
import { toWelcomeScreen } from "./welcome-screen.ts";

/** Formatted texts: the browser computes no price and no date. */
export type SignUpScreen = ReturnType<typeof toSignUpScreen> | LinkScreen;

type Visit = {
  step: Step;
  draft: Draft | undefined;
  params: URLSearchParams;
  hasSession: boolean;
  newsletter: NewsletterState | undefined;
  /** Of the address; `undefined` without one there. */
  gift?: GiftCheck | undefined;
  /** Of the member who has joined by a gift. */
  endsAt?: Date | undefined;
};

export function toSignUpScreen(services: Services, visit: Visit) {
  const { step, draft, params, hasSession, newsletter } = visit;
  if (step === 0) return toWelcomeScreen(services);
  if (step === 1) {
    const typed = (draft && toTyped(draft)) ?? readPosterCode(params);
    return {
      name: "details" as const,
      typed,
      isForCode: params.has(FOR_CODE),
      isExpired: params.has("expired"),
      ...toDetailsGift(services, visit),
    };
  }
  if (!draft) return toImproveScreen(services);
  if (step === 4 && isTakenUp(draft)) {
    const { email } = draft;
    return { name: "taken-up" as const, email, endsOn: visit.endsAt && formatDay(visit.endsAt), hasSession };
  }
  if (step === 4) return toOutcome(draft, { hasSession, newsletter });
  const verification: Verification = {
    email: draft.email,
    isVerified: draft.isVerified,
    isSent: params.has("sent"),
    canChange: draft.purpose === "join",
  };
  if (step === 2) return toPlanScreen(services, draft, verification);
  return draft.gift?.offer
    ? toGiftScreen(services, { draft, offer: draft.gift.offer, verification })
    : toPaymentScreen(services, draft, verification);
}

/** A gift in place of the account type, the plan and the payment. */
function toDetailsGift({ plans }: Services, { draft, params, gift }: Visit) {
  const own = draft && !isSettled(draft) ? draft.gift : undefined;
  const refusal = gift?.ok === false ? gift.message : undefined;
  const offer = gift?.ok ? gift.gift : params.has(GIFT) ? undefined : own?.offer;
  const plan = plans.find(({ type }) => type === offer?.planType);
  return {
    gift: offer && plan && { code: offer.code, from: displayName(offer.giverName), what: periodWords(plan) },
    giftRefusal: refusal,
  };
}

function toGiftScreen(
  { plans }: Services,
  { draft, offer, verification }: { draft: Draft; offer: GiftOffer; verification: Verification },
) {
  const { startsAt, endsAt } = draft;
  const plan = plans.find(({ type }) => type === offer.planType);
  return {
    name: "take-gift" as const,
    facts: [
      fact("From", displayName(offer.giverName)),
      fact("Gift", periodLabel(plan)),
      fact("Membership starts", formatDate(startsAt)),
      ...(endsAt ? [fact("Membership ends", formatDate(endsAt))] : []),
    ],
    verification,
  };
}

/** Fills in the first step, never the password. A finished draft does not fill in a new sign-up. */
function toTyped(draft: Draft) {
  if (isSettled(draft)) return undefined;
  const { firstName, lastName, email, accountType, code } = draft;
  return { firstName, lastName, email, accountType, code: code ?? "" };
}

/** The code in a poster's address. A text that is no code is ignored. */
function readPosterCode(params: URLSearchParams) {
  const code = toCodeKey(params.get("code") ?? "");
  return code === undefined ? undefined : { accountType: "corporate" as const, code };
}

export type ScreenProps<Name extends SignUpScreen["name"] = SignUpScreen["name"]> = {
  product: PublicProduct;
  screen: Extract<SignUpScreen, { name: Name }>;
  answer: SignUpAnswer | undefined;
  /** The visitor's destination. */
  to: string | undefined;
};

function toImproveScreen({ plans }: Services) {
  return {
    name: "improve" as const,
    items: formatList(itemKinds.map((kind) => kinds[kind].one.toLowerCase())),
    terms: formatChoice(plans.map(({ periodText }) => periodText)),
  };
}

/** A company's members get no choice, but what the code gives. */
export function toPlanScreen(services: Services, draft: Draft, verification: Verification) {
  const { accountType, planType, endsOfPlans } = draft;
  const isIndividual = accountType === "individual";
  const planCards = services.plans.map((plan) => ({
    type: plan.type,
    label: plan.label,
    /** The charged sum, and its term. */
    sum: formatPence(plan.chargeInPence),
    term: `for ${plan.months === 1 ? "one month" : plan.periodText}`,
    price: plan.priceText,
    end: `Ends ${formatDay(endsOfPlans[plan.type])}. We won't charge you again.`,
  }));
  return {
    name: "plan" as const,
    accountType,
    planCards: isIndividual ? planCards : [],
    chosen: planType,
    renewed: toRenewedNote(draft, services),
    /** Why the gift can't pay for it. */
    note: draft.gift?.refusal,
    facts: isIndividual ? [] : listFacts(draft, undefined),
    verification,
  };
}

/** `undefined` where the newsletter is not available. */
export async function findNewsletter(
  { newsletter, capabilities }: Services,
  memberId: number | undefined,
): Promise<NewsletterState | undefined> {
  return memberId === undefined || !capabilities.canGetNewsletter ? undefined : newsletter.find(memberId);
}

/** The fourth step. */
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
  /** `endsOn`: the end of the current term, if there is one. */
  | {
      name: "renewal";
      token: string;
      firstName: string;
      endsOn: string | undefined;
      company?: PayingCompany | undefined;
    }
  | { name: "bad-link"; kind: "verify" | "renew" }
  /** After the page of a company's Direct Debit. */
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

/** For a logged-in member; a visitor logs in first, and a member who has paid far ahead continues to `to`. */
export async function findOwnRenewal(
  { signUp }: Services,
  { memberId, to }: { memberId: number | undefined; to: string | undefined },
): Promise<LinkScreen> {
  if (memberId === undefined) throw redirect(logInPath(renewPath(to)));
  const found = await signUp.findOwnRenewal(memberId);
  if (!found) throw redirect(to ?? "/");
  return toRenewalScreen(found, OWN_RENEWAL);
}

/** `opensOn`: the first day for renewing, if it is still to come. */
type PayingCompany = { name: string; opensOn: string | undefined };

function toRenewalScreen({ firstName, endsAt, company }: RenewalView, token: string): LinkScreen {
  return {
    name: "renewal",
    token,
    firstName: displayName(firstName),
    endsOn: endsAt && formatDay(endsAt),
    company: company && {
      name: company.name ?? "Your company",
      opensOn: company.opensAt && formatDay(company.opensAt),
    },
  };
}

/**
 * On the payment step, looks up an open payment at the gateway first: the browser may just have returned from the
 * payer's bank.
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
