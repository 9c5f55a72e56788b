import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { LogInAnswer } from "./reset.ts";
import styles from "./login.module.css";

type AskAddressProps = {
  intent: "reset-request" | "link-request";
  answer: LogInAnswer | undefined;
  hint: string;
  label: string;
  pending: string;
};

/** Asks for the address to which a code or a link is sent. */
export function AskAddress({ intent, answer, hint, label, pending }: AskAddressProps) {
  const [form, { email }] = useCheckedForm<{ email: string }>({ id: intent, answer });
  return (
    <>
      <ErrorSummary form={form} fields={[email]} />
      <IntentForm intent={intent} form={form} className={styles.form}>
        <Field
          field={email}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          enterKeyHint="send"
          hint={hint}
        />
        <Submit intent={intent} label={label} pending={pending} />
      </IntentForm>
    </>
  );
}
