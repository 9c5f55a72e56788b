import { type FormMetadata, getFormProps, useForm } from "@conform-to/react";
import type { ReactNode } from "react";
import { Link } from "react-router";

import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { lastResultOf } from "../../../forms/answer.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { CodeField, Field, NewPasswordFields } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { Passwords } from "./actions.ts";
import type { AccountAnswer } from "./account-answer.ts";
import styles from "./account.module.css";

type AnswerProps = { answer: AccountAnswer | undefined };

const required = { required: true };

type AccountFormProps = { form: FormMetadata; intent: string; place: string; children: ReactNode };

function AccountForm({ form, children, ...intent }: AccountFormProps) {
  const props = getFormProps(form, { ariaAttributes: false });
  return (
    <IntentForm {...intent} {...props} className={styles.form} replace>
      {children}
    </IntentForm>
  );
}

export function ChangePassword({ answer }: AnswerProps) {
  const [form, fields] = useForm<Passwords>({
    id: "password",
    lastResult: lastResultOf(answer, "password"),
    constraint: { oldPassword: required, password: required, passwordConfirmation: required },
  });
  const { oldPassword, password, passwordConfirmation } = fields;
  return (
    <>
      <ErrorSummary form={form} fields={[oldPassword, password, passwordConfirmation]} />
      <AccountForm form={form} intent="password" place="account-password">
        <Field field={oldPassword} label="Current password" type="password" autoComplete="current-password" />
        <NewPasswordFields
          label="New password"
          hint="8 characters or more. Every other device is signed out."
          fields={fields}
        />
        <Submit intent="password" label="Change password" pending="Changing password..." look="quiet" />
      </AccountForm>
      <p className={styles.quiet}>
        Forgot your password? <Link to="/login?reset=1">Reset password</Link>
      </p>
    </>
  );
}

/** A new address that waits for its proof. */
export function PendingEmail({ profile, answer }: AnswerProps & { profile: ProfileView }) {
  const [form, { emailCode }] = useForm<{ emailCode: string }>({
    id: "email-code",
    lastResult: lastResultOf(answer, "email-code", "email-resend"),
    constraint: { emailCode: required },
  });
  return (
    <section className={styles.pending} aria-label="Waiting for a code">
      <p>
        We have sent a code to <strong>{profile.pendingEmail}</strong>. <strong>{profile.email}</strong> works until it
        is confirmed.
      </p>
      <ErrorSummary form={form} fields={[emailCode]} />
      <AccountForm form={form} intent="email-code" place="account-title">
        <CodeField label="Validation code" field={emailCode} />
        <Submit intent="email-code" label="Check code" pending="Checking..." look="quiet" />
      </AccountForm>
      <div className={styles.ways}>
        <IntentForm intent="email-resend" place="account-title" replace>
          <Submit intent="email-resend" label="Send a new code" pending="Sending..." look="plain" />
        </IntentForm>
        <IntentForm intent="email-cancel" place="account-title" replace>
          <Submit intent="email-cancel" label="Keep my old email" pending="Keeping it..." look="plain" />
        </IntentForm>
      </div>
    </section>
  );
}

export function CloseAccount({ answer }: AnswerProps) {
  const [form, { closingPassword }] = useForm<{ closingPassword: string }>({
    id: "close",
    lastResult: lastResultOf(answer, "close"),
    constraint: { closingPassword: required },
  });
  return (
    <>
      <p>
        You are signed out everywhere at once. In 14 days your account is erased, with your details, your picture and
        your favourites; until then a link in the email that we send you opens it again.
      </p>
      <p>
        What was paid for and when is kept for 6 years, without your name, because the law asks us to. What is left of
        your membership ends with it.
      </p>
      <ErrorSummary form={form} fields={[closingPassword]} />
      <AccountForm form={form} intent="close" place="account-close">
        <Field field={closingPassword} label="Your password" type="password" autoComplete="current-password" />
        <Submit intent="close" label="Close my account" pending="Closing..." look="quiet" />
      </AccountForm>
    </>
  );
}
