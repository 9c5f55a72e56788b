import { type FieldMetadata, type FormMetadata, getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { Form, Link } from "react-router";

import { isRefusal } from "../../../forms/answer.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { CodeField } from "../../../forms/field.tsx";
import { FlashMessage } from "../../../forms/flash-message.tsx";
import { formStatusProps, Submit, useIsPending } from "../../../forms/intent-form.tsx";
import { type SignUpAnswer, stepPath } from "./steps.ts";
import styles from "./step.module.css";

type StepFormProps = { form: FormMetadata; isPending: boolean; children: ReactNode };

/** A step's one form: its own button and those of the email's code send all of it, so nothing typed is lost. */
export function StepForm({ form, isPending, children }: StepFormProps) {
  const isChecking = useIsPending("verify");
  const isResending = useIsPending("resend");
  return (
    <Form
      method="post"
      className={styles.form}
      {...formStatusProps(isPending || isChecking || isResending)}
      {...getFormProps(form, { ariaAttributes: false })}
    >
      {children}
    </Form>
  );
}

/** The state of the address, and the box's text until it is verified. */
export type Verification = { email: string; isVerified: boolean; isSent: boolean; canChange: boolean };

type VerificationBoxProps = {
  verification: Verification;
  answer: SignUpAnswer | undefined;
  to: string | undefined;
  form: FormMetadata;
  field: FieldMetadata<string>;
};

/** Asks for the emailed code on every step between the details and the end. */
export function VerificationBox({ verification, answer, to, form, field }: VerificationBoxProps) {
  const { email, isVerified, canChange } = verification;
  const done = answer && "isDone" in answer ? answer.form : undefined;
  if (isVerified) {
    return (
      canChange && <FlashMessage sentence="Your email is verified." cause={done === "verify" ? answer : undefined} />
    );
  }
  const isRefusedHere = answer && isRefusal(answer) && !["pay", "plan", "take-gift"].includes(answer.form);
  const isSent = done === "resend" || (verification.isSent && !answer);
  return (
    <div className={styles.box}>
      <p>
        We've sent a code to <strong>{email}</strong>.
      </p>
      {isRefusedHere && <ErrorSummary form={form} fields={[field]} />}
      {isSent && <FlashMessage sentence="A new code is on its way. Older codes no longer work." />}
      <div className={styles.code}>
        <CodeField label="Verification code" field={field} />
        <Submit intent="verify" label="Check code" pending="Checking..." look="quiet" form={form.id} />
      </div>
      <div className={styles.ways}>
        <Submit intent="resend" label="Send a new code" pending="Sending..." look="plain" form={form.id} />{" "}
        {canChange && <Link to={stepPath(1, to)}>Use another address</Link>}
      </div>
    </div>
  );
}
