import { type FormMetadata, getFormProps } from "@conform-to/react";
import type { ReactNode } from "react";

import { IntentForm } from "../../../../forms/intent-form.tsx";
import styles from "./account.module.css";

type AccountFormProps = { form: FormMetadata; intent: string; anchor: string; children: ReactNode };

/** With fields; those of buttons alone need no checks. */
export function AccountForm({ form, children, ...intent }: AccountFormProps) {
  const props = getFormProps(form, { ariaAttributes: false });
  return (
    <IntentForm {...intent} {...props} className={styles.form} replace>
      {children}
    </IntentForm>
  );
}
