import { Link } from "react-router";

import buttons from "../../../../components/button.module.css";
import { useCheckedForm } from "../../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../../forms/error-summary.tsx";
import { Field, NewPasswordFields, Username } from "../../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../../forms/intent-form.tsx";
import { resetPath } from "../../../door/login/paths.ts";
import { accountPath } from "../view.ts";
import type { AccountAnswer } from "./account-answer.ts";
import type { AccountProps } from "./account-screen.ts";
import type { Passwords } from "./actions.ts";
import styles from "./account.module.css";

type PasswordProps = Pick<AccountProps, "account" | "answer">;

/** Changes it, or says how to get another. */
export function Password({ account, answer }: PasswordProps) {
  if (account.isPasswordOff) return <PasswordOff account={account} />;
  if (!account.capabilities.canChangePassword) return <ChangeByCode />;
  return <ChangePassword email={account.profile.email} answer={answer} />;
}

function ChangePassword({ email, answer }: { email: string; answer: AccountAnswer | undefined }) {
  const [form, fields] = useCheckedForm<Passwords>({ id: "password", answer });
  const { oldPassword, password, passwordConfirmation } = fields;
  return (
    <>
      <ErrorSummary form={form} fields={[oldPassword, password, passwordConfirmation]} />
      <IntentForm intent="password" form={form} anchor="account-password" className={styles.form} replace>
        <Username email={email} />
        <Field field={oldPassword} label="Current password" type="password" autoComplete="current-password" />
        <NewPasswordFields
          label="New password"
          hint="8 characters or more. This signs out your other devices."
          fields={fields}
        />
        <Submit intent="password" label="Change password" pending="Changing password..." look="quiet" />
      </IntentForm>
      <p className={styles.quiet}>
        Forgot your password? <Link to="/login?reset=1">Reset password</Link>
      </p>
    </>
  );
}

function PasswordOff({ account: { passkeys, closePath } }: Pick<PasswordProps, "account">) {
  return (
    <>
      <p>Your password is off. You can turn it on again, or choose a new one by email.</p>
      <p className={styles.ways}>
        {passkeys && (
          <Link className={buttons.quiet} to={accountPath(closePath, "passkeys")}>
            Turn it on
          </Link>
        )}
        <Link to={resetPath(1)}>Choose a new password</Link>
      </p>
    </>
  );
}

/** Where another back end has the passwords. */
function ChangeByCode() {
  return (
    <>
      <p>We'll send you a code to choose a new password. This signs out every device.</p>
      <p>
        <Link className={buttons.quiet} to={resetPath(1)}>
          Get a code
        </Link>
      </p>
    </>
  );
}
