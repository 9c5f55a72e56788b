import { Link } from "react-router";

import { isRefusal } from "../../../forms/answer.ts";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { CodeField, NewPasswordFields, Username } from "../../../forms/field.tsx";
import { FlashMessage } from "../../../forms/flash-message.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import buttons from "../../../components/button.module.css";
import { AskAddress } from "./ask-address.tsx";
import { logInPath } from "./paths.ts";
import type { LogInAnswer, ResetScreen } from "./reset.ts";
import styles from "./login.module.css";

type StepProps = { screen: ResetScreen; answer: LogInAnswer | undefined; to: string | undefined };

/** docs/behaviour.md, Log-in. */
export const resetTitles = {
  1: "Forgot your password..?",
  2: "Check your email...",
  3: "Enter your new password",
  4: "Your password has been reset",
};

export function ResetSteps(props: StepProps) {
  const { screen, answer } = props;
  const { step, note } = screen;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{resetTitles[step]}</h1>
      {step === 1 && note === "over" && !answer && (
        <p className={styles.note}>Your code has expired. Please start again.</p>
      )}
      {step === 1 && (
        <AskAddress
          intent="reset-request"
          answer={answer}
          hint="We'll send a code if this email has an account."
          label="Get code"
          pending="Getting code..."
        />
      )}
      {step === 2 && <AskCode {...props} />}
      {step === 3 && <AskPassword {...props} />}
      {step === 4 ? (
        <Done {...props} />
      ) : (
        <p className={styles.other}>
          Remembered your password? <Link to={logInPath(props.to)}>Return to login</Link>
        </p>
      )}
    </div>
  );
}

function AskCode({ screen, answer }: StepProps) {
  const [form, { code }] = useCheckedForm<{ code: string }>({ id: "reset-code", answer, shows: ["reset-again"] });
  const isSent = answer ? !isRefusal(answer) : screen.note === "sent";
  return (
    <>
      <p>
        If your email has an account, we've sent it a code. The code works for ten minutes. So does the link in the same
        email, on any device.
      </p>
      <ErrorSummary form={form} fields={[code]} />
      {isSent && <FlashMessage sentence="A new code is on its way. Only the newest one works." />}
      <IntentForm intent="reset-code" form={form} className={styles.form}>
        <CodeField label="Validation code" field={code} />
        <Submit intent="reset-code" label="Check code" pending="Checking..." />
      </IntentForm>
      <IntentForm intent="reset-again">
        <Submit intent="reset-again" label="Send a new code" pending="Sending..." look="plain" />
      </IntentForm>
    </>
  );
}

function AskPassword({ screen: { email, turnsOn }, answer }: StepProps) {
  const [form, fields] = useCheckedForm<{ password: string; passwordConfirmation: string }>({
    id: "reset-password",
    answer,
  });
  return (
    <>
      {turnsOn && <p>Your password is off. A new one turns it on again, and your passkeys stay.</p>}
      <ErrorSummary form={form} fields={[fields.password, fields.passwordConfirmation]} />
      <IntentForm intent="reset-password" form={form} className={styles.form}>
        {email !== undefined && <Username email={email} />}
        <NewPasswordFields hint="8 characters or more. This logs you out everywhere else." fields={fields} />
        <Submit intent="reset-password" label="Change password" pending="Changing password..." />
      </IntentForm>
    </>
  );
}

function Done({ screen: { isMember }, to }: StepProps) {
  return (
    <>
      <p>
        {isMember
          ? "You're logged in here. We've logged you out everywhere else, in case someone knew your old password."
          : "We've logged you out everywhere, in case someone knew your old password."}
      </p>
      <p>
        <Link className={buttons.button} to={isMember ? (to ?? "/") : logInPath(to)}>
          {isMember ? "Go to my videos" : "Log in"}
        </Link>
      </p>
    </>
  );
}
