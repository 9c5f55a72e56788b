import type { EntranceHouse } from "../../ui/entrance.tsx";
import { BadLink, Company, Renewal, Verified, VerifyLink } from "./links.tsx";
import { Checking, Confirmation, Improve, Refunded } from "./confirmation.tsx";
import { DetailsForm } from "./details-form.tsx";
import type { FormAnswer } from "./form-answer.ts";
import { PaymentStep } from "./payment-step.tsx";
import { PlanStep } from "./plan-step.tsx";
import type { SignUpScreen } from "./sign-up-screen.ts";
import { Welcome } from "./welcome.tsx";

export type ScreenProps<Name extends SignUpScreen["name"] = SignUpScreen["name"]> = {
  house: EntranceHouse;
  screen: Extract<SignUpScreen, { name: Name }>;
  /** What a form of this screen was just answered with. */
  answer: FormAnswer | undefined;
  /** Where the visitor wanted to go before all this. */
  to: string | undefined;
};

/** The step that a visitor is at, or what a link of an email opened. */
export function ScreenContent({ screen, ...props }: ScreenProps) {
  switch (screen.name) {
    case "welcome":
      return <Welcome {...props} />;
    case "details":
      return <DetailsForm {...props} screen={screen} />;
    case "plan":
      return <PlanStep {...props} screen={screen} />;
    case "payment":
      return <PaymentStep {...props} screen={screen} />;
    case "confirmation":
      return <Confirmation {...props} screen={screen} />;
    case "checking":
      return <Checking to={props.to} />;
    case "refunded":
      return <Refunded {...props} screen={screen} />;
    case "improve":
      return <Improve to={props.to} />;
    case "verify-link":
      return <VerifyLink screen={screen} />;
    case "verified":
      return <Verified />;
    case "renewal":
      return <Renewal screen={screen} />;
    case "company":
      return <Company {...props} screen={screen} />;
    case "bad-link":
      return <BadLink {...props} screen={screen} />;
  }
}
