import type { ProfileView } from "../../../../server/accounts/profile.ts";
import { CodeField } from "../../../forms/code-field.tsx";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { refusalOf, type AccountAnswer } from "./account-answer.ts";
import styles from "./account.module.css";

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
