import { ErrorBox, ErrorSummary } from "../../forms/error-summary.tsx";
import buttons from "../../ui/button.module.css";
import { useOwnDocument } from "./card-fields/own-document.ts";
import { Facts } from "./facts.tsx";
import { echoOf } from "./form-answer.ts";
import { PAY_FORM_ID, PayForm } from "./pay-form.tsx";
import type { PaymentScreen } from "./payment-screen.ts";
import type { ScreenProps } from "./screen-content.tsx";
import { StepBar } from "./step-bar.tsx";
import { VerificationBox } from "./verification-box.tsx";
import steps from "./step.module.css";

/** Step 3: what is bought, and how it is paid (spec, section 2). */
export function PaymentStep({ house, screen, answer, to }: ScreenProps<"payment">) {
  const hasOwnDocument = useOwnDocument(screen.hasCardScript);
  const echo = echoOf(answer, "pay");
  if (screen.leavesFor) return <Leaving address={screen.leavesFor} />;
  const isClosed = screen.amount !== undefined && screen.cardFields.kind === "none";
  return (
    <div className={steps.step}>
      <StepBar step={3} to={to} />
      <h1 tabIndex={-1}>Payment</h1>
      <ErrorSummary echo={echo} />
      {!answer && screen.trouble && <Trouble {...screen.trouble} />}
      {!isClosed && <VerificationBox verification={screen.verification} answer={answer} to={to} form={PAY_FORM_ID} />}
      <Facts facts={screen.facts} />
      {isClosed ? (
        <NotOpen house={house} />
      ) : (
        <PayForm screen={screen} answer={answer} hasCardFields={hasOwnDocument} />
      )}
    </div>
  );
}

/** Leads on to another host by itself, script or none; where our script is late, browsers wait for it, and the link does not. */
function Leaving({ address }: { address: string }) {
  return (
    <div className={steps.step}>
      <meta httpEquiv="refresh" content={`0;url=${address}`} />
      <h1 tabIndex={-1}>On to the payment page</h1>
      <p>
        It belongs to our payment provider or to your bank, and leads back here. If it does not come, press Continue.
      </p>
      <p>
        <a className={buttons.button} href={address} data-native="">
          Continue
        </a>
      </p>
    </div>
  );
}

/** Where nobody takes cards yet there is no button that could not work. */
function NotOpen({ house }: Pick<ScreenProps<"payment">, "house">) {
  return (
    <div className={steps.notice}>
      <p>Card payments are not open yet, and nothing was taken.</p>
      <p>
        Write to <a href={`mailto:${house.contactEmail}`}>{house.contactEmail}</a>, and we tell you when they are.
      </p>
    </div>
  );
}

/** What became of the last try. The form below is for another. It takes no focus, so it is an alert. */
function Trouble({ sentence, actionUrl }: NonNullable<PaymentScreen["trouble"]>) {
  return (
    <div role="alert">
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
    </div>
  );
}
