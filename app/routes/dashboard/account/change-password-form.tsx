import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { NewPasswordFields } from "../../../forms/new-password-fields.tsx";
import { href } from "../../../paths.ts";
import type { Refusal } from "./account-answer.ts";
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
