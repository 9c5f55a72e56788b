import type { ShouldRevalidateFunctionArgs } from "react-router";

import type { Draft } from "../../../../server/money/sign-up/sign-up.ts";
import type { Refusal } from "../../../forms/answer.ts";
import { NO_ANSWER } from "../../../forms/send-or-keep.ts";

/** 0 welcome, 1 details, 2 plan, 3 payment, 4 confirmation (docs/behaviour.md, Sign-up). */
export type Step = 0 | 1 | 2 | 3 | 4;

/** The parts of a draft that decide about its earned steps. */
export type Progress = Pick<Draft, "purpose" | "accountType" | "planType" | "payment" | "gift">;

export type SignUpAnswer =
  | (Refusal<"details" | "plan" | "verify" | "resend" | "pay" | "take-gift" | "newsletter"> & {
      isRegistered?: boolean;
      isGiftCode?: boolean;
    })
  | { form: "verify" | "resend"; isDone: true };

/** Its address has an account. */
export function isRegistered(answer: SignUpAnswer | undefined): boolean {
  return answer !== undefined && "isRegistered" in answer && answer.isRegistered;
}

/** A gift's code was typed as a company's. */
export function isGiftCode(answer: SignUpAnswer | undefined): boolean {
  return answer !== undefined && "isGiftCode" in answer && answer.isGiftCode;
}

/** The script of this page loads with it alone. */
export const LINK_PAGE_ID = "link-page";

const steps: Step[] = [0, 1, 2, 3, 4];

/** A step that does not exist is the first. */
export function parseStep(params: URLSearchParams): Step {
  return steps.find((step) => String(step) === params.get("step")) ?? 0;
}

/** `to`: the visitor's destination. */
export function stepPath(step: Step, to?: string): string {
  const parts = [step > 0 && `step=${step}`, to && `to=${encodeURIComponent(to)}`].filter(Boolean);
  return parts.length > 0 ? `/signup?${parts.join("&")}` : "/signup";
}

/** The parameter for people with a company's code: it selects the account type, whatever was typed before. */
export const FOR_CODE = "for-code";

export function corporatePath(to?: string): string {
  return `${stepPath(1, to)}&${FOR_CODE}=1`;
}

/** The parameter with the code of a gift; empty for a sign-up without the gift of the draft. */
export const GIFT = "gift";

export function giftSignUpPath(code: string): string {
  return `${stepPath(1)}&${GIFT}=${encodeURIComponent(code)}`;
}

/** In place of a renewal link's token: the logged-in member. */
export const OWN_RENEWAL = "own";

/** Step 2, after a log-in if needed. A member who has paid far ahead continues to `to`. */
export function renewPath(to?: string): string {
  return `/signup?renew=${OWN_RENEWAL}${to ? `&to=${encodeURIComponent(to)}` : ""}`;
}

export function isRenewPath(path: string): boolean {
  return path === renewPath() || path.startsWith(`${renewPath()}&`);
}

/** The last step, for a payment that is still open. */
export function checkingPath(to?: string): string {
  return `${stepPath(4, to)}&payment=checking`;
}

/** Paid, with nothing left to check. */
export function isConfirmation(search: string): boolean {
  const params = new URLSearchParams(search);
  return parseStep(params) === 4 && !params.has("payment");
}

/** Another window may have changed the draft of a refused payment: the page then loads it again. */
export function shouldRevalidatePayment({ formData, actionStatus, ...other }: ShouldRevalidateFunctionArgs): boolean {
  return other.defaultShouldRevalidate || (formData?.get("intent") === "pay" && actionStatus !== NO_ANSWER);
}

/** The draft has its final state. */
export function isSettled({ payment, gift }: Pick<Draft, "payment" | "gift">): boolean {
  return payment.state === "completed" || payment.state === "refunded" || isTakenUp({ payment, gift });
}

/** A gift in place of a payment has made the member. */
export function isTakenUp({ payment, gift }: Pick<Draft, "payment" | "gift">): boolean {
  return gift?.isTakenUp === true && payment.state !== "completed" && payment.state !== "refunded";
}

/** The draft can no longer change: it is paid for, or its payment is being checked. */
function isPast(draft: Progress): boolean {
  return isSettled(draft) || draft.payment.state === "checking";
}

/** The details without a draft. */
export function earnedStep(draft: Progress | undefined): Step {
  if (!draft) return 1;
  if (isPast(draft)) return 4;
  return draft.accountType === "corporate" || draft.planType ? 3 : 2;
}

type Visit = { step: Step; draft: Progress | undefined; isMember: boolean };

/**
 * The step to show, or `home`. Members go home, except for renewals and the end of a payment. The fourth step without a
 * draft is shown: it explains how to subscribe.
 */
export function findStep({ step, draft, isMember }: Visit): Step | "home" {
  const isOver = draft !== undefined && isPast(draft);
  const isRenewal = draft?.purpose === "renew" && !isOver;
  if (isOver && step >= 2) return 4;
  if (isMember && !(isRenewal && step >= 2)) return "home";
  if (step === 4 && !draft) return 4;
  if (isRenewal && step === 1) return 2;
  // A gift has its plan.
  if (draft?.gift?.offer && step === 2) return 3;
  // A finished order does not block a new sign-up; one that is still being checked does.
  if (isOver) return draft.payment.state === "checking" && step === 1 ? 4 : step;
  return step <= earnedStep(draft) ? step : earnedStep(draft);
}
