import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { Refusal } from "./account-answer.ts";
import styles from "./account.module.css";

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
