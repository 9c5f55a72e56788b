import { getFormProps } from "@conform-to/react";
import { Link } from "react-router";

import { toLastResult } from "../../../forms/answer.ts";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { ErrorSummary } from "../../../forms/error-summary.tsx";
import { Field } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import type { AskLinkScreen } from "./log-in-link.ts";
import { askLinkPath, logInPath } from "./paths.ts";
import type { LogInAnswer } from "./reset.ts";
import styles from "./login.module.css";

export function askLinkTitle({ isSent }: AskLinkScreen): string {
  return isSent ? "Check your email" : "Log in without a password";
}

type AskLinkProps = { screen: AskLinkScreen; answer: LogInAnswer | undefined; to: string | undefined };

export function AskLink({ screen, answer, to }: AskLinkProps) {
  return (
    <div className={styles.logIn}>
      <h1 tabIndex={-1}>{askLinkTitle(screen)}</h1>
      {screen.isSent ? <Sent to={to} /> : <AskEmail answer={answer} />}
      <p className={styles.other}>
        Have your password? <Link to={logInPath(to)}>Return to login</Link>
      </p>
    </div>
  );
}

function AskEmail({ answer }: Pick<AskLinkProps, "answer">) {
  const [form, { email }] = useCheckedForm<{ email: string }>({
    id: "link-request",
    lastResult: toLastResult(answer, "link-request"),
  });
  return (
    <>
      <ErrorSummary form={form} fields={[email]} />
      <IntentForm intent="link-request" className={styles.form} {...getFormProps(form, { ariaAttributes: false })}>
        <Field
          field={email}
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          enterKeyHint="send"
          hint="We'll send a link if this email has an account."
        />
        <Submit intent="link-request" label="Email me a link" pending="Sending..." />
      </IntentForm>
    </>
  );
}

function Sent({ to }: Pick<AskLinkProps, "to">) {
  return (
    <>
      <p>
        If your email has an account, we've sent it a link. It works once, for ten minutes, and logs in the device where
        you open it.
      </p>
      <p className={styles.other}>
        No email after a minute? <Link to={askLinkPath("ask", to)}>Send a new link</Link>
      </p>
    </>
  );
}
