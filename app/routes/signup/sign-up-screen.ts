import type { Services } from "../../../server/services.ts";
import type { Draft } from "../../../server/sign-up/sign-up.ts";
import type { AccountType } from "../../../server/database/schema.ts";
import { toConfirmation, type Outcome } from "./confirmation-screen.ts";
import type { LinkScreen } from "./link-screen.ts";
import { toPaymentScreen, type PaymentScreen } from "./payment-screen.ts";
import { toPlanScreen, type PlanScreen } from "./plan-screen.ts";
import { isSettled, type Step } from "./steps.ts";

/** What the sign-up screen shows, as texts that are ready to be read: a browser needs no prices and no calendar. */
export type SignUpScreen =
  | { name: "welcome" }
  | { name: "details"; typed: TypedDetails | undefined; isExpired: boolean }
  | PlanScreen
  | PaymentScreen
  | Outcome
  | LinkScreen;

/** What was told in the first step before. Never the password. */
export type TypedDetails = Pick<Draft, "firstName" | "lastName" | "email"> & { accountType: AccountType; code: string };

/** Whether the address is known to be the visitor's, and what the box says until it is. */
export type Verification = { email: string; isVerified: boolean; isSent: boolean; canChange: boolean };

type Visit = { step: Step; draft: Draft | undefined; params: URLSearchParams; hasSession: boolean };

export function toSignUpScreen(services: Services, { step, draft, params, hasSession }: Visit): SignUpScreen {
  const isExpired = params.has("expired");
  if (step === 0) return { name: "welcome" };
  if (step === 1) return { name: "details", typed: draft && typedOf(draft), isExpired };
  if (!draft) return { name: "improve" };
  if (step === 4) return toConfirmation(draft, hasSession);
  const verification: Verification = {
    email: draft.email,
    isVerified: draft.isVerified,
    isSent: params.has("sent"),
    canChange: draft.purpose === "join",
  };
  return step === 2 ? toPlanScreen(services, draft, verification) : toPaymentScreen(services, draft, verification);
}

/** A draft that is over says nothing to whoever starts again. */
function typedOf(draft: Draft): TypedDetails | undefined {
  if (isSettled(draft)) return undefined;
  const { firstName, lastName, email, accountType, code } = draft;
  return { firstName, lastName, email, accountType, code: code ?? "" };
}
