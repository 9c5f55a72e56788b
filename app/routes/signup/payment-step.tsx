import { ErrorBox, ErrorSummary } from "../../forms/error-summary.tsx";
import buttons from "../../ui/button.module.css";
import { Facts } from "./facts.tsx";
import { echoOf } from "./form-answer.ts";
import { PayForm } from "./pay-form.tsx";
import type { PaymentScreen } from "./payment-screen.ts";
import type { ScreenProps } from "./screen-content.tsx";
import { StepBar } from "./step-bar.tsx";
import { VerificationBox } from "./verification-box.tsx";
import steps from "./step.module.css";

/** Step 3: what is bought, and how it is paid (spec, section 2). */
export function PaymentStep({ screen, answer, to }: ScreenProps<"payment">) {
  const echo = echoOf(answer, "pay");
  return (
    <div className={steps.step}>
      <StepBar step={3} to={to} />
      <h1 tabIndex={-1}>Payment</h1>
      <ErrorSummary echo={echo} />
      {!answer && screen.trouble && <Trouble {...screen.trouble} />}
      <VerificationBox verification={screen.verification} answer={answer} to={to} />
      <Facts facts={screen.facts} />
      <PayForm screen={screen} echo={echo} />
    </div>
  );
}

/** What became of the last try. The form below is for another. */
function Trouble({ sentence, actionUrl }: NonNullable<PaymentScreen["trouble"]>) {
  return (
    <ErrorBox>
      <p>{sentence}</p>
      {actionUrl && <p>Go on where you left off, or use another card below.</p>}
      {actionUrl && (
        <p>
          <a className={buttons.button} href={actionUrl} data-native="">
            Continue
          </a>
        </p>
      )}
    </ErrorBox>
  );
}
