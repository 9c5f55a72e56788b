import type { ReactNode } from "react";

import { CodeField } from "../../forms/code-field.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { GoodNews } from "../../forms/good-news.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { NewPasswordFields } from "../../forms/new-password-fields.tsx";
import { href } from "../../paths.ts";
import { echoOf, type LogInAnswer } from "./form-answer.ts";
import { logInPath } from "./paths.ts";
import type { ResetScreen } from "./reset.ts";
import buttons from "../../ui/button.module.css";
import styles from "./login.module.css";

type StepProps = { screen: ResetScreen; answer: LogInAnswer | undefined; to: string | undefined };

/** The headings of the four steps, in the spec's words. */
export const resetTitles = {
  1: "Forgot your password..?",
  2: "Check your email...",
  3: "Enter you new password",
  4: "Your password has been reset",
};

/** A way back in for who forgot their password (spec, section 2). */
export function ResetSteps(props: StepProps) {
  const { step } = props.screen;
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{resetTitles[step]}</h1>
      {step === 1 && <AskEmail {...props} />}
      {step === 2 && <AskCode {...props} />}
      {step === 3 && <AskPassword {...props} />}
      {step === 4 ? (
        <Done to={props.to} />
      ) : (
        <p className={styles.other}>
          Remembered your password? <a href={href(logInPath(props.to))}>Return to login</a>
        </p>
      )}
    </div>
  );
}

function AskEmail({ screen, answer }: StepProps) {
  const echo = echoOf(answer, "reset-request");
  return (
    <>
      {screen.note === "over" && !answer && (
        <p className={styles.notice}>That took longer than we keep a code. Please start again here.</p>
      )}
      <ErrorSummary echo={echo} />
      <Form intent="reset-request">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          enterKeyHint="send"
          hint="We send a code to it, if it belongs to an account."
          required
          defaultValue={echo?.values.email}
          errors={echo?.fieldErrors.email}
        />
        <Submit intent="reset-request" label="Get code" pending="Getting code..." />
      </Form>
    </>
  );
}

function AskCode({ screen, answer }: StepProps) {
  const echo = echoOf(answer, "reset-code");
  const isSent = answer ? "isSent" in answer : screen.note === "sent";
  return (
    <>
      <p>
        If your email belongs to an account, a code is on its way to it. It works for ten minutes. The link in the same
        email works too, on any device.
      </p>
      <ErrorSummary echo={echo ?? echoOf(answer, "reset-again")} />
      {isSent && <GoodNews sentence="A new code is on its way, if the last is a minute old. Only the newest works." />}
      <Form intent="reset-code">
        <CodeField label="Validation code" name="code" echo={echo} />
        <Submit intent="reset-code" label="Check code" pending="Checking..." />
      </Form>
      <IntentForm intent="reset-again">
        <Submit intent="reset-again" label="Send a new code" pending="Sending..." look="plain" />
      </IntentForm>
    </>
  );
}

function AskPassword({ answer }: StepProps) {
  const echo = echoOf(answer, "reset-password");
  return (
    <>
      <ErrorSummary echo={echo} />
      <Form intent="reset-password">
        <NewPasswordFields
          hint="8 characters or more. You will be logged out everywhere else."
          errors={echo?.fieldErrors}
        />
        <Submit intent="reset-password" label="Change password" pending="Changing password..." />
      </Form>
    </>
  );
}

function Done({ to }: { to: string | undefined }) {
  return (
    <>
      <p>You were logged out everywhere, in case someone else knew the old one.</p>
      <p>
        <a className={buttons.button} href={href(logInPath(to))}>
          Log in
        </a>
      </p>
    </>
  );
}

function Form({ intent, children }: { intent: string; children: ReactNode }) {
  return (
    <IntentForm intent={intent} className={styles.form}>
      {children}
    </IntentForm>
  );
}
