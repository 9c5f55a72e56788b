import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { CodeField } from "../../../forms/code-field.tsx";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { NewPasswordFields } from "../../../forms/new-password-fields.tsx";
import { href } from "../../../paths.ts";
import { type AccountAnswer, type Refusal, refusalOf } from "./account-answer.ts";
import styles from "./account.module.css";

export function ChangePassword({ refusal }: { refusal: Refusal | undefined }) {
  const errors = refusal?.echo.fieldErrors ?? {};
  return (
    <>
      <ErrorSummary echo={refusal?.echo} />
      <IntentForm intent="password" place="account-password" className={styles.form} data-step={undefined}>
        <Field
          label="Current password"
          name="oldPassword"
          type="password"
          autoComplete="current-password"
          required
          errors={errors.oldPassword}
        />
        <NewPasswordFields
          label="New password"
          hint="8 characters or more. Every other device is signed out."
          errors={errors}
        />
        <Submit intent="password" label="Change password" pending="Changing password..." look="quiet" />
      </IntentForm>
      <p className={styles.quiet}>
        Forgot your password? <a href={href("/login?reset=1")}>Reset password</a>
      </p>
    </>
  );
}

/** A new address that waits for its proof. */
export function PendingEmail({ profile, answer }: { profile: ProfileView; answer: AccountAnswer | undefined }) {
  const wrongCode = refusalOf(answer, "email-code")?.echo;
  return (
    <section className={styles.pending} aria-label="Waiting for a code">
      <p>
        We have sent a code to <strong>{profile.pendingEmail}</strong>. <strong>{profile.email}</strong> works until it
        is confirmed.
      </p>
      <ErrorSummary echo={wrongCode ?? refusalOf(answer, "email-resend")?.echo} />
      <IntentForm intent="email-code" place="account-title" className={styles.form} data-step={undefined}>
        <CodeField label="Validation code" name="emailCode" echo={wrongCode} />
        <Submit intent="email-code" label="Check code" pending="Checking..." look="quiet" />
      </IntentForm>
      <div className={styles.ways}>
        <IntentForm intent="email-resend" place="account-title" data-step={undefined}>
          <Submit intent="email-resend" label="Send a new code" pending="Sending..." look="plain" />
        </IntentForm>
        <IntentForm intent="email-cancel" place="account-title" data-step={undefined}>
          <Submit intent="email-cancel" label="Keep my old email" pending="Keeping it..." look="plain" />
        </IntentForm>
      </div>
    </section>
  );
}

export function CloseAccount({ refusal }: { refusal: Refusal | undefined }) {
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
      <ErrorSummary echo={refusal?.echo} />
      <IntentForm intent="close" place="account-close" className={styles.form} data-step={undefined}>
        <Field
          label="Your password"
          name="closingPassword"
          type="password"
          autoComplete="current-password"
          required
          errors={refusal?.echo.fieldErrors.closingPassword}
        />
        <Submit intent="close" label="Close my account" pending="Closing..." look="quiet" />
      </IntentForm>
    </>
  );
}
