import type { ReactNode } from "react";

import { CodeField } from "../../forms/code-field.tsx";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { GoodNews } from "../../forms/good-news.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { href } from "../../paths.ts";
import { echoOf, type FormAnswer } from "./form-answer.ts";
import { stepPath } from "./steps.ts";
import styles from "./verification-box.module.css";

/** Whether the address is known to be the visitor's, and what the box says until it is. */
export type Verification = { email: string; isVerified: boolean; isSent: boolean; canChange: boolean };

type VerificationBoxProps = {
  verification: Verification;
  answer: FormAnswer | undefined;
  to: string | undefined;
  /** The id of the page's own form, which the code is then sent with: so nothing that was typed there is lost. */
  form?: string;
};

/** Asks for the code of the email until the address is verified, on every step between the details and the end. */
export function VerificationBox({ verification, answer, to, form }: VerificationBoxProps) {
  const { email, isVerified, canChange } = verification;
  const told = answer && "isDone" in answer ? answer.form : undefined;
  if (isVerified) {
    return canChange && <GoodNews sentence="Your email is verified." cause={told === "verify" ? answer : undefined} />;
  }
  const wrongCode = echoOf(answer, "verify");
  const unpaid = echoOf(answer, "pay")?.fieldErrors.oneTimeCode;
  const isSent = told === "resend" || (verification.isSent && !answer);
  return (
    <div className={styles.box}>
      <p>
        We have sent a code to <strong>{email}</strong>.
      </p>
      <ErrorSummary echo={wrongCode ?? echoOf(answer, "resend")} />
      {isSent && <GoodNews sentence="A new code is on its way. The ones before no longer work." />}
      <FormOrPart form={form} intent="verify" className={styles.code}>
        <CodeField
          label="Verification code"
          name="oneTimeCode"
          echo={wrongCode}
          errors={wrongCode?.fieldErrors.oneTimeCode ?? unpaid}
          form={form}
        />
        <Submit intent="verify" label="Check code" pending="Checking..." look="quiet" form={form} />
      </FormOrPart>
      <div className={styles.ways}>
        <FormOrPart form={form} intent="resend">
          <Submit intent="resend" label="Send a new code" pending="Sending..." look="plain" form={form} />
        </FormOrPart>
        {canChange && <a href={href(stepPath(1, to))}>Use another address</a>}
      </div>
    </div>
  );
}

type PartProps = { form: string | undefined; intent: string; className?: string | undefined; children: ReactNode };

/** A form of its own, or, where the page has one that sends all, only a place. */
function FormOrPart({ form, intent, className, children }: PartProps) {
  if (form !== undefined) return <div className={className}>{children}</div>;
  return (
    <IntentForm intent={intent} className={className}>
      {children}
    </IntentForm>
  );
}
