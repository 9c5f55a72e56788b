import { useNavigation } from "react-router";

import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import type { FormEcho } from "../../forms/read-submission.ts";
import { usePageAddress } from "../../forms/use-page-address.ts";
import { href } from "../../paths.ts";
import buttons from "../../ui/button.module.css";
import { Icon } from "../../ui/icons.tsx";
import { stepPath } from "../signup/steps.ts";
import { resetPath } from "./paths.ts";
import styles from "./log-in-form.module.css";

type LogInFormProps = {
  /** What a refused attempt shows again. */
  echo: FormEcho | undefined;
  to: string | undefined;
};

/** The log-in form (spec, section 2). */
export function LogInForm({ echo, to }: LogInFormProps) {
  const navigation = useNavigation();
  const isPending = navigation.formData?.get("intent") === "log-in";
  const idleLabel = echo ? "Please try again" : "Log In";
  return (
    <div className={styles.logIn}>
      <a className={styles.back} href={href(stepPath(0, to))} data-back="">
        <Icon name="back" />
        Back
      </a>
      <h1 tabIndex={-1}>Log in</h1>
      <ErrorSummary echo={echo} />
      <form method="post" action={usePageAddress()} className={styles.form} aria-busy={isPending}>
        <input type="hidden" name="intent" value="log-in" />
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          enterKeyHint="next"
          required
          maxLength={254}
          defaultValue={echo?.values.email}
          errors={echo?.fieldErrors.email}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          enterKeyHint="go"
          required
          maxLength={1024}
          errors={echo?.fieldErrors.password}
        />
        <button className={buttons.button} aria-disabled={isPending}>
          {isPending ? "Logging in..." : idleLabel}
        </button>
      </form>
      <div className={styles.other}>
        <p>
          Don't have an account? <a href={href(stepPath(1, to))}>Sign up</a>
        </p>
        <p>
          Forgot your password? <a href={href(resetPath(1, to))}>Reset password</a>
        </p>
      </div>
    </div>
  );
}
