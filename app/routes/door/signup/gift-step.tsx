import { Link } from "react-router";

import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { holdWhileBusy, Submit, useIsPending } from "../../../forms/intent-form.tsx";
import { logInPath } from "../login/paths.ts";
import type { ScreenProps } from "./sign-up-screen.ts";
import { Facts, LegalNote, LogInLink, StepBar } from "./step-bar.tsx";
import { isRegistered } from "./steps.ts";
import { StepForm, VerificationBox } from "./verification-box.tsx";
import buttons from "../../../components/button.module.css";
import steps from "./step.module.css";

/** Step 3 of a sign-up that a gift pays for: in place of the plan and the payment. */
export function TakeGift({ screen, answer, to }: ScreenProps<"take-gift">) {
  const [form, { oneTimeCode }] = useCheckedForm<{ oneTimeCode: string }>({
    id: "take-gift",
    answer,
    shows: ["verify", "resend"],
    onSubmit: holdWhileBusy,
  });
  return (
    <div className={steps.step}>
      <StepBar step={3} to={to} isGift />
      <h1 tabIndex={-1}>Your gift</h1>
      {answer?.form === "take-gift" && (
        <ErrorSummary form={form} fields={[oneTimeCode]} remedy={isRegistered(answer) && <LogInLink to={to} />} />
      )}
      <StepForm form={form} isPending={useIsPending("take-gift")}>
        <VerificationBox verification={screen.verification} answer={answer} to={to} form={form} field={oneTimeCode} />
        <Facts facts={screen.facts} />
        <p>You don't pay anything, and it doesn't renew.</p>
        <Submit intent="take-gift" label="Join" pending="Joining..." form={form.id} />
        <LegalNote />
      </StepForm>
    </div>
  );
}

/** Step 4 of such a sign-up. */
export function TakenUp({ product, screen, to }: Pick<ScreenProps<"taken-up">, "product" | "screen" | "to">) {
  const { email, endsOn, hasSession } = screen;
  return (
    <div className={steps.step}>
      <StepBar step={4} to={to} isGift />
      <h1 tabIndex={-1}>You're a member</h1>
      <div className={steps.outcome}>
        {endsOn && <p>{`Your gift runs until ${endsOn}. It doesn't renew.`}</p>}
        <p>
          Log in with <strong>{email}</strong>.
        </p>
        <div className={steps.next}>
          {hasSession ? (
            <Link className={buttons.button} to={to ?? "/"}>
              Go to {product.name}
            </Link>
          ) : (
            <Link className={buttons.button} to={logInPath(to)}>
              Log in
            </Link>
          )}
        </div>
      </div>
    </div>
  );
}
